import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Layout, layout } from '../../../src/layout/layout.js'
import type { RowPage } from '../../../src/plan/read/answer.js'
import type { PathQuery } from '../../../src/plan/read/options.js'
import { planPath } from '../../../src/plan/read/path.js'
import type { Store } from '../../../src/store/port.js'
import { edge, graph, node, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const person = (shards: number) =>
  node(
    'person',
    { id: string(), city: string(), name: string() },
    {
      id: 'id',
      by: {
        city: { in: ['city'], order: ['name'], shards },
        name: { in: ['name'], as: 'item', shards },
      },
    },
  )
const byCity: PathQuery = { type: 'person', path: 'city', start: { city: 'Rome' } }

async function page(store: Store, made: Layout, ask: PathQuery): Promise<RowPage> {
  return (await run(store, made, planPath(made, ask))).value as RowPage
}

/** All rows, page by page. */
async function paged(store: Store, made: Layout, ask: PathQuery): Promise<unknown[]> {
  const rows: unknown[] = []
  let cursor: string | undefined
  do {
    const read: RowPage = await page(store, made, { ...ask, cursor })
    rows.push(...read.items)
    cursor = read.cursor
  } while (cursor !== undefined)
  return rows
}

describe('a sort key that does not end with the id', () => {
  const made = layout(graph('people', [person(3)]), {
    keys: { person: { PK: 'P#{id}', SK: 'P', GSI1PK: 'C#{city}#{shard}', GSI1SK: 'N#{name}' } },
  })
  const names = fc.array(fc.constantFrom('Ann', 'Kim', 'Zoe'), { maxLength: 14 })
  const texts = fc.string({ minLength: 1, maxLength: 2, unit: 'binary' })

  it('pages contain all rows even though many sort keys are equal', async () => {
    await fc.assert(
      fc.asyncProperty(names, fc.func(texts), fc.integer({ min: 1, max: 4 }), fc.boolean(), async (...given) => {
        const [all, idOf, limit, reverse] = given
        const rows = new Map(all.map((name, i) => [idOf(i), { id: idOf(i), city: 'Rome', name }]))
        const store = await storeOf(made, { person: [...rows.values()] })
        const ask = { ...byCity, reverse }
        const { items } = await page(store, made, ask)
        expect(await paged(store, made, { ...ask, limit })).toEqual(items)
        const found = items as { id: string; name: string }[]
        expect(new Set(found.map(({ id }) => id))).toEqual(new Set(rows.keys()))
        expect(found).toHaveLength(rows.size)
        const sorted = found.map(({ name }) => name).sort()
        expect(found.map(({ name }) => name)).toEqual(reverse ? sorted.reverse() : sorted)
      }),
      { numRuns: 60 },
    )
  })
})

describe('many shards', () => {
  const SHARDS = 64
  const rows = Array.from({ length: 640 }, (_, i) => ({ id: `p${i}`, city: 'Rome', name: `n${(i * 7) % 640}` }))
  const made = layout(graph('people', [person(SHARDS)]))

  /** A store that counts how often the sort keys of returned items are read. */
  async function watched(): Promise<{ store: Store; reads: () => number }> {
    const store = await storeOf(made, { person: rows })
    let reads = 0
    const watch = (item: object, sort: unknown) =>
      Object.defineProperty({ ...item }, 'GSI1SK', {
        enumerable: true,
        get: () => {
          reads++
          return sort
        },
      })
    const query: Store['query'] = async request => {
      const answer = await store.query(request)
      return { ...answer, Items: answer.Items!.map(item => watch(item, item.GSI1SK)) }
    }
    return { store: { ...store, query }, reads: () => reads }
  }

  it.each([undefined, 10])(
    'many shards are merged without comparing all of them for each row, with a limit of %s',
    async limit => {
      const { store, reads } = await watched()
      const { items } = await page(store, made, { ...byCity, limit })
      expect(items).toEqual(rows.toSorted((a, b) => (a.name < b.name ? -1 : 1)).slice(0, limit))
      // The number of comparisons of a merge by halves; each row also reads its own key once or twice.
      expect(reads()).toBeLessThan(rows.length * (2 * Math.log2(SHARDS) + 2))
    },
  )
})

describe('an increased number of shards', async () => {
  const [few, many] = [2, 5].map(shards => layout(graph('people', [person(shards)]))) as Layout[] as [Layout, Layout]
  const rows = Array.from({ length: 20 }, (_, i) => ({ id: `p${i}`, city: 'Rome', name: `n${i % 7}` }))
  const store = await storeOf(few, { person: rows.slice(0, 12) })
  const written = await storeOf(many, { person: rows.slice(12) })
  const { Items = [] } = await written.scan({ TableName: 'people' })
  for (const Item of Items) await store.putItem({ TableName: 'people', Item })
  const asks: [string, PathQuery, typeof rows][] = [
    ['an index', byCity, rows],
    ['a facet', { type: 'person', path: 'name', start: { name: 'n3' } }, rows.filter(({ name }) => name === 'n3')],
  ]

  it.each(asks)('rows written under the old number of shards are found by %s', async (_, ask, expected) => {
    const found = await paged(store, many, { ...ask, limit: 2 })
    expect(found).toHaveLength(expected.length)
    expect(found).toEqual(expect.arrayContaining(expected))
  })

  it('cursors of the old number of shards are rejected', async () => {
    const { cursor } = await page(store, few, { ...byCity, limit: 1 })
    expect(() => planPath(many, { ...byCity, cursor })).toThrow(expect.objectContaining({ code: 'cursor.mismatch' }))
  })

  it('edges of a node are found on both sides of the change', async () => {
    const follow = (shards: number) => edge('follow', { from: user, to: user }, {}, { by: { to: { shards } } })
    const user = node('user', { id: string() }, { id: 'id' })
    const [before, after] = [2, 3].map(shards => layout(graph('social', [user, follow(shards)]))) as Layout[] as [
      Layout,
      Layout,
    ]
    const follows = Array.from({ length: 9 }, (_, i) => ({ from: `u${i}`, to: 'x' }))
    const held = await storeOf(before, { follow: follows })
    const ask = { type: 'follow', path: 'to', start: 'x', limit: 4 }
    expect(await paged(held, after, ask)).toEqual(follows)
  })
})
