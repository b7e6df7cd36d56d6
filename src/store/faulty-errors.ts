import type { CancellationReason, ServiceException } from '../dynamodb/exception.js'

/** What every call fails with once a `faulty` store has crashed: it is for no one to try again. */
export class Crashed extends Error {
  override readonly name = 'Crashed'

  constructor(requests: number) {
    super(`the process is taken to have ended after ${requests} requests`)
  }
}

const CLIENT_ERROR = 400
const SERVER_ERROR = 500

function serviceException(name: string, message: string, details: object = {}): ServiceException {
  const thrown = Object.assign(new Error(message), {
    $fault: 'client' as const,
    $metadata: { httpStatusCode: CLIENT_ERROR },
    ...details,
  })
  // Not enumerable, as with the errors of the AWS SDK.
  return Object.defineProperty(thrown, 'name', { value: name, writable: true, configurable: true })
}

export function throttled(): ServiceException {
  return serviceException(
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  )
}

/** As Node's sockets and the SDK say it: no status, since there was no answer. */
export function hangUp(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', $metadata: {} })
}

export function internalError(): ServiceException {
  const details = { $fault: 'server', $metadata: { httpStatusCode: SERVER_ERROR } }
  return serviceException('InternalServerError', 'Internal server error', details)
}

export function conflict(): ServiceException {
  return serviceException('TransactionConflictException', 'Transaction is ongoing for the item')
}

/** `conflicting` says of each action of a transaction whether it met another. */
export function cancelledByConflict(conflicting: readonly boolean[]): ServiceException {
  const reasons = conflicting.map(
    (isMet): CancellationReason =>
      isMet ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } : { Code: 'None' },
  )
  const codes = reasons.map(({ Code }) => Code).join(', ')
  return serviceException(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  )
}

export function inProgress(): ServiceException {
  return serviceException('TransactionInProgressException', 'Transaction from previous request is still in progress')
}
