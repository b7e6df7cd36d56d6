import { EXPRESSION_BYTES } from '../../dynamodb/limits.js'
import { countUtf8Bytes } from '../../dynamodb/size.js'
import { validationError } from '../errors.js'
import type { ValidatorLayer } from '../values/validator-layer.js'

export type ExpressionKind =
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'KeyConditionExpression'
  | 'FilterExpression'
  | 'ProjectionExpression'
  | 'SearchConditionExpression'

/** Where an expression stands: in a request's member, or in a statement of PartiQL. */
export type ExpressionContext = ExpressionKind | 'Statement'

/** What DynamoDB says of an expression that it cannot take. */
export const expressionError = (context: ExpressionContext, detail: string) =>
  validationError(context === 'Statement' ? detail : `Invalid ${context}: ${detail}`)

export const tooManyOperatorsError = (kind: ExpressionContext, count: number) =>
  expressionError(kind, `The expression contains too many operators; operator count: ${count}`)

const isCondition = (kind: ExpressionKind) => kind !== 'UpdateExpression' && kind !== 'ProjectionExpression'

/** The older validator says of a condition how large it is. */
export function checkExpressionSize(kind: ExpressionKind, text: string, layer: ValidatorLayer): void {
  // No character takes more than three bytes for each unit of length, so short texts need no counting.
  if (text.length * 3 <= EXPRESSION_BYTES) return
  const sizeBytes = countUtf8Bytes(text)
  if (sizeBytes <= EXPRESSION_BYTES) return
  const sizeText = layer === 'older' && isCondition(kind) ? ` expression size: ${sizeBytes}` : ''
  throw expressionError(kind, `Expression size has exceeded the maximum allowed size;${sizeText}`)
}
