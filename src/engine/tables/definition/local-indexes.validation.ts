import { LOCAL_INDEXES } from '../../../dynamodb/limits.js'
import type { KeySchemaElement, LocalSecondaryIndex } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'
import { checkIndexNames, checkIndexProjection } from './indexes.validation.js'
import { checkKeySchema } from './key-schema.validation.js'

export function checkLocalIndexes(
  indexes: readonly LocalSecondaryIndex[],
  tableSchema: readonly KeySchemaElement[],
  names: Set<string>,
): void {
  for (const index of indexes) checkLocalIndex(index, tableSchema[0]?.AttributeName)
  checkIndexNames(indexes, names)
  if (indexes.length > LOCAL_INDEXES) {
    throw invalidParameterError(`Number of LocalSecondaryIndexes exceeds per-table limit of ${LOCAL_INDEXES}`)
  }
}

function checkLocalIndex(
  { IndexName, KeySchema, Projection }: LocalSecondaryIndex,
  tableHash: string | undefined,
): void {
  checkKeySchema(KeySchema)
  if (KeySchema.length < 2)
    throw invalidParameterError(`Index KeySchema does not have a range key for index: ${IndexName}`)
  const hash = KeySchema[0]?.AttributeName
  if (hash !== tableHash) {
    throw invalidParameterError(
      `Index KeySchema does not have the same leading hash key as table KeySchema for index: ${IndexName}. ` +
        `index hash key: ${hash}, table hash key: ${tableHash}`,
    )
  }
  checkIndexProjection(Projection)
}
