import { TransientServiceError } from '../errors.js'

/** An entry of a batch request, unchanged. */
export interface BatchPart<Entry> {
  readonly tableName: string
  readonly part: Entry
}

/** The unprocessed entries of a batch, which the caller sends again. */
export class UnprocessedParts<Entry> {
  private readonly parts = new Map<string, Entry[]>()
  private throttle: TransientServiceError | undefined

  add({ tableName, part }: BatchPart<Entry>): void {
    const parts = this.parts.get(tableName)
    if (parts) parts.push(part)
    else this.parts.set(tableName, [part])
  }

  /** Runs a step for an entry. Returns undefined if the step failed transiently and the entry is unprocessed. */
  attempt<T>(part: BatchPart<Entry>, step: () => T): T | undefined {
    try {
      return step()
    } catch (error) {
      if (!(error instanceof TransientServiceError)) throw error
      if (error.name !== 'TransactionConflictException') this.throttle ??= error
      this.add(part)
      return undefined
    }
  }

  /** Throws if the whole batch was throttled. */
  throwIfThrottledUnless(anyDone: boolean): void {
    if (!anyDone && this.throttle) throw this.throttle
  }

  toRecord(): Record<string, Entry[]> {
    return Object.fromEntries(this.parts)
  }
}
