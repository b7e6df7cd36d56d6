import { chooseDelayMs } from '../../store/backoff.js'
import type { FollowerContext } from './follower-context.js'
import { mergeGaps } from './gap.js'
import type { OpenGap } from './lease.js'

/** A repair reads the whole table. */
const RETRY = { baseDelayMs: 100, maxDelayMs: 60_000 }

/** Answers gaps, one follower at a time, until each was answered. */
export class GapRepair {
  private readonly claims = new Map<string, number>()
  private running: Promise<void> | undefined
  private failures = 0

  constructor(private readonly follower: FollowerContext) {}

  /** Claims what nobody is at work on, and keeps the claims of what is under way here. */
  async repairGaps(gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings } = this.follower
    const { heal } = settings
    if (!heal) return
    const nowMs = settings.clock()
    for (const { id, claimedUntilMs, claimant } of gaps) {
      const isOurs = this.claims.get(id) === claimedUntilMs
      // One that was claimed under this name and is not under way was left by a crash.
      const isTheirs = claimedUntilMs > nowMs && (claimant === undefined || claimant !== settings.name)
      if (!isOurs && (this.running || isTheirs)) continue
      const untilMs = nowMs + settings.leaseMs
      if (await ledger.claimGap(id, claimedUntilMs, untilMs, settings.name)) this.claims.set(id, untilMs)
      else this.claims.delete(id)
    }
    const claimedGaps = gaps.filter(({ id }) => this.claims.has(id))
    if (this.running || claimedGaps.length === 0) return
    this.running = this.run(heal, claimedGaps).finally(() => {
      this.running = undefined
      this.claims.clear()
    })
  }

  /** Resolves when nothing is under way. */
  async waitUntilIdle(): Promise<void> {
    await this.running
  }

  private async run(heal: NonNullable<FollowerContext['settings']['heal']>, gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings, requestRound } = this.follower
    const gap = mergeGaps(gaps)
    try {
      await heal(gap)
      for (const { id } of gaps) await ledger.closeGap(id)
      this.failures = 0
      settings.listener({ kind: 'healed', gap })
    } catch (error) {
      settings.listener({ kind: 'error', error })
      await this.releaseClaims(gaps)
    }
    requestRound()
  }

  /** A while later anybody may try again what failed, and need not wait until the claim is over. */
  private async releaseClaims(gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings, readTimer } = this.follower
    const { random, listener } = settings
    await readTimer.waitFully(chooseDelayMs(this.failures++, { ...RETRY, random }))
    try {
      for (const { id } of gaps) {
        const claimedUntilMs = this.claims.get(id)
        if (claimedUntilMs !== undefined) await ledger.claimGap(id, claimedUntilMs, 0, settings.name)
      }
    } catch (error) {
      listener({ kind: 'error', error })
    }
  }
}
