import { validation } from '../errors.js'

export type ExpressionKind =
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'KeyConditionExpression'
  | 'FilterExpression'
  | 'ProjectionExpression'

/** What DynamoDB says of an expression that it cannot take. */
export const fault = (kind: ExpressionKind, detail: string) => validation(`Invalid ${kind}: ${detail}`)

export const tooManyOperators = (kind: ExpressionKind, count: number) =>
  fault(kind, `The expression contains too many operators; operator count: ${count}`)
