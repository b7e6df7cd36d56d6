import type { Key } from '../../dynamodb/attribute-value.js'
import { TRANSACT_BYTES } from '../../dynamodb/limits.js'
import type { TransactGetItemsRequest } from '../../dynamodb/operations/transactions.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import type { Projection } from '../expressions/projection.js'
import { takeKey } from '../values/intake.js'

export interface ReadTransactGet {
  readonly tableName: string
  readonly key: Key
  readonly projection: Projection | undefined
}

export function readTransactGetItems(engine: Engine, { TransactItems }: TransactGetItemsRequest): ReadTransactGet[] {
  return TransactItems.map(({ Get }) => {
    const key = takeKey(Get.Key, 'older')
    const projection = engine.expressions.readPartProjection(Get)
    return { tableName: Get.TableName, key, projection }
  })
}

export function checkReadBytes(sizesBytes: readonly number[]): void {
  const sizeBytes = sizesBytes.reduce((sum, bytes) => sum + bytes, 0)
  if (sizeBytes > TRANSACT_BYTES) throw validation(`Payload in response is too large.${sizeBytes}`)
}
