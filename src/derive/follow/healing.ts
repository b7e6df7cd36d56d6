import { delayMs } from '../../store/backoff.js'
import type { Following } from './following.js'
import { joined } from './gap.js'
import type { OpenGap } from './lease.js'

/** A repair reads the whole table. */
const RETRY = { baseDelayMs: 100, maxDelayMs: 60_000 }

/** Answers gaps, one follower at a time, until each was answered. */
export class Healing {
  private readonly claimed = new Map<string, number>()
  private underWay: Promise<void> | undefined
  private failures = 0

  constructor(private readonly following: Following) {}

  /** Claims what nobody is at work on, and keeps the claims of what is under way here. */
  async answer(gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings } = this.following
    const { heal } = settings
    if (!heal) return
    const nowMs = settings.clock()
    for (const { id, claimedUntilMs, claimant } of gaps) {
      const isOurs = this.claimed.get(id) === claimedUntilMs
      // One that was claimed under this name and is not under way was left by a crash.
      const isTheirs = claimedUntilMs > nowMs && (claimant === undefined || claimant !== settings.name)
      if (!isOurs && (this.underWay || isTheirs)) continue
      const untilMs = nowMs + settings.leaseMs
      if (await ledger.claimGap(id, claimedUntilMs, untilMs, settings.name)) this.claimed.set(id, untilMs)
      else this.claimed.delete(id)
    }
    const own = gaps.filter(({ id }) => this.claimed.has(id))
    if (this.underWay || own.length === 0) return
    this.underWay = this.run(heal, own).finally(() => {
      this.underWay = undefined
      this.claimed.clear()
    })
  }

  /** Resolves when nothing is under way. */
  async ended(): Promise<void> {
    await this.underWay
  }

  private async run(heal: NonNullable<Following['settings']['heal']>, gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings, lookAgain } = this.following
    const gap = joined(gaps)
    try {
      await heal(gap)
      for (const { id } of gaps) await ledger.closeGap(id)
      this.failures = 0
      settings.listener({ kind: 'healed', gap })
    } catch (error) {
      settings.listener({ kind: 'error', error })
      await this.giveBack(gaps)
    }
    lookAgain()
  }

  /** A while later anybody may try again what failed, and need not wait until the claim is over. */
  private async giveBack(gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings, reading } = this.following
    const { random, listener } = settings
    await reading.rest(delayMs(this.failures++, { ...RETRY, random }))
    try {
      for (const { id } of gaps) {
        const claimedUntilMs = this.claimed.get(id)
        if (claimedUntilMs !== undefined) await ledger.claimGap(id, claimedUntilMs, 0, settings.name)
      }
    } catch (error) {
      listener({ kind: 'error', error })
    }
  }
}
