import { chooseDelayMs } from '../../store/backoff.js'
import type { FollowerContext } from './follower-context.js'
import { mergeGaps } from './gap.js'
import type { OpenGap } from './lease.js'

/** Long delays, because a repair reads the whole table. */
const RETRY = { baseDelayMs: 100, maxDelayMs: 60_000 }

/** Repairs gaps, one follower at a time, and retries failed repairs. */
export class GapRepair {
  private readonly claims = new Map<string, number>()
  private running: Promise<void> | undefined
  private failures = 0

  constructor(private readonly follower: FollowerContext) {}

  /** Claims gaps that no other follower is repairing, and renews the claims of the running repair. */
  async repairGaps(gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings } = this.follower
    const { heal } = settings
    if (!heal) return
    const nowMs = settings.clock()
    for (const { id, claimedUntilMs, claimant } of gaps) {
      const isOurs = this.claims.get(id) === claimedUntilMs
      // A claim under our own name without a running repair was left by a crash, so it can be taken.
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

  /** Resolves when no repair is running. */
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

  /** Releases the claims after a delay, so that any follower can retry the repair before the claims expire. */
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
