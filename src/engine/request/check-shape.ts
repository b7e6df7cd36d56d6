import { MODEL, OPERATION_NAMES, type OperationName } from '../../dynamodb/model/operations.js'
import { strictErrorOf } from '../../dynamodb/model/strict-reading.js'
import { ServiceError, validationError } from '../errors.js'
import { invalidExpressionValueError } from '../expressions/placeholders.js'
import { nestingTooDeepError } from '../values/parse-item.js'
import { isBeyondNestingLimit } from './attribute-values.js'
import { checkMemberTypes } from './check-types.js'
import { compileShape } from './compile-shape.js'
import { normalizeRequest } from './normalize-request.js'
import { hasUnsupportedValue, markForOlderValidator } from './older-validator.js'
import { findViolationMessage } from './violations.js'

const ACCEPTS = Object.fromEntries(OPERATION_NAMES.map(name => [name, compileShape(MODEL[name])])) as Record<
  OperationName,
  (request: unknown) => boolean
>

/**
 * The first two stages of every operation: members of the wrong type are a SerializationException, and all violations
 * of the model together are one ValidationException. What passes is answered, of the shape that its type declares.
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
  // All that can still be wrong with its shape is that a value nests too deep to be looked into.
  if (DEEP_FIRST.has(operation) && !ACCEPTS[operation](normalized)) throw tooDeepError(normalized)
  return normalized
}

/** Whether a number was read as another: such requests are the older validator's too. */
function hasLostDigits(original: Record<string, unknown>, normalized: Record<string, unknown>): boolean {
  return Object.entries(normalized).some(([name, value]) => typeof value === 'number' && value !== original[name])
}

/** The operations that refuse such values before they look at any other. The rest come to them in their own order. */
const DEEP_FIRST: ReadonlySet<OperationName> = new Set(['GetItem', 'PutItem', 'UpdateItem'])

/** Of a value for an expression it is told which it is. */
function tooDeepError({ ExpressionAttributeValues: values = {} }: { ExpressionAttributeValues?: object }): Error {
  const fault = nestingTooDeepError()
  const deep = Object.entries(values).find(([, value]) => isBeyondNestingLimit(value))
  return deep ? invalidExpressionValueError(deep[0], fault.message) : fault
}
