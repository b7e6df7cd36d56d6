import { MODEL, OPERATION_NAMES, type OperationName } from '../../dynamodb/model/operations.js'
import { strictErrorOf } from '../../dynamodb/model/strict-reading.js'
import { ServiceError, validationError } from '../errors.js'
import { invalidExpressionValueError } from '../expressions/placeholders.js'
import { nestingTooDeepError } from '../values/parse-item.js'
import { isBeyondNestingLimit } from './attribute-values.js'
import { checkMemberTypes } from './check-types.js'
import { compileShape, type ShapePredicate } from './compile-shape.js'
import { normalizeRequest } from './normalize-request.js'
import { hasUnsupportedValue, markForOlderValidator } from './older-validator.js'
import { findViolationMessage } from './violations.js'

/** A program calls few of the operations, so the first request compiles the check of its operation. */
const ACCEPTS = Object.fromEntries(OPERATION_NAMES.map(name => [name, compileOnFirstCall(name)])) as Record<
  OperationName,
  ShapePredicate
>

function compileOnFirstCall(operation: OperationName): ShapePredicate {
  return request => {
    ACCEPTS[operation] = compileShape(MODEL[operation])
    return ACCEPTS[operation](request)
  }
}

/**
 * Runs the first two checks of every operation. Members of the wrong type cause a SerializationException; violations of
 * the model cause one ValidationException for all of them. Returns the valid request in the declared shape.
 */
export function checkShape(operation: OperationName, request: unknown): unknown {
  return ACCEPTS[operation](request) ? request : checkInDetail(operation, request)
}

function checkInDetail(operation: OperationName, request: unknown): unknown {
  const input = MODEL[operation]
  const members = (request ?? {}) as Record<string, unknown>
  const strict = operation === 'SearchVectors' && strictErrorOf(input, members)
  if (strict) throw new ServiceError(strict.error, strict.message)
  checkMemberTypes(input, members, 'field')
  const normalized = normalizeRequest(input, members) as Record<string, unknown>
  const isUnfit = hasUnsupportedValue(input, members)
  if (isUnfit) markForOlderValidator(normalized)
  const layer = isUnfit || hasLostDigits(members, normalized) ? 'older' : input.validator
  const message = findViolationMessage(input, normalized, layer)
  if (message !== undefined) throw validationError(message)
  // The only remaining shape error is a value that nests too deeply.
  if (DEEP_FIRST.has(operation) && !ACCEPTS[operation](normalized)) throw tooDeepError(normalized)
  return normalized
}

/** Returns whether a number was changed by normalization. The older validator handles these requests too. */
function hasLostDigits(original: Record<string, unknown>, normalized: Record<string, unknown>): boolean {
  return Object.entries(normalized).some(([name, value]) => typeof value === 'number' && value !== original[name])
}

/** Operations that reject values that are too deep before other values. The others check values in their own order. */
const DEEP_FIRST: ReadonlySet<OperationName> = new Set(['GetItem', 'PutItem', 'UpdateItem'])

/** Creates the error for nesting. For a value of an expression it names the placeholder. */
function tooDeepError({ ExpressionAttributeValues: values = {} }: { ExpressionAttributeValues?: object }): Error {
  const fault = nestingTooDeepError()
  const deep = Object.entries(values).find(([, value]) => isBeyondNestingLimit(value))
  return deep ? invalidExpressionValueError(deep[0], fault.message) : fault
}
