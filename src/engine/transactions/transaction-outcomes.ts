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

/** The cancellation codes of PartiQL statements, which have one more than the operations on items. */
const STATEMENT_CODES: Record<string, string> = { ...CODES, ResourceNotFoundException: 'ResourceNotFound' }

/**
 * The kind of the actions in a transaction. An empty key fails a request of writes and is an ordinary cancellation
 * reason otherwise.
 */
type ActionsKind = 'writes' | 'reads' | 'statements'

/** The outcome of each action of a transaction, in order. */
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

  /** Runs a step of an action. An error of the action is stored as its cancellation reason; other errors are thrown. */
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

  /**
   * Marks an action whose condition failed without effect. It gets a reason only if another action cancels the
   * transaction.
   */
  markDoubtful(action: number): void {
    this.doubtedActions.add(action)
  }

  /** Throws the cancellation with a reason for each action, if any action failed. */
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

/** Checks that no item occurs twice in a transaction. */
export function checkDistinctItems(places: readonly (ItemLocation | undefined)[]): void {
  const keysByTable = new Map<unknown, Set<string>>()
  for (const place of places) {
    if (!place) continue
    const keys = keysByTable.get(place.table) ?? new Set()
    if (keys.has(place.key)) throw validationError('Transaction request cannot include multiple operations on one item')
    keysByTable.set(place.table, keys.add(place.key))
  }
}
