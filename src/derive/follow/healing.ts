import type { Following } from './following.js'
import { joined } from './gap.js'
import type { OpenGap } from './lease.js'

/** Answers gaps, one follower at a time, until each was answered. */
export class Healing {
  private readonly claimed = new Map<string, number>()
  private underWay: Promise<void> | undefined

  constructor(private readonly following: Following) {}

  /** Claims what nobody is at work on, and keeps the claims of what is under way here. */
  async answer(gaps: readonly OpenGap[]): Promise<void> {
    const { ledger, settings } = this.following
    const { heal } = settings
    if (!heal) return
    const nowMs = settings.clock()
    for (const { id, claimedUntilMs } of gaps) {
      const isOurs = this.claimed.get(id) === claimedUntilMs
      if (!isOurs && (this.underWay || claimedUntilMs > nowMs)) continue
      const untilMs = nowMs + settings.leaseMs
      if (await ledger.claimGap(id, claimedUntilMs, untilMs)) this.claimed.set(id, untilMs)
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
      settings.listener({ kind: 'healed', gap })
      lookAgain()
    } catch (error) {
      settings.listener({ kind: 'error', error })
    }
  }
}
