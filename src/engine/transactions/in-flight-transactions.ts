import { ServiceError, TransientServiceError } from '../errors.js'
import type { ItemLocation } from '../items/write-action.js'
import type { SimulatedDelay } from '../simulated-delay.js'

/**
 * The items of transactions in progress. A transaction is applied immediately; only the conflicts of other requests
 * make it appear to take time.
 */
export class InFlightTransactions {
  /** The end of each transaction by held item or token, the oldest first. */
  private readonly untilMs = new Map<string, number>()
  private lastNumber = 0

  constructor(
    private readonly delay: SimulatedDelay,
    private readonly now: () => number,
    /** Whether callers wait for the duration. With a simulated clock they would wait indefinitely. */
    private readonly shouldWait: boolean,
  ) {}

  /** Marks the items of an executed transaction as in progress. */
  begin(places: readonly ItemLocation[], token: string | undefined): void {
    const nowMs = this.now()
    this.removeFinished(nowMs)
    const untilMs = nowMs + this.delay.msOf('transaction', ++this.lastNumber)
    for (const place of places) this.untilMs.set(itemNameOf(place), untilMs)
    if (token !== undefined) this.untilMs.set(tokenNameOf(token), untilMs)
  }

  /** Throws if an item belongs to a transaction in progress. */
  checkItemFree(place: ItemLocation): void {
    if (this.isHeld(itemNameOf(place)))
      throw new TransientServiceError('TransactionConflictException', 'Transaction is ongoing for the item')
  }

  /** Throws if the same transaction is in progress. */
  checkTokenFree(token: string | undefined): void {
    if (token !== undefined && this.isHeld(tokenNameOf(token)))
      throw new ServiceError('TransactionInProgressException', 'Transaction from previous request is still in progress')
  }

  /** Resolves to the output when the transaction is no longer in progress. */
  async waitUntilOver<T>(output: T | Promise<T>): Promise<T> {
    const settled = await output
    if (this.shouldWait) await new Promise(resolve => setTimeout(resolve, this.delay.maxMs))
    return settled
  }

  private isHeld(name: string): boolean {
    const untilMs = this.untilMs.get(name)
    return untilMs !== undefined && untilMs > this.now()
  }

  /**
   * Removes finished transactions. Stops at the first that is in progress; later ones may have finished but are removed
   * soon, because all durations are bounded.
   */
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
