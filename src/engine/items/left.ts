import { HeldBackError } from '../errors.js'

/** A part of a batch as it was given. */
export interface Given<Part> {
  readonly tableName: string
  readonly part: Part
}

/** The parts of a batch that are not done, for the caller to send again. */
export class Left<Part> {
  private readonly parts = new Map<string, Part[]>()
  private throttle: HeldBackError | undefined

  leave({ tableName, part }: Given<Part>): void {
    const parts = this.parts.get(tableName)
    if (parts) parts.push(part)
    else this.parts.set(tableName, [part])
  }

  /** What a step for a part comes to; undefined where it is held back. */
  attempt<T>(given: Given<Part>, step: () => T): T | undefined {
    try {
      return step()
    } catch (error) {
      if (!(error instanceof HeldBackError)) throw error
      if (error.name !== 'TransactionConflictException') this.throttle ??= error
      this.leave(given)
      return undefined
    }
  }

  /** A batch of which nothing could be done for want of capacity is refused. */
  refuseUnless(anyDone: boolean): void {
    if (!anyDone && this.throttle) throw this.throttle
  }

  byTable(): Record<string, Part[]> {
    return Object.fromEntries(this.parts)
  }
}
