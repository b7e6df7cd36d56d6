import type {
  GlobalSecondaryIndex,
  GlobalSecondaryIndexDescription,
  LocalSecondaryIndex,
  LocalSecondaryIndexDescription,
  Projection,
  VectorIndex,
  VectorIndexDescription,
} from '../../../dynamodb/operation-types.js'
import { describeThroughput } from './throughput-description.js'

export function describeLocalIndex(index: LocalSecondaryIndex): LocalSecondaryIndexDescription {
  return { ...describeAnyIndex(index), KeySchema: index.KeySchema }
}

export function describeGlobalIndex(index: GlobalSecondaryIndex): GlobalSecondaryIndexDescription {
  return {
    ...describeAnyIndex(index),
    KeySchema: index.KeySchema,
    IndexStatus: 'ACTIVE',
    ...describeThroughput(index),
  }
}

export function describeVectorIndex(index: VectorIndex): VectorIndexDescription {
  const { VectorAttribute, SearchSchema, Dimensions, DistanceFunction } = index
  return {
    ...describeAnyIndex(index),
    VectorAttribute,
    ...(SearchSchema ? { SearchSchema } : {}),
    Dimensions,
    DistanceFunction,
    IndexStatus: 'ACTIVE',
  }
}

function describeAnyIndex({ IndexName, Projection }: { IndexName: string; Projection: Projection }) {
  return {
    IndexName,
    Projection: describeProjection(Projection),
    IndexSizeBytes: 0,
    ItemCount: 0,
  }
}

/** The service returns included attributes sorted by name. */
function describeProjection({ ProjectionType, NonKeyAttributes }: Projection): Projection {
  return { ProjectionType, ...(NonKeyAttributes ? { NonKeyAttributes: NonKeyAttributes.toSorted() } : {}) }
}
