import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type { SearchVectorsInput, SearchVectorsOutput, VectorIndex } from '../../../dynamodb/operation-types.js'
import { expectEqual } from '../../assertions.js'
import { hashKey, textAttributes } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

export const numberValues = (...vector: number[]): AttributeValue[] => vector.map(each => ({ N: String(each) }))
export const vectorValue = (...elements: number[]): AttributeValue => ({ L: numberValues(...elements) })

/** An index of three-dimensional vectors in the attribute `vector`. */
export function vectorIndexDefinition(IndexName: string, change: Partial<VectorIndex> = {}): VectorIndex {
  return {
    IndexName,
    VectorAttribute: { AttributeName: 'vector' },
    Projection: { ProjectionType: 'ALL' },
    Dimensions: 3,
    DistanceFunction: 'COSINE',
    ...change,
  }
}

/** Partitioned by `tenant`, and filtered by `kind`. */
export const TENANT_SEARCH_SCHEMA: Partial<VectorIndex> = {
  SearchSchema: [
    { AttributeName: 'tenant', SearchSchemaElementType: 'HASH' },
    { AttributeName: 'kind', SearchSchemaElementType: 'INLINE_FILTER' },
  ],
}

/** A table with these indexes and items for one case; `a` is its key. */
export async function createVectorTable(bench: TestBench, indexes: VectorIndex[], ...items: Item[]): Promise<string> {
  const names = indexes.flatMap(({ SearchSchema = [] }) => SearchSchema.map(({ AttributeName }) => AttributeName!))
  const TableName = await bench.createOwnTable({
    AttributeDefinitions: textAttributes('a', ...new Set(names)),
    KeySchema: [hashKey('a')],
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length > 0 && { VectorIndexes: indexes }),
  })
  await bench.put(TableName, ...items)
  return TableName
}

export const vectorItem = (a: string, elements: number[], more: Item = {}): Item => ({
  a: { S: a },
  vector: vectorValue(...elements),
  ...more,
})

type SearchRequest = Partial<SearchVectorsInput> & Pick<SearchVectorsInput, 'TableName' | 'IndexName'>

/** Searches along the first axis by default. */
export function searchNearest(bench: TestBench, request: SearchRequest): Promise<SearchVectorsOutput> {
  return bench.service.searchVectors({ SearchVector: numberValues(1, 0, 0), TopK: 10, ...request })
}

/** Waits until a search finds these keys, nearest first. An index shows writes with a delay. */
export async function expectFound(bench: TestBench, request: SearchRequest, ...keys: string[]): Promise<void> {
  await bench.eventually(async () => {
    const { SearchResults } = await searchNearest(bench, request)
    expectEqual(
      SearchResults!.map(({ Item }) => Item!.a!.S),
      keys,
    )
  })
}
