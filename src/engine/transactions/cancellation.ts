import { type CancellationReason, ServiceError } from '../errors.js'

export const NO_REASON: CancellationReason = Object.freeze({ Code: 'None' })

const CODES: Record<string, string> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  ValidationException: 'ValidationError',
}

/** The reason that a refused action gives; what is not the action's own fault goes through as it is. */
export function failureReason(error: ServiceError): CancellationReason {
  const Code = CODES[error.name]
  if (!Code) throw error
  const reason: CancellationReason = { Code, Message: error.message }
  if (error.Item) reason.Item = error.Item
  return reason
}

/** One reason for each action, in order. */
export function transactionCancelled(CancellationReasons: CancellationReason[]): ServiceError {
  const codes = CancellationReasons.map(reason => reason.Code).join(', ')
  return new ServiceError(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons },
  )
}
