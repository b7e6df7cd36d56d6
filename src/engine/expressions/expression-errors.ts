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

/** Where an expression occurs: in a member of a request or in a PartiQL statement. */
export type ExpressionContext = ExpressionKind | 'Statement'

/** Creates the error of DynamoDB for an invalid expression. */
export const expressionError = (context: ExpressionContext, detail: string) =>
  validationError(context === 'Statement' ? detail : `Invalid ${context}: ${detail}`)

export const tooManyOperatorsError = (kind: ExpressionContext, count: number) =>
  expressionError(kind, `The expression contains too many operators; operator count: ${count}`)

const isCondition = (kind: ExpressionKind) => kind !== 'UpdateExpression' && kind !== 'ProjectionExpression'

/** Only the older validator reports the size of a condition. */
export function checkExpressionSize(kind: ExpressionKind, text: string, layer: ValidatorLayer): void {
  // A UTF-16 unit takes at most three bytes of UTF-8, so short texts need no counting.
  if (text.length * 3 <= EXPRESSION_BYTES) return
  const sizeBytes = countUtf8Bytes(text)
  if (sizeBytes <= EXPRESSION_BYTES) return
  const sizeText = layer === 'older' && isCondition(kind) ? ` expression size: ${sizeBytes}` : ''
  throw expressionError(kind, `Expression size has exceeded the maximum allowed size;${sizeText}`)
}
