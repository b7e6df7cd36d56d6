import { MODEL, type OperationName } from '../../dynamodb/model/operations.js'
import { violationsMessage } from '../../dynamodb/model/wording.js'
import { ServiceError, validation } from '../errors.js'
import type { Layer } from '../values/layer.js'
import { holdsUnfitValue, isLeftToOlder } from './unfit-values.js'

/** What the current validator finds in these it tells as it tells violations of the model. */
const ENVELOPED: ReadonlySet<OperationName> = new Set(['PutItem', 'UpdateItem', 'DeleteItem'])

/**
 * Reads what can be read of a request alone, for an operation that has come to the current validator. Whatever is found
 * later, with the table at hand, is not the validator's, and is told bare.
 */
export function readCurrent<Read>(operation: OperationName, request: object, read: (layer: Layer) => Read): Read {
  try {
    return read('current')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    // Such a request fails in either validator, so that this one place is enough to tell whose words it gets.
    if (isLeftToOlder(request) || holdsUnfitValue(MODEL[operation], request)) return read('older')
    throw ENVELOPED.has(operation) ? enveloped(error.message) : error
  }
}

export const enveloped = (message: string) => validation(violationsMessage([message]))
