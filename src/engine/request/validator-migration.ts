import { MODEL, type OperationName } from '../../dynamodb/model/operations.js'
import { formatViolations } from '../../dynamodb/model/wording.js'
import { ServiceError, validationError } from '../errors.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import { hasUnsupportedValue, isMarkedForOlderValidator } from './older-validator.js'

/** What the current validator finds in these it tells as it tells violations of the model. */
const ENVELOPED: ReadonlySet<OperationName> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

/**
 * Reads what can be read of a request alone, for an operation that has come to the current validator. Whatever is found
 * later, with the table at hand, is not the validator's, and is told bare.
 */
export function readWithCurrentValidator<Read>(
  operation: OperationName,
  request: object,
  read: (layer: ValidatorLayer) => Read,
): Read {
  try {
    return read('current')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // Such a request fails in either validator, so that this one place is enough to tell whose words it gets.
    if (isMarkedForOlderValidator(request) || hasUnsupportedValue(MODEL[operation], request)) return read('older')
    throw ENVELOPED.has(operation) ? envelopedError(error.message) : error
  }
}

export const envelopedError = (message: string) => validationError(formatViolations([message]))
