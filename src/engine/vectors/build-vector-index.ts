import type { KeyAttributeType } from '../../dynamodb/attribute-value.js'
import type { VectorIndex as Definition } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import type { newIndexLag } from '../indexes/index-lag.js'
import type { KeySchema } from '../keys/key-schema.js'
import type { TableVectorIndex } from './vector-index.js'

interface VectorIndexPlace {
  readonly types: ReadonlyMap<string, KeyAttributeType>
  readonly tableKeys: KeySchema
  readonly tableId: string
  readonly spaceName: string
  readonly lagOf: typeof newIndexLag
  readonly isFilled: boolean
}

/** Creates a vector index from its definition. */
export function buildVectorIndex(engine: Engine, definition: Definition, place: VectorIndexPlace): TableVectorIndex {
  const { IndexName: name, VectorAttribute, Dimensions, DistanceFunction, SearchSchema = [], Projection } = definition
  const { types, tableKeys, tableId, spaceName, lagOf, isFilled } = place
  const parts = SearchSchema.map(({ AttributeName, SearchSchemaElementType: role }) => ({
    role,
    part: { name: AttributeName!, type: types.get(AttributeName!)! },
  }))
  const { ProjectionType, NonKeyAttributes = [] } = Projection
  const keyNames = [...tableKeys.partition, ...tableKeys.sort, ...parts.map(({ part }) => part)].map(key => key.name)
  return {
    name,
    attribute: VectorAttribute.AttributeName!,
    dimensions: Dimensions,
    distance: DistanceFunction,
    partition: parts.find(({ role }) => role === 'HASH')?.part,
    filters: parts.filter(({ role }) => role === 'INLINE_FILTER').map(({ part }) => part),
    projected: ProjectionType === 'ALL' ? undefined : new Set([...keyNames, ...NonKeyAttributes]),
    space: engine.keyValues.space(spaceName),
    lag: lagOf(engine, { tableId, tableKeys, indexName: name }),
    isFilled,
    itemCount: 0,
    sizeBytes: 0,
  }
}
