import type {
  GlobalSecondaryIndex,
  GlobalSecondaryIndexDescription,
  LocalSecondaryIndex,
  LocalSecondaryIndexDescription,
  Projection,
  VectorIndex,
  VectorIndexDescription,
} from '../../dynamodb/operations/indexes.js'
import { describeThroughput } from './describe-throughput.js'

export function describeLocalIndex(index: LocalSecondaryIndex, tableArn: string): LocalSecondaryIndexDescription {
  return { ...describeAnyIndex(index, tableArn), KeySchema: index.KeySchema }
}

export function describeGlobalIndex(index: GlobalSecondaryIndex, tableArn: string): GlobalSecondaryIndexDescription {
  return {
    ...describeAnyIndex(index, tableArn),
    KeySchema: index.KeySchema,
    IndexStatus: 'ACTIVE',
    ...describeThroughput(index),
  }
}

export function describeVectorIndex(index: VectorIndex, tableArn: string): VectorIndexDescription {
  const { VectorAttribute, SearchSchema, Dimensions, DistanceFunction } = index
  return {
    ...describeAnyIndex(index, tableArn),
    VectorAttribute,
    ...(SearchSchema ? { SearchSchema } : {}),
    Dimensions,
    DistanceFunction,
    IndexStatus: 'ACTIVE',
  }
}

function describeAnyIndex({ IndexName, Projection }: { IndexName: string; Projection: Projection }, tableArn: string) {
  return {
    IndexName,
    Projection: describeProjection(Projection),
    IndexSizeBytes: 0,
    ItemCount: 0,
    IndexArn: `${tableArn}/index/${IndexName}`,
  }
}

/** The service answers the included attributes by name, however they were given. */
function describeProjection({ ProjectionType, NonKeyAttributes }: Projection): Projection {
  return { ProjectionType, ...(NonKeyAttributes ? { NonKeyAttributes: NonKeyAttributes.toSorted() } : {}) }
}
