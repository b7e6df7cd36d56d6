import type { Item } from '../dynamodb/attribute-value.js'
import type { CancellationReason, ServiceException, ThrottlingReason } from '../dynamodb/exception.js'

const INVALID_PARAMETER = 'One or more parameter values were invalid: '

/** An exception of the service, shaped as the AWS SDK throws it. */
export class ServiceError extends Error implements ServiceException {
  readonly $fault: 'client' | 'server'
  readonly $metadata: { httpStatusCode: number }
  /** The item as it was, where the request asked for it on a failed condition. */
  declare readonly Item?: Item
  declare readonly CancellationReasons?: CancellationReason[]
  declare readonly ThrottlingReasons?: ThrottlingReason[]
  declare readonly throttlingReasons?: ThrottlingReason[]

  constructor(
    name: string,
    message: string,
    details: Partial<
      Pick<ServiceError, 'Item' | 'CancellationReasons' | 'ThrottlingReasons' | 'throttlingReasons'>
    > = {},
  ) {
    super(message)
    this.name = name
    this.$fault = name === 'InternalServerError' ? 'server' : 'client'
    this.$metadata = { httpStatusCode: this.$fault === 'server' ? 500 : 400 }
    Object.assign(this, details)
  }
}

/** An empty value for a key: within a transaction it fails the whole request, where other bad values are a reason for their item. */
export class EmptyKeyError extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}

/** A key that no item can have, or a change of one: a batch of statements tells its table with it. */
export class KeyError extends ServiceError {
  constructor(detail: string) {
    super('ValidationException', `${INVALID_PARAMETER}${detail}`)
  }
}

/** A fault of a request as a whole: within a transaction it is no reason for one of its actions. */
export class RequestError extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}

/** A request that would be done at another time: nothing of it was done, and nothing is paid for it. */
export class TransientServiceError extends ServiceError {}

export const validationError = (message: string) => new ServiceError('ValidationException', message)
export const serializationError = (message: string) => new ServiceError('SerializationException', message)
export const notFoundError = (message: string) => new ServiceError('ResourceNotFoundException', message)
export const inUseError = (message: string) => new ServiceError('ResourceInUseException', message)
export const limitExceededError = (message: string) => new ServiceError('LimitExceededException', message)
/** The usual beginning of a complaint about a value. */
export const invalidParameterError = (detail: string) => validationError(`${INVALID_PARAMETER}${detail}`)
