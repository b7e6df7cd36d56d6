import type { CancellationReason } from '../../dynamodb/exception.js'
import { EmptyKeyError, ServiceError, validation } from '../errors.js'
import type { Place } from '../items/action.js'

const NO_REASON: CancellationReason = Object.freeze({ Code: 'None' })

const CODES: Record<string, string> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
}

/** What became of each action of a transaction, in order. */
export class Outcomes {
  private readonly reasons: CancellationReason[]
  private failed = false

  constructor(
    actions: number,
    /** Whether an empty key is a reason like any other, or fails the whole request: reads and writes differ. */
    private readonly emptyKeyIsReason = false,
  ) {
    this.reasons = new Array(actions).fill(NO_REASON)
  }

  /** Does a step of an action, or keeps why it cannot be done. What is not the action's own fault goes through. */
  attempt<T>(action: number, step: () => T): T | undefined {
    try {
      return step()
    } catch (error) {
      const Code = error instanceof ServiceError ? CODES[error.name] : undefined
      if (!Code || (error instanceof EmptyKeyError && !this.emptyKeyIsReason)) throw error
      const { message: Message, Item } = error as ServiceError
      this.reasons[action] = Item ? { Code, Message, Item } : { Code, Message }
      this.failed = true
      return undefined
    }
  }

  /** A transaction with any action that failed is cancelled, with a reason for each. */
  cancelIfAny(): void {
    if (!this.failed) return
    const codes = this.reasons.map(reason => reason.Code).join(', ')
    throw new ServiceError(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
      { CancellationReasons: this.reasons },
    )
  }
}

/** No item may be named twice. */
export function checkTargets(places: readonly (Place | undefined)[]): void {
  const keysByTable = new Map<unknown, Set<string>>()
  for (const place of places) {
    if (!place) continue
    const keys = keysByTable.get(place.table) ?? new Set()
    if (keys.has(place.key)) throw validation('Transaction request cannot include multiple operations on one item')
    keysByTable.set(place.table, keys.add(place.key))
  }
}
