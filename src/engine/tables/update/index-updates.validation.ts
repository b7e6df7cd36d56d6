import type {
  GlobalSecondaryIndex,
  GlobalSecondaryIndexUpdate,
  UpdateTableInput,
} from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'
import { checkIndexProjection } from '../definition/indexes.validation.js'
import {
  checkGlobalKeySchema,
  checkIndexKeysDefined,
  definedNamesOf,
  schemaNamesOf,
} from '../definition/key-schema.validation.js'
import { hasAnyMember } from '../description/throughput-description.js'

/** Checks updates of indexes without the table: one action for each index. */
export function checkIndexUpdates(request: UpdateTableInput): void {
  const updates = request.GlobalSecondaryIndexUpdates ?? []
  const names = new Set<string>()
  for (const update of updates) {
    const { IndexName } = actionOf(update)
    if (names.has(IndexName))
      throw invalidParameterError(
        `Only one global secondary index update per index is allowed simultaneously. Index: ${IndexName}`,
      )
    names.add(IndexName)
  }
  for (const { Create } of updates) if (Create) checkCreatedIndex(Create, request)
  for (const { Create, Delete } of request.VectorIndexUpdates ?? []) {
    if (!Create && !Delete)
      throw invalidParameterError('One of VectorIndexUpdate.Create, VectorIndexUpdate.Delete must not be null')
    if (Create && Delete)
      throw invalidParameterError('Only one vector index action is allowed per VectorIndexUpdate object')
  }
}

/** Checks that warm throughput of indexes is not empty. The service reports this before conflicting changes. */
export function checkIndexWarmThroughput({ GlobalSecondaryIndexUpdates = [] }: UpdateTableInput): void {
  for (const { Update } of GlobalSecondaryIndexUpdates)
    if (Update?.WarmThroughput && !hasAnyMember(Update.WarmThroughput))
      throw invalidParameterError(
        'WarmThroughput must have at least one of ReadUnitsPerSecond or WriteUnitsPerSecond specified for index: ' +
          Update.IndexName,
      )
}

function actionOf({ Update, Create, Delete }: GlobalSecondaryIndexUpdate): { IndexName: string } {
  const actions = [Update, Create, Delete].filter(action => action !== undefined)
  if (actions.length === 0)
    throw invalidParameterError(
      'One of GlobalSecondaryIndexUpdate.Update, GlobalSecondaryIndexUpdate.Create, ' +
        'GlobalSecondaryIndexUpdate.Delete must not be null',
    )
  if (actions.length > 1)
    throw invalidParameterError(
      'Only one global secondary index action is allowed per GlobalSecondaryIndexUpdate object',
    )
  return actions[0]!
}

/** Checks a new index. The request must define its key attributes, even if the table already does. */
function checkCreatedIndex(index: GlobalSecondaryIndex, { AttributeDefinitions }: UpdateTableInput): void {
  if (!AttributeDefinitions)
    throw invalidParameterError(`AttributeDefinitions is not specified for index: ${index.IndexName}`)
  checkIndexKeysDefined(schemaNamesOf(index.KeySchema), definedNamesOf(AttributeDefinitions))
  checkGlobalKeySchema(index.KeySchema)
  checkIndexProjection(index.Projection)
}
