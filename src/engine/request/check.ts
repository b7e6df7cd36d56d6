import { MODEL, OPERATION_NAMES, type OperationName } from '../../dynamodb/model/operations.js'
import { strictFault } from '../../dynamodb/model/strict-reading.js'
import { ServiceError, validation } from '../errors.js'
import { invalidValue } from '../expressions/placeholders.js'
import { nestingTooDeep } from '../values/intake.js'
import { compile } from './accepts.js'
import { nestsTooDeep } from './attribute-values.js'
import { meantBy } from './meant.js'
import { checkTypes } from './types.js'
import { holdsUnfitValue, leaveToOlder } from './unfit-values.js'
import { violationMessage } from './violations.js'

const ACCEPTS = Object.fromEntries(OPERATION_NAMES.map(name => [name, compile(MODEL[name])])) as Record<
  OperationName,
  (request: unknown) => boolean
>

/**
 * The first two stages of every operation: members of the wrong type are a SerializationException, and all violations
 * of the model together are one ValidationException. What passes is answered, of the shape that its type declares.
 */
export function checkShape(operation: OperationName, request: unknown): unknown {
  return ACCEPTS[operation](request) ? request : looked(operation, request)
}

function looked(operation: OperationName, request: unknown): unknown {
  const input = MODEL[operation]
  const given = (request ?? {}) as Record<string, unknown>
  const strict = operation === 'SearchVectors' && strictFault(input, given)
  if (strict) throw new ServiceError(strict.error, strict.message)
  checkTypes(input, given, 'field')
  const meant = meantBy(input, given) as Record<string, unknown>
  const isUnfit = holdsUnfitValue(input, given)
  if (isUnfit) leaveToOlder(meant)
  const layer = isUnfit || losesDigits(given, meant) ? 'older' : input.validator
  const message = violationMessage(input, meant, layer)
  if (message !== undefined) throw validation(message)
  // All that can still be wrong with its shape is that a value nests too deep to be looked into.
  if (DEEP_FIRST.has(operation) && !ACCEPTS[operation](meant)) throw tooDeep(meant)
  return meant
}

/** Whether a number was read as another: such requests are the older validator's too. */
function losesDigits(given: Record<string, unknown>, meant: Record<string, unknown>): boolean {
  return Object.entries(meant).some(([name, value]) => typeof value === 'number' && value !== given[name])
}

/** The operations that refuse such values before they look at any other. The rest come to them in their own order. */
const DEEP_FIRST: ReadonlySet<OperationName> = new Set(['GetItem', 'PutItem', 'UpdateItem'])

/** Of a value for an expression it is told which it is. */
function tooDeep({ ExpressionAttributeValues: values = {} }: { ExpressionAttributeValues?: object }): Error {
  const fault = nestingTooDeep()
  const deep = Object.entries(values).find(([, value]) => nestsTooDeep(value))
  return deep ? invalidValue(deep[0], fault.message) : fault
}
