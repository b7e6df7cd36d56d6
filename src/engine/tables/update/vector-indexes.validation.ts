import { VECTOR_INDEXES } from '../../../dynamodb/limits.js'
import type { TableDescription, UpdateTableInput, VectorIndex } from '../../../dynamodb/operation-types.js'
import { limitExceededError, notFoundError, validationError } from '../../errors.js'
import { definedNamesOf } from '../definition/key-schema.validation.js'
import {
  checkVectorDimensions,
  checkVectorIndex,
  checkVectorsAreNotKeys,
  vectorsRequireOnDemandError,
} from '../definition/vector-indexes.validation.js'
import { checkVectorRedefinition } from './redefinition.validation.js'
import { billingOf } from './throughput.validation.js'

/** Checks updates of vector indexes against the table. */
export function checkVectorIndexesOfTable(live: TableDescription, request: UpdateTableInput): void {
  for (const { Create, Delete } of request.VectorIndexUpdates ?? []) {
    if (Delete && !live.VectorIndexes?.some(index => index.IndexName === Delete.IndexName))
      throw notFoundError(`Requested resource not found: Index ${Delete.IndexName} for table ${live.TableName}`)
    if (Create) checkNewVectorIndex(live, Create, request)
  }
}

/** Checks a new vector index. The request must define its search attributes, even if the table already does. */
function checkNewVectorIndex(live: TableDescription, index: VectorIndex, request: UpdateTableInput): void {
  const { LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [], VectorIndexes = [] } = live
  const others = [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes, ...VectorIndexes]
  if (others.some(other => other.IndexName === index.IndexName))
    throw validationError('Attempting to create an index which already exists')
  if ((request.BillingMode ?? billingOf(live)) !== 'PAY_PER_REQUEST') throw vectorsRequireOnDemandError()
  const definitions = request.AttributeDefinitions ?? []
  const defined = definedNamesOf(definitions)
  checkVectorIndex(index, defined)
  // A description has all members of a definition.
  const known = VectorIndexes as VectorIndex[]
  checkVectorDimensions([...known, index])
  checkVectorsAreNotKeys([index], defined)
  checkVectorRedefinition(live, index, definitions)
  checkVectorsAreNotKeys(known, defined)
  if (VectorIndexes.length >= VECTOR_INDEXES)
    throw limitExceededError(
      `Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of ${VECTOR_INDEXES}`,
    )
}
