import type { VectorIndex } from '../../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import { notFound, validation } from '../../errors.js'
import { definedNames } from '../key-schema.validation.js'
import { checkVectorIndexes } from '../vector-indexes.validation.js'
import { billingOf } from './throughput.validation.js'

export function checkVectorIndexesOfTable(live: TableDescription, request: UpdateTableRequest): void {
  const { LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [], VectorIndexes = [] } = live
  for (const { Create, Delete } of request.VectorIndexUpdates ?? []) {
    if (Delete && !VectorIndexes.some(index => index.IndexName === Delete.IndexName))
      throw notFound(`Requested resource not found: Index ${Delete.IndexName} for table ${live.TableName}`)
    if (!Create) continue
    const others = [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes, ...VectorIndexes]
    if (others.some(index => index.IndexName === Create.IndexName))
      throw validation('Attempting to create an index which already exists')
    const billing = request.BillingMode ?? billingOf(live)
    const defined = definedNames([...(request.AttributeDefinitions ?? []), ...newTo(request, live)])
    // A description says all that a definition does.
    checkVectorIndexes([...(VectorIndexes as VectorIndex[]), Create], defined, billing, new Set())
  }
}

function newTo({ AttributeDefinitions = [] }: UpdateTableRequest, live: TableDescription) {
  const given = new Set(AttributeDefinitions.map(({ AttributeName }) => AttributeName))
  return (live.AttributeDefinitions ?? []).filter(({ AttributeName }) => !given.has(AttributeName))
}
