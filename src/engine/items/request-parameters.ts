import type { ReturnValue } from '../../dynamodb/operation-types.js'
import { validationError } from '../errors.js'

/** A put or a delete can return the old item or nothing. */
export function checkReturnsOldValues({ ReturnValues }: { ReturnValues?: ReturnValue | undefined }): void {
  if (ReturnValues !== undefined && ReturnValues !== 'ALL_OLD' && ReturnValues !== 'NONE')
    throw validationError('ReturnValues can only be ALL_OLD or NONE')
}

const EXPRESSIONS = [
  'ProjectionExpression',
  'FilterExpression',
  'UpdateExpression',
  'ConditionExpression',
  'KeyConditionExpression',
]

/** Returns whether a request uses legacy parameters. Throws if it also uses expressions. */
export function checkLegacyParameters<Request extends object>(
  request: Request,
  legacy: readonly (keyof Request & string)[],
): boolean {
  const used = legacy.filter(name => request[name] !== undefined && request[name] !== null)
  if (used.length === 0) return false
  const mixed = used.filter(name => isMixingForbidden(request, name))
  const expressions = EXPRESSIONS.filter(name => (request as Record<string, unknown>)[name] !== undefined)
  if (mixed.length > 0 && expressions.length > 0)
    throw validationError(
      'Can not use both expression and non-expression parameters in the same request: ' +
        `Non-expression parameters: {${mixed.join(', ')}} Expression parameters: {${expressions.join(', ')}}`,
    )
  return true
}

/** `KeyConditions` can be combined with expressions of other kinds. */
function isMixingForbidden(request: object, name: string): boolean {
  return (
    name !== 'KeyConditions' || (request as { KeyConditionExpression?: string }).KeyConditionExpression !== undefined
  )
}
