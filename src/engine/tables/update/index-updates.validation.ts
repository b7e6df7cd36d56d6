import type { GlobalSecondaryIndex } from '../../../dynamodb/operations/indexes.js'
import type { GlobalSecondaryIndexUpdate, UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import { invalidParameter } from '../../errors.js'
import { saysAnything } from '../describe-throughput.js'
import { checkProjection } from '../indexes.validation.js'
import { checkGlobalKeySchema, checkIndexKeysDefined, definedNames, keyNames } from '../key-schema.validation.js'

/** What updates of indexes say by themselves: one thing for each index. */
export function checkIndexUpdates(request: UpdateTableRequest): void {
  const updates = request.GlobalSecondaryIndexUpdates ?? []
  const names = new Set<string>()
  for (const update of updates) {
    const { IndexName } = actionOf(update)
    if (names.has(IndexName))
      throw invalidParameter(
        `Only one global secondary index update per index is allowed simultaneously. Index: ${IndexName}`,
      )
    names.add(IndexName)
  }
  for (const { Create } of updates) if (Create) checkCreated(Create, request)
  for (const { Create, Delete } of request.VectorIndexUpdates ?? []) {
    if (!Create && !Delete)
      throw invalidParameter('One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null')
    if (Create && Delete) throw invalidParameter('Only one vector index action is allowed per VectorIndexUpdate object')
  }
}

/** What an index is to be warm for says something, which is looked at before what goes together. */
export function checkWarmIndexes({ GlobalSecondaryIndexUpdates = [] }: UpdateTableRequest): void {
  for (const { Update } of GlobalSecondaryIndexUpdates)
    if (Update?.WarmThroughput && !saysAnything(Update.WarmThroughput))
      throw invalidParameter(
        'WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: ' +
          Update.IndexName,
      )
}

function actionOf({ Update, Create, Delete }: GlobalSecondaryIndexUpdate): { IndexName: string } {
  const given = [Update, Create, Delete].filter(action => action !== undefined)
  if (given.length === 0)
    throw invalidParameter(
      'One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, ' +
        'GlobalSecondaryIndexUpdate.Delete must not be null',
    )
  if (given.length > 1)
    throw invalidParameter('Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object')
  return given[0]!
}

/** The request defines the keys of a new index, also those that the table knows. */
function checkCreated(index: GlobalSecondaryIndex, { AttributeDefinitions }: UpdateTableRequest): void {
  if (!AttributeDefinitions)
    throw invalidParameter(`AttributeDefinitions is not specified for index: ${index.IndexName}`)
  checkIndexKeysDefined(keyNames(index.KeySchema), definedNames(AttributeDefinitions))
  checkGlobalKeySchema(index.KeySchema)
  checkProjection(index.Projection)
}
