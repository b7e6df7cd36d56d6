import fc from 'fast-check'
import { expect, test } from 'vitest'
import { TENANT_SEARCH_SCHEMA } from '../../../src/contract/cases/vectors/vector-table.js'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { disk, memory } from '../../../src/engine/index.js'
import type { Service, Vectors } from '../../../src/store/port.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { defined, request } from '../tables.js'
import { item, nearestBy, numbers, TableName } from './tables.js'

const INDEXES = (['COSINE', 'EUCLIDEAN', 'DOT_PRODUCT'] as const).flatMap(DistanceFunction => [
  nearestBy(`${DistanceFunction}-whole`, { DistanceFunction }),
  ...(DistanceFunction === 'COSINE'
    ? []
    : [nearestBy(`${DistanceFunction}-divided`, { DistanceFunction, ...TENANT_SEARCH_SCHEMA })]),
])

const anyNumber = fc.integer({ min: -4, max: 4 })
const anyVector = fc.tuple(anyNumber, anyNumber)
const anyText = fc.constantFrom('x', 'y')
const anyMore = fc.record({ tenant: anyText, kind: anyText }, { requiredKeys: [] })
const anyPk = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f')

type Write = (store: Service & Vectors) => Promise<unknown>

const anyWrite: fc.Arbitrary<Write> = fc.oneof(
  fc.tuple(anyPk, anyVector, anyMore).map(([pk, vector, more]): Write => {
    const Item = item(pk, vector, texts(more))
    return store => store.putItem({ TableName, Item })
  }),
  anyPk.map(
    (pk): Write =>
      store =>
        store.deleteItem({ TableName, Key: { pk: { S: pk } } }),
  ),
  fc.tuple(anyPk, fc.constantFrom('tenant', 'kind', 'vector')).map(
    ([pk, name]): Write =>
      store =>
        store.updateItem({ TableName, Key: { pk: { S: pk } }, UpdateExpression: `REMOVE ${name}` }),
  ),
  fc.tuple(anyPk, anyVector).map(([pk, vector]): Write => {
    const ExpressionAttributeValues = { ':v': { L: numbers(...vector) } }
    const update = { UpdateExpression: 'SET vector = :v', ExpressionAttributeValues }
    return store => store.updateItem({ TableName, Key: { pk: { S: pk } }, ...update })
  }),
)

function texts(values: Record<string, string | undefined>): Item {
  return Object.fromEntries(Object.entries(values).map(([name, text]) => [name, { S: text! }]))
}

type Pair = readonly [number, number]

const dot = ([a, b]: Pair, [c, d]: Pair) => a * c + b * d

/** Computes a score differently from the engine, so that less is nearer. */
function distanceOf(index: string, a: Pair, b: Pair): number {
  if (index.startsWith('DOT')) return -dot(a, b)
  if (index.startsWith('EUCLIDEAN')) return Math.hypot(a[0] - b[0], a[1] - b[1])
  const norms = Math.hypot(...a) * Math.hypot(...b)
  return norms === 0 ? 1 : 1 - dot(a, b) / norms
}

/** Returns the distances of the expected results, the nearest first. */
function expected(items: readonly Item[], index: string, searched: Pair, most: number): number[] {
  const divided = index.endsWith('divided')
  return items
    .filter(({ vector, tenant, kind }) => vector && (!divided || (tenant?.S === 'x' && kind?.S === 'y')))
    .map(({ vector }) => distanceOf(index, vector!.L!.map(({ N }) => Number(N)) as unknown as Pair, searched))
    .sort((a, b) => a - b)
    .slice(0, most)
}

const FILTER = {
  SearchConditionExpression: 'tenant = :x AND kind = :y',
  ExpressionAttributeValues: { ':x': { S: 'x' }, ':y': { S: 'y' } },
}

async function check(store: Service & Vectors, searched: Pair, most: number): Promise<void> {
  const { Items } = await store.scan({ TableName })
  for (const { IndexName } of INDEXES) {
    const condition = IndexName.endsWith('divided') ? FILTER : {}
    const search = { TableName, IndexName, SearchVector: numbers(...searched), TopK: most, ...condition }
    const { SearchResults } = await store.searchVectors(search)
    const far = expected(Items!, IndexName, searched, most)
    expect(SearchResults).toHaveLength(far.length)
    const sign = IndexName.startsWith('DOT') ? -1 : 1
    for (const [i, { Score }] of SearchResults!.entries()) expect(sign * Score!).toBeCloseTo(far[i]!, 5)
  }
  const { VectorIndexes } = (await store.describeTable({ TableName })).Table!
  const whole = VectorIndexes!.filter(({ IndexName }) => IndexName!.endsWith('whole'))
  for (const { ItemCount } of whole) expect(ItemCount).toBe(Items!.filter(({ vector }) => vector).length)
}

const TABLE = request({ AttributeDefinitions: defined('pk', 'tenant', 'kind'), VectorIndexes: INDEXES })

test('after any writes a search finds the nearest items, in memory and in a reopened folder', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyWrite, { maxLength: 20 }),
      anyVector,
      fc.integer({ min: 1, max: 7 }),
      async (writes, searched, most) => {
        const path = temporaryFolder()
        const onDisk = disk(path, { sync: false })
        const inMemory = memory()
        for (const store of [onDisk, inMemory]) {
          await store.createTable(TABLE)
          for (const write of writes) await write(store)
        }
        await onDisk.close()
        const opened = disk(path, { sync: false })
        await check(inMemory, searched, most)
        await check(opened, searched, most)
        await opened.close()
      },
    ),
    { numRuns: 40 },
  )
}, 60_000)
