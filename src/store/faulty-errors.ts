import type { CancellationReason, ServiceException } from '../dynamodb/exception.js'

/**
 * The error of every call after a `faulty` store has crashed. Retries treat it as final.
 *
 * @example
 * ```ts
 * import { memory } from 'edgewise/engine'
 * import { Crashed, faulty } from 'edgewise/testing'
 *
 * const store = faulty(memory(), { seed: 7, crashAfter: 0 })
 * await store.listTables({}).catch((error: unknown) => {
 *   if (!(error instanceof Crashed)) throw error
 * })
 * ```
 */
export class Crashed extends Error {
  override readonly name = 'Crashed'

  constructor(requests: number) {
    super(`store: the simulated process ended after ${requests} requests; create a new faulty() store.`)
  }
}

const CLIENT_ERROR = 400
const SERVER_ERROR = 500

function createServiceException(name: string, message: string, details: object = {}): ServiceException {
  const exception = Object.assign(new Error(message), {
    $fault: 'client' as const,
    $metadata: { httpStatusCode: CLIENT_ERROR },
    ...details,
  })
  // Not enumerable, like the `$metadata` of SDK errors.
  return Object.defineProperty(exception, 'name', { value: name, writable: true, configurable: true })
}

export function createThrottlingError(): ServiceException {
  return createServiceException(
    'ProvisionedThroughputExceededException',
    'The level of configured provisioned throughput for the table was exceeded. Consider increasing your provisioning level with the UpdateTable API.',
  )
}

/** The error of a Node socket as the SDK reports it, without a status because no response arrived. */
export function createConnectionResetError(): Error {
  return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET', $metadata: {} })
}

export function createInternalServerError(): ServiceException {
  const details = { $fault: 'server', $metadata: { httpStatusCode: SERVER_ERROR } }
  return createServiceException('InternalServerError', 'Internal server error', details)
}

export function createConflictError(): ServiceException {
  return createServiceException('TransactionConflictException', 'Transaction is ongoing for the item')
}

/** `conflicting` states for each action of a transaction whether it conflicts. */
export function createCancellationError(conflicting: readonly boolean[]): ServiceException {
  const reasons = conflicting.map(
    (isConflicting): CancellationReason =>
      isConflicting
        ? { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' }
        : { Code: 'None' },
  )
  const codes = reasons.map(({ Code }) => Code).join(', ')
  return createServiceException(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: reasons },
  )
}

export function createInProgressError(): ServiceException {
  return createServiceException(
    'TransactionInProgressException',
    'Transaction from previous request is still in progress',
  )
}
