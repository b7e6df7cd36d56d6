import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { QueryInput } from '../../../src/dynamodb/operation-types.js'
import { newEngineStore } from '../../../src/engine/store.js'
import { defined, emptyEngine, index, key, request } from '../tables.js'

const TEXTS = ['a', 'ab', 'b', 'b\0', '\ufffd', 'c', '']
const [BY_TEXT, BY_NUMBER] = [request(), request()].map((made, i) => ({
  ...made,
  AttributeDefinitions: [
    ...defined('pk', 'other'),
    { AttributeName: 'sk', AttributeType: i === 0 ? 'S' : 'N' } as const,
  ],
  KeySchema: key('pk', 'sk'),
  GlobalSecondaryIndexes: [index('byOther', key('other', 'sk'))],
}))

/** Creates a store that caches this many forms and counts queries with a cached form. */
function storeWith(cachedExpressions: number) {
  const engine = emptyEngine({ cachedExpressions })
  const found = { known: 0 }
  const { queryForms } = engine
  const of = queryForms.find.bind(queryForms)
  queryForms.find = query => {
    const form = of(query)
    if (form) found.known++
    return form
  }
  return { store: newEngineStore(engine), found }
}

type Held = ReturnType<typeof storeWith>['store']

async function fill(store: Held, table: typeof BY_TEXT): Promise<void> {
  await store.createTable(table!)
  for (const pk of TEXTS.slice(0, 3))
    for (const [i, sk] of TEXTS.slice(0, 5).entries()) {
      const Item = { pk: { S: pk }, sk: table === BY_TEXT ? { S: sk } : { N: `${i}` }, other: { S: TEXTS[i % 2]! } }
      await store.putItem({ TableName: 'Orders', Item })
    }
}

const outcome = (done: Promise<unknown>) => done.catch(({ name, message }: Error) => ({ name, message }))

const value = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...TEXTS).map((S): unknown => ({ S })) },
  {
    weight: 2,
    arbitrary: fc.constantFrom<unknown>(
      { N: '1' },
      { N: 'x' },
      { S: 'a', N: '1' },
      { B: new Uint8Array([97]) },
      {},
      { S: 'x'.repeat(1025) },
      { S: '\ud800' },
      { S: null },
    ),
  },
)

const usually = <T>(usual: T, ...others: T[]) =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const query: fc.Arbitrary<QueryInput> = fc
  .record({
    text: fc.constantFrom(
      '#p = :p',
      'pk = :p',
      '#p = :p AND #s = :s',
      ':p = #p AND begins_with(#s, :s)',
      '#p = :p AND #s >= :s',
      '#p = :p AND :s > sk',
      '#p = :p AND #s = :p',
      '#p = :p AND #s BETWEEN :s AND :t',
      '#p < :p',
    ),
    p: value,
    s: value,
    t: value,
    names: usually<Record<string, string> | undefined>({}, { '#x': 'x' }, undefined, { '#s': 'pk' }),
    values: usually('mentioned', 'more', 'renamed', 'none'),
    index: fc.constantFrom(undefined, 'byOther'),
    more: usually<Partial<QueryInput>>(
      {},
      { Limit: 2 },
      { ScanIndexForward: false },
      { ConsistentRead: true },
      { ReturnConsumedCapacity: 'INDEXES' },
      { FilterExpression: 'attribute_exists(other)' },
      { ProjectionExpression: 'other' },
      { Select: 'COUNT' },
      { ExclusiveStartKey: { pk: { S: 'a' }, sk: { S: 'a' } } },
      { TableName: 'Nowhere' },
      { IndexName: 'none' },
      { Limit: 0 },
    ),
  })
  .map(({ text, p, s, t, names, values, index: name, more }) => {
    const mentioned = (sigil: string, all: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(all).filter(([placeholder]) => text.includes(`${sigil}${placeholder.slice(1)}`)),
      )
    return {
      TableName: 'Orders',
      KeyConditionExpression: text,
      ...(name && { IndexName: name }),
      ...(names && {
        ExpressionAttributeNames: { ...mentioned('#', { '#p': name ? 'other' : 'pk', '#s': 'sk' }), ...names },
      }),
      ...(values !== 'none' && {
        ExpressionAttributeValues: {
          ...mentioned(':', { ':p': p, [values === 'renamed' ? ':y' : ':s']: s, ':t': t }),
          ...(values !== 'mentioned' && { ':x': s }),
        },
      }),
      ...more,
    } as QueryInput
  })

const step = fc.oneof(
  { weight: 60, arbitrary: query },
  { weight: 1, arbitrary: fc.constantFrom('again by text', 'again by number', 'without the index') },
)

describe('cached query forms', () => {
  it('queries with a cached form have the same results and errors as without', async () => {
    let queries = 0
    let known = 0
    const run = async (steps: readonly (QueryInput | string)[]) => {
      const [fresh, few, many] = [storeWith(0), storeWith(2), storeWith(100)]
      const stores = [fresh, few, many]
      for (const { store } of stores) await fill(store, BY_TEXT)
      for (const each of steps) {
        const outcomes = await Promise.all(stores.map(({ store }) => outcome(done(store, each))))
        expect(outcomes[1]).toEqual(outcomes[0])
        expect(outcomes[2]).toEqual(outcomes[0])
      }
      expect(fresh.found.known).toBe(0)
      queries += steps.length
      known += many.found.known
    }
    await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 100, maxLength: 150 }), run), { numRuns: 100 })
    expect(known / queries).toBeGreaterThan(0.1)
  })
})

async function done(store: Held, each: QueryInput | string): Promise<unknown> {
  if (typeof each !== 'string') return store.query(each)
  if (each === 'without the index') {
    const GlobalSecondaryIndexUpdates = [{ Delete: { IndexName: 'byOther' } }]
    return void (await store.updateTable({ TableName: 'Orders', GlobalSecondaryIndexUpdates }))
  }
  await store.deleteTable({ TableName: 'Orders' })
  return fill(store, each === 'again by text' ? BY_TEXT : BY_NUMBER)
}
