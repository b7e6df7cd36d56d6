import type { CancellationReason } from '../../dynamodb/exception.js'
import { EmptyKeyError, RequestError, ServiceError, validationError } from '../errors.js'
import type { ItemLocation } from '../items/write-action.js'

const NO_REASON: CancellationReason = Object.freeze({ Code: 'None' })

const FAILED_CONDITION: CancellationReason = Object.freeze({
  Code: 'ConditionalCheckFailed',
  Message: 'The conditional request failed',
})

const CODES: Record<string, string> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  DuplicateItemException: 'DuplicateItem',
  ProvisionedThroughputExceededException: 'ProvisionedThroughputExceeded',
  ThrottlingException: 'ThrottlingError',
  TransactionConflictException: 'TransactionConflict',
  ValidationException: 'ValidationError',
}

/** Statements of PartiQL have a reason more than the operations by themselves. */
const STATEMENT_CODES: Record<string, string> = { ...CODES, ResourceNotFoundException: 'ResourceNotFound' }

/**
 * Of what a transaction is: writes, reads, or statements of PartiQL. An empty key fails a request of writes, and is a
 * reason like any other elsewhere.
 */
type ActionsKind = 'writes' | 'reads' | 'statements'

/** What became of each action of a transaction, in order. */
export class TransactionOutcomes {
  private readonly reasons: CancellationReason[]
  private readonly doubtedActions = new Set<number>()
  private hasFailed = false

  constructor(
    actions: number,
    private readonly kind: ActionsKind,
  ) {
    this.reasons = new Array(actions).fill(NO_REASON)
  }

  /** Does a step of an action, or keeps why it cannot be done. What is not the action's own fault goes through. */
  attempt<T>(action: number, step: () => T): T | undefined {
    try {
      return step()
    } catch (error) {
      const Code = this.codeOf(error)
      if (!Code) throw error
      const { message: Message, Item } = error as ServiceError
      this.reasons[action] = Item ? { Code, Message, Item } : { Code, Message }
      this.hasFailed = true
      return undefined
    }
  }

  private codeOf(error: unknown): string | undefined {
    if (!(error instanceof ServiceError) || error instanceof RequestError) return undefined
    if (error instanceof EmptyKeyError && this.kind === 'writes') return undefined
    return (this.kind === 'statements' ? STATEMENT_CODES : CODES)[error.name]
  }

  /** Says that the condition of an action did not hold, should others cancel the transaction; by itself it does not. */
  markDoubtful(action: number): void {
    this.doubtedActions.add(action)
  }

  /** A transaction with any action that failed is cancelled, with a reason for each. */
  throwIfAnyFailed(): void {
    if (!this.hasFailed) return
    for (const action of this.doubtedActions)
      if (this.reasons[action] === NO_REASON) this.reasons[action] = FAILED_CONDITION
    const codes = this.reasons.map(reason => reason.Code).join(', ')
    throw new ServiceError(
      'TransactionCanceledException',
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
      { CancellationReasons: this.reasons },
    )
  }
}

/** No item may be named twice. */
export function checkDistinctItems(places: readonly (ItemLocation | undefined)[]): void {
  const keysByTable = new Map<unknown, Set<string>>()
  for (const place of places) {
    if (!place) continue
    const keys = keysByTable.get(place.table) ?? new Set()
    if (keys.has(place.key)) throw validationError('Transaction request cannot include multiple operations on one item')
    keysByTable.set(place.table, keys.add(place.key))
  }
}
