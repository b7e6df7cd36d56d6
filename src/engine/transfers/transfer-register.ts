/** Exports or imports by the end of their ARN. It counts its changes, so that an unchanged one is not looked through. */
export class TransferRegister<Transfer> extends Map<string, Transfer> {
  changes = 0

  override set(resource: string, transfer: Transfer): this {
    this.changes++
    return super.set(resource, transfer)
  }

  override delete(resource: string): boolean {
    this.changes++
    return super.delete(resource)
  }
}

/** The times of an export or an import. */
export interface TransferTimes {
  readonly startMs: number
  readonly outcome?: { readonly endMs: number } | undefined
}

/** When a transfer that has ended shows its end: it takes as long as other transitions of the engine. */
export function shownEndMs({ startMs, outcome }: TransferTimes, transitionMs: number): number | undefined {
  return outcome && Math.max(outcome.endMs, startMs + transitionMs)
}

/** Whether a transfer still shows that it is in progress. */
export function isInProgress(transfer: TransferTimes, transitionMs: number, nowMs: number): boolean {
  const endMs = shownEndMs(transfer, transitionMs)
  return endMs === undefined || nowMs < endMs
}
