import { EXPRESSION_BYTES } from '../../dynamodb/limits.js'
import { utf8Bytes } from '../../dynamodb/size.js'
import { validation } from '../errors.js'
import type { Layer } from '../values/layer.js'

export type ExpressionKind =
  | 'UpdateExpression'
  | 'ConditionExpression'
  | 'KeyConditionExpression'
  | 'FilterExpression'
  | 'ProjectionExpression'
  | 'SearchConditionExpression'

/** Where an expression stands: in a request's member, or in a statement of PartiQL. */
export type Setting = ExpressionKind | 'Statement'

/** What DynamoDB says of an expression that it cannot take. */
export const fault = (setting: Setting, detail: string) =>
  validation(setting === 'Statement' ? detail : `Invalid ${setting}: ${detail}`)

export const tooManyOperators = (kind: Setting, count: number) =>
  fault(kind, `The expression contains too many operators; operator count: ${count}`)

const isCondition = (kind: ExpressionKind) => kind !== 'UpdateExpression' && kind !== 'ProjectionExpression'

/** The older validator says of a condition how large it is. */
export function checkSize(kind: ExpressionKind, text: string, layer: Layer): void {
  // No character takes more than three bytes for each unit of length, so short texts need no counting.
  if (text.length * 3 <= EXPRESSION_BYTES) return
  const sizeBytes = utf8Bytes(text)
  if (sizeBytes <= EXPRESSION_BYTES) return
  const told = layer === 'older' && isCondition(kind) ? ` expression size: ${sizeBytes}` : ''
  throw fault(kind, `Expression size has exceeded the maximum allowed size;${told}`)
}
