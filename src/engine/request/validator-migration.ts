import { MODEL, type OperationName } from '../../dynamodb/model/operations.js'
import { formatViolations } from '../../dynamodb/model/wording.js'
import { ServiceError, validationError } from '../errors.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import { hasUnsupportedValue, isMarkedForOlderValidator } from './older-validator.js'

/** Operations whose errors have the prefix of model violations. */
const ENVELOPED: ReadonlySet<OperationName> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

/** Parses a request with the current validator. Later errors, which need the table, are reported without the prefix. */
export function readWithCurrentValidator<Read>(
  operation: OperationName,
  request: object,
  read: (layer: ValidatorLayer) => Read,
): Read {
  try {
    return read('current')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // These requests fail in both validators, so the choice of the message can be made here.
    if (isMarkedForOlderValidator(request) || hasUnsupportedValue(MODEL[operation], request)) return read('older')
    throw ENVELOPED.has(operation) ? envelopedError(error.message) : error
  }
}

export const envelopedError = (message: string) => validationError(formatViolations([message]))
