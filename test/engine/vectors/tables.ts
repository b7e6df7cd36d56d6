import {
  vectorIndexDefinition as nearest,
  TENANT_SEARCH_SCHEMA,
} from '../../../src/contract/cases/vectors/vector-table.js'
import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import type { SearchVectorsInput, VectorIndex } from '../../../src/dynamodb/operation-types.js'
import type { Service, Vectors } from '../../../src/store/port.js'
import { defined, request } from '../tables.js'

export const TableName = 'Orders'
export const numbers = (...vector: (number | string)[]): AttributeValue[] => vector.map(each => ({ N: String(each) }))

/** Returns a vector index with two dimensions. */
export const nearestBy = (name: string, more: Partial<VectorIndex> = {}) => nearest(name, { Dimensions: 2, ...more })

export const TABLE = request({
  AttributeDefinitions: defined('pk', 'tenant', 'kind'),
  VectorIndexes: [nearestBy('some'), nearestBy('divided', TENANT_SEARCH_SCHEMA)],
})

export const item = (pk: string, vector: (number | string)[], more: Item = {}): Item => ({
  pk: { S: pk },
  vector: { L: numbers(...vector) },
  ...more,
})

export async function found(store: Service & Vectors, request: Partial<SearchVectorsInput> = {}): Promise<string[]> {
  const { SearchResults } = await store.searchVectors({
    ...{ TableName, IndexName: 'some', SearchVector: numbers(1, 0), TopK: 100 },
    ...request,
  })
  return SearchResults!.map(({ Item }) => Item!.pk!.S!)
}
