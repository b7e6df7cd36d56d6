import { ServiceError, TransientServiceError } from '../errors.js'
import type { ItemLocation } from '../items/write-action.js'
import type { SimulatedDelay } from '../simulated-delay.js'

/**
 * The items of transactions that are still under way. What a transaction does it does at once; that it takes time shows
 * in what others are refused meanwhile.
 */
export class InFlightTransactions {
  /** By what is held, the oldest first. */
  private readonly untilMs = new Map<string, number>()
  private lastNumber = 0

  constructor(
    private readonly delay: SimulatedDelay,
    private readonly now: () => number,
    /** Whether the caller waits as long as it takes; with a clock of its own it would wait for ever. */
    private readonly shouldWait: boolean,
  ) {}

  /** A transaction that was carried out is under way from now on. */
  begin(places: readonly ItemLocation[], token: string | undefined): void {
    const nowMs = this.now()
    this.removeFinished(nowMs)
    const untilMs = nowMs + this.delay.msOf('transaction', ++this.lastNumber)
    for (const place of places) this.untilMs.set(itemNameOf(place), untilMs)
    if (token !== undefined) this.untilMs.set(tokenNameOf(token), untilMs)
  }

  /** Refuses to write or read an item of a transaction that is under way. */
  checkItemFree(place: ItemLocation): void {
    if (this.isHeld(itemNameOf(place)))
      throw new TransientServiceError('TransactionConflictException', 'Transaction is ongoing for the item')
  }

  /** Refuses a transaction that is under way itself. */
  checkTokenFree(token: string | undefined): void {
    if (token !== undefined && this.isHeld(tokenNameOf(token)))
      throw new ServiceError('TransactionInProgressException', 'Transaction from previous request is still in progress')
  }

  /** The answer of a transaction, once it is no longer under way. */
  async waitUntilOver<T>(output: T | Promise<T>): Promise<T> {
    const settled = await output
    if (this.shouldWait) await new Promise(resolve => setTimeout(resolve, this.delay.maxMs))
    return settled
  }

  private isHeld(name: string): boolean {
    const untilMs = this.untilMs.get(name)
    return untilMs !== undefined && untilMs > this.now()
  }

  /** None holds for longer than the longest, so that those before one that still holds may wait for it. */
  private removeFinished(nowMs: number): void {
    for (const [name, untilMs] of this.untilMs) {
      if (untilMs > nowMs) return
      this.untilMs.delete(name)
    }
  }
}

function itemNameOf({ table, key }: ItemLocation): string {
  return `${table.description.TableId}/${key}`
}

function tokenNameOf(token: string): string {
  return `token/${token}`
}
