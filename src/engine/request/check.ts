import { MODEL, OPERATION_NAMES, type OperationName } from '../../dynamodb/model/operations.js'
import { validation } from '../errors.js'
import { compile } from './accepts.js'
import { checkTypes } from './types.js'
import { violationMessage } from './violations.js'

const ACCEPTS = Object.fromEntries(OPERATION_NAMES.map(name => [name, compile(MODEL[name])])) as Record<
  OperationName,
  (request: unknown) => boolean
>

/**
 * The first two stages of every operation: members of the wrong type are a SerializationException, and all violations
 * of the model together are one ValidationException. Whatever passes is of the shape that its type declares.
 */
export function checkShape(operation: OperationName, request: unknown): void {
  if (!ACCEPTS[operation](request)) refuse(operation, request)
}

function refuse(operation: OperationName, request: unknown): void {
  const input = MODEL[operation]
  const given = request ?? {}
  checkTypes(input, given, 'field')
  const message = violationMessage(input, given as Record<string, unknown>)
  if (message !== undefined) throw validation(message)
}
