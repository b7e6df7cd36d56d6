import type { Key } from '../../../dynamodb/attribute-value.js'
import { TRANSACT_BYTES } from '../../../dynamodb/limits.js'
import type { TransactGetItemsInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import type { ProjectionExpression } from '../../expressions/projection.js'
import { parseInputKey } from '../../values/parse-item.js'

export interface TransactGetRead {
  readonly tableName: string
  readonly key: Key
  readonly projection: ProjectionExpression | undefined
}

export function readTransactGetItems(engine: Engine, { TransactItems }: TransactGetItemsInput): TransactGetRead[] {
  return TransactItems.map(({ Get }) => {
    const key = parseInputKey(Get.Key, 'older')
    const projection = engine.expressions.readTransactionProjection(Get)
    return { tableName: Get.TableName, key, projection }
  })
}

export function checkTransactionReadSize(sizesBytes: readonly number[]): void {
  const sizeBytes = sizesBytes.reduce((sum, bytes) => sum + bytes, 0)
  if (sizeBytes > TRANSACT_BYTES) throw validationError(`Payload in response is too large.${sizeBytes}`)
}
