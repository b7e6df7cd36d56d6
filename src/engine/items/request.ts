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

/** The parameters from before expressions do not go together with expressions. */
export function refuseMixed<Request extends object>(request: Request, names: Names<Request>): void {
  const given = givenAmong(request, names)
  if (given.length === 0) return
  const expressions = EXPRESSIONS.filter(name => (request as Record<string, unknown>)[name] !== undefined)
  if (expressions.length > 0)
    throw validation(
      'Can not use both expression and non-expression parameters in the same request: ' +
        `Non-expression parameters: {${given.join(', ')}} Expression parameters: {${expressions.join(', ')}}`,
    )
}

/** To ignore the parameters from before expressions would drop a user's condition, so they are refused in words. */
export function refuseLegacy<Request extends object>(request: Request, names: Names<Request>): void {
  const given = givenAmong(request, names)
  if (given.length > 0)
    throw validation(`This engine does not take the legacy parameter ${given[0]} yet: use expressions`)
}

type Names<Request extends object> = readonly (keyof Request & string)[]

function givenAmong<Request extends object>(request: Request, names: Names<Request>): string[] {
  return names.filter(name => request[name] !== undefined && request[name] !== null)
}
