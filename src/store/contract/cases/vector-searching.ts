import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type { VectorIndex } from '../../../dynamodb/operations/indexes.js'
import type { SearchVectorsAnswer, SearchVectorsRequest } from '../../../dynamodb/operations/vectors.js'
import type { Bench } from '../bench.js'
import { same } from '../expect.js'
import { hash, texts } from './table-definitions.js'

export const numbers = (...vector: number[]): AttributeValue[] => vector.map(each => ({ N: String(each) }))
export const vector = (...elements: number[]): AttributeValue => ({ L: numbers(...elements) })

/** An index of vectors of three dimensions, which items have in the attribute `vector`. */
export function nearestBy(IndexName: string, change: Partial<VectorIndex> = {}): VectorIndex {
  return {
    IndexName,
    VectorAttribute: { AttributeName: 'vector' },
    Projection: { ProjectionType: 'ALL' },
    Dimensions: 3,
    DistanceFunction: 'COSINE',
    ...change,
  }
}

/** Divided by `tenant`, and filtered by `kind`. */
export const DIVIDED: Partial<VectorIndex> = {
  SearchSchema: [
    { AttributeName: 'tenant', SearchSchemaElementType: 'HASH' },
    { AttributeName: 'kind', SearchSchemaElementType: 'INLINE_FILTER' },
  ],
}

/** A table for one case with such indexes, and items; `a` is its key. */
export async function searched(bench: Bench, indexes: VectorIndex[], ...items: Item[]): Promise<string> {
  const names = indexes.flatMap(({ SearchSchema = [] }) => SearchSchema.map(({ AttributeName }) => AttributeName!))
  const TableName = await bench.ownTable({
    AttributeDefinitions: texts('a', ...new Set(names)),
    KeySchema: [hash('a')],
    BillingMode: 'PAY_PER_REQUEST',
    ...(indexes.length > 0 && { VectorIndexes: indexes }),
  })
  await bench.put(TableName, ...items)
  return TableName
}

export const item = (a: string, elements: number[], more: Item = {}): Item => ({
  a: { S: a },
  vector: vector(...elements),
  ...more,
})

type Search = Partial<SearchVectorsRequest> & Pick<SearchVectorsRequest, 'TableName' | 'IndexName'>

/** A search for the first axis, unless another vector is given. */
export function search(bench: Bench, request: Search): Promise<SearchVectorsAnswer> {
  return bench.service.searchVectors({ SearchVector: numbers(1, 0, 0), TopK: 10, ...request })
}

/** The keys of what is found, the nearest first. An index shows late what was written. */
export async function finds(bench: Bench, request: Search, ...keys: string[]): Promise<void> {
  await bench.eventually(async () => {
    const { SearchResults } = await search(bench, request)
    same(
      SearchResults!.map(({ Item }) => Item!.a!.S),
      keys,
    )
  })
}
