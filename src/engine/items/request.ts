import type { ReturnValue } from '../../dynamodb/operations/items.js'
import { validation } from '../errors.js'

/** Puts and deletes answer the old item or nothing. */
export function onlyOldValues({ ReturnValues }: { ReturnValues?: ReturnValue | undefined }): void {
  if (ReturnValues !== undefined && ReturnValues !== 'ALL_OLD' && ReturnValues !== 'NONE')
    throw validation('ReturnValues can only be ALL_OLD or NONE')
}

const EXPRESSIONS = [
  'ProjectionExpression',
  'FilterExpression',
  'UpdateExpression',
  'ConditionExpression',
  'KeyConditionExpression',
]

/** The parameters from before expressions. To ignore them would drop a user's condition, so they are refused in words. */
export function refuseLegacy<Request extends object>(
  request: Request,
  names: readonly (keyof Request & string)[],
): void {
  const given = names.filter(name => request[name] !== undefined && request[name] !== null)
  if (given.length === 0) return
  const expressions = EXPRESSIONS.filter(name => (request as Record<string, unknown>)[name] !== undefined)
  if (expressions.length > 0)
    throw validation(
      'Can not use both expression and non-expression parameters in the same request: ' +
        `Non-expression parameters: {${given.join(', ')}} Expression parameters: {${expressions.join(', ')}}`,
    )
  throw validation(`This engine does not take the legacy parameter ${given[0]} yet: use expressions`)
}
