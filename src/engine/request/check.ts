import { MODEL, OPERATION_NAMES, type OperationName } from '../../dynamodb/model/operations.js'
import { validation } from '../errors.js'
import { compile } from './accepts.js'
import { withoutNulls } from './nulls.js'
import { checkTypes } from './types.js'
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
  const given = request ?? {}
  checkTypes(input, given, 'field')
  const meant = withoutNulls(input, given) as Record<string, unknown>
  const message = violationMessage(input, meant)
  if (message !== undefined) throw validation(message)
  return meant
}
