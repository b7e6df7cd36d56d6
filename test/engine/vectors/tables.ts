import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import type { VectorIndex } from '../../../src/dynamodb/operations/indexes.js'
import type { SearchVectorsRequest } from '../../../src/dynamodb/operations/vectors.js'
import type { Service, Vectors } from '../../../src/store/port.js'
import { defined, request } from '../tables.js'

export const TableName = 'Orders'
export const numbers = (...vector: (number | string)[]): AttributeValue[] => vector.map(each => ({ N: String(each) }))

/** An index of vectors of two dimensions. */
export function nearestBy(IndexName: string, more: Partial<VectorIndex> = {}): VectorIndex {
  return {
    IndexName,
    VectorAttribute: { AttributeName: 'vector' },
    Projection: { ProjectionType: 'ALL' },
    Dimensions: 2,
    DistanceFunction: 'COSINE',
    ...more,
  }
}

export const DIVIDED: Partial<VectorIndex> = {
  SearchSchema: [
    { AttributeName: 'tenant', SearchSchemaElementType: 'HASH' },
    { AttributeName: 'kind', SearchSchemaElementType: 'INLINE_FILTER' },
  ],
}

export const TABLE = request({
  AttributeDefinitions: defined('pk', 'tenant', 'kind'),
  VectorIndexes: [nearestBy('some'), nearestBy('divided', DIVIDED)],
})

export const item = (pk: string, vector: (number | string)[], more: Item = {}): Item => ({
  pk: { S: pk },
  vector: { L: numbers(...vector) },
  ...more,
})

export async function found(store: Service & Vectors, request: Partial<SearchVectorsRequest> = {}): Promise<string[]> {
  const { SearchResults } = await store.searchVectors({
    ...{ TableName, IndexName: 'some', SearchVector: numbers(1, 0), TopK: 100 },
    ...request,
  })
  return SearchResults!.map(({ Item }) => Item!.pk!.S!)
}
