import type { Delaying } from '../delay.js'
import { HeldBackError, ServiceError } from '../errors.js'
import type { Place } from '../items/action.js'

/**
 * The items of transactions that are still under way. What a transaction does it does at once; that it takes time shows
 * in what others are refused meanwhile.
 */
export class InFlight {
  /** By what is held, the oldest first. */
  private readonly untilMs = new Map<string, number>()
  private number = 0

  constructor(
    private readonly delay: Delaying,
    private readonly now: () => number,
    /** Whether the caller waits as long as it takes; with a clock of its own it would wait for ever. */
    private readonly waits: boolean,
  ) {}

  /** A transaction that was carried out is under way from now on. */
  hold(places: readonly Place[], token: string | undefined): void {
    const nowMs = this.now()
    this.forgetOver(nowMs)
    const untilMs = nowMs + this.delay.msOf('transaction', ++this.number)
    for (const place of places) this.untilMs.set(itemName(place), untilMs)
    if (token !== undefined) this.untilMs.set(tokenName(token), untilMs)
  }

  /** Refuses to write or read an item of a transaction that is under way. */
  refuse(place: Place): void {
    if (this.holds(itemName(place)))
      throw new HeldBackError('TransactionConflictException', 'Transaction is ongoing for the item')
  }

  /** Refuses a transaction that is under way itself. */
  refuseToken(token: string | undefined): void {
    if (token !== undefined && this.holds(tokenName(token)))
      throw new ServiceError('TransactionInProgressException', 'Transaction from previous request is still in progress')
  }

  /** The answer of a transaction, once it is no longer under way. */
  async answered<T>(answer: T | Promise<T>): Promise<T> {
    const given = await answer
    if (this.waits) await new Promise(resolve => setTimeout(resolve, this.delay.mostMs))
    return given
  }

  private holds(name: string): boolean {
    const untilMs = this.untilMs.get(name)
    return untilMs !== undefined && untilMs > this.now()
  }

  /** None holds for longer than the longest, so that those before one that still holds may wait for it. */
  private forgetOver(nowMs: number): void {
    for (const [name, untilMs] of this.untilMs) {
      if (untilMs > nowMs) return
      this.untilMs.delete(name)
    }
  }
}

function itemName({ table, key }: Place): string {
  return `${table.description.TableId}/${key}`
}

function tokenName(token: string): string {
  return `token/${token}`
}
