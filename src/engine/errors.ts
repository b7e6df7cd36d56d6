import type { Item } from '../dynamodb/attribute-value.js'
import type { CancellationReason, ServiceException, ThrottlingReason } from '../dynamodb/exception.js'

const INVALID_PARAMETER = 'One or more parameter values were invalid: '

/** An exception of the service in the shape that the AWS SDK throws. */
export class ServiceError extends Error implements ServiceException {
  readonly $fault: 'client' | 'server'
  readonly $metadata: { httpStatusCode: number }
  /** The existing item, when the request asked for it on a failed condition. */
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

/**
 * An empty value for a key attribute. In a transaction it fails the whole request, while other invalid values only
 * cancel it with a reason for their item.
 */
export class EmptyKeyError extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}

/** An invalid key, or an attempt to change a key. A batch of statements reports it together with the table name. */
export class KeyError extends ServiceError {
  constructor(detail: string) {
    super('ValidationException', `${INVALID_PARAMETER}${detail}`)
  }
}

/** An error of the request as a whole. In a transaction it does not become the cancellation reason of an action. */
export class RequestError extends ServiceError {
  constructor(message: string) {
    super('ValidationException', message)
  }
}

/** A request that may succeed when it is sent again: it changed nothing and consumed no capacity. */
export class TransientServiceError extends ServiceError {}

export const validationError = (message: string) => new ServiceError('ValidationException', message)
export const serializationError = (message: string) => new ServiceError('SerializationException', message)
export const notFoundError = (message: string) => new ServiceError('ResourceNotFoundException', message)
export const inUseError = (message: string) => new ServiceError('ResourceInUseException', message)
export const limitExceededError = (message: string) => new ServiceError('LimitExceededException', message)
/** Prefixes the message as the service does for most invalid values. */
export const invalidParameterError = (detail: string) => validationError(`${INVALID_PARAMETER}${detail}`)
