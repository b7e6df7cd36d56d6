import { TransientServiceError } from '../errors.js'

/** A part of a batch as it was given. */
export interface BatchPart<Part> {
  readonly tableName: string
  readonly part: Part
}

/** The parts of a batch that are not done, for the caller to send again. */
export class UnprocessedParts<Part> {
  private readonly parts = new Map<string, Part[]>()
  private throttle: TransientServiceError | undefined

  add({ tableName, part }: BatchPart<Part>): void {
    const parts = this.parts.get(tableName)
    if (parts) parts.push(part)
    else this.parts.set(tableName, [part])
  }

  /** What a step for a part comes to; undefined where it is held back. */
  attempt<T>(part: BatchPart<Part>, step: () => T): T | undefined {
    try {
      return step()
    } catch (error) {
      if (!(error instanceof TransientServiceError)) throw error
      if (error.name !== 'TransactionConflictException') this.throttle ??= error
      this.add(part)
      return undefined
    }
  }

  /** A batch of which nothing could be done for want of capacity is refused. */
  throwIfThrottledUnless(anyDone: boolean): void {
    if (!anyDone && this.throttle) throw this.throttle
  }

  toRecord(): Record<string, Part[]> {
    return Object.fromEntries(this.parts)
  }
}
