import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compareUtf8 } from '../../../src/layout/keys/compare-utf8.js'
import { layout } from '../../../src/layout/layout.js'
import type { RowPage } from '../../../src/plan/read/answer.js'
import type { PathQuery } from '../../../src/plan/read/options.js'
import { planPath } from '../../../src/plan/read/path.js'
import { date, edge, graph, node, string } from '../../layout/declarations.js'
import { run, storeOf } from './run-read.js'

const user = node('user', { id: string(), name: string() }, { id: 'id' })
const edges = {
  adjacent: edge('follow', { from: user, to: user }, {}),
  sharded: edge('follow', { from: user, to: user }, {}, { by: { from: { shards: 3 } } }),
  local: edge(
    'follow',
    { from: user, to: user },
    { since: date() },
    { by: { from: { order: ['since'], as: 'local' } } },
  ),
  index: edge(
    'follow',
    { from: user, to: user },
    { since: date() },
    { by: { from: { order: ['since'], as: 'index' } } },
  ),
  native: edge(
    'follow',
    { from: user, to: user },
    { since: date() },
    { by: { from: { order: ['since'], as: 'native' } } },
  ),
  inverted: edge('follow', { from: user, to: user }, {}, { by: { from: { as: 'inverted' } } }),
  friends: edge('follow', { from: user, to: user }, {}, { undirected: true, by: { from: { as: 'index', shards: 2 } } }),
}
const layouts = Object.entries(edges).map(([name, follow]) => [name, layout(graph('social', [user, follow]))] as const)
const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4, unit: 'binary' }), { maxLength: 12 })

const some = fc.subarray(['from', 'to'])
const picked = (row: object, only: readonly string[]) =>
  Object.fromEntries(Object.entries(row).filter(([name]) => only.includes(name)))

describe.each(layouts)('pages of a path with %s', (name, made) => {
  it('pages contain all rows in UTF-8 order for every page size and direction, also with a subset of the members', async () => {
    await fc.assert(
      fc.asyncProperty(names, fc.integer({ min: 1, max: 5 }), fc.boolean(), some, async (ids, limit, reverse, only) => {
        const turn = (to: string, i: number) => name === 'friends' && to !== 'x' && i % 2 === 1
        const follow = ids.map((to, i) => ({
          ...(turn(to, i) ? { from: to, to: 'x' } : { from: 'x', to }),
          ...(['local', 'index', 'native'].includes(name) ? { since: new Date(i % 3) } : {}),
        }))
        const store = await storeOf(made, { follow })
        const ask: PathQuery = { type: 'follow', path: 'from', start: 'x', reverse }
        const read = async (more: Partial<PathQuery>) =>
          (await run(store, made, planPath(made, { ...ask, ...more }))).value as RowPage
        const all = (await read({})).items as { to: string }[]
        const paged: unknown[] = []
        let cursor: string | undefined
        do {
          const page: RowPage = await read({ limit, ...(cursor !== undefined && { cursor }) })
          expect(page.items.length).toBeLessThanOrEqual(limit)
          paged.push(...page.items)
          cursor = page.cursor
        } while (cursor !== undefined)
        expect(paged).toEqual(all)
        expect((await read({ only })).items).toEqual(all.map(row => picked(row, only)))
        expect(all.map(({ to }) => to).sort()).toEqual([...ids].sort())
        if (name === 'sharded') {
          const sorted = [...ids].sort(compareUtf8)
          expect(all.map(({ to }) => to)).toEqual(reverse ? sorted.reverse() : sorted)
        }
      }),
      { numRuns: 40 },
    )
  })
})

describe('a cursor', async () => {
  const made = layout(graph('social', [user, edges.adjacent]))
  const store = await storeOf(made, { follow: ['a', 'b', 'c'].map(to => ({ from: 'x', to })) })
  const ask = { type: 'follow', path: 'from', start: 'x', limit: 1 }
  const { cursor } = (await run(store, made, planPath(made, ask))).value as RowPage

  it('a cursor is safe in URLs and works for the same query with another limit', async () => {
    expect(cursor).toMatch(/^[\w-]+$/)
    const { value } = await run(store, made, planPath(made, { ...ask, limit: 5, cursor }))
    expect(value).toEqual({ items: ['b', 'c'].map(to => ({ from: 'x', to })), cursor: undefined })
  })

  it.each<[string, Partial<PathQuery>]>([
    ['of another partition', { start: 'y' }],
    ['of another path', { path: 'to' }],
    ['the other way around', { reverse: true }],
    ['of a stretch of it', { where: { to: { from: 'a' } } }],
    ['with a filter', { filter: { expression: 'attribute_exists(x)' } }],
  ])('a cursor is rejected by a query %s', (_, other) => {
    expect(() => planPath(made, { ...ask, ...other, cursor })).toThrow(
      expect.objectContaining({ code: 'cursor.mismatch' }),
    )
  })

  it('a cursor is rejected by the same query over another number of shards', () => {
    const sharded = layout(graph('social', [user, edges.sharded]))
    expect(() => planPath(sharded, { ...ask, cursor })).toThrow(expect.objectContaining({ code: 'cursor.mismatch' }))
  })

  const made64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const bound = JSON.parse(Buffer.from(cursor!, 'base64url').toString())[1]

  it.each([
    ['nothing', ''],
    ['no base64', '###'],
    ['no JSON', 'aGVsbG8'],
    ['no list', made64({})],
    ['another version', made64([2, bound, [['follow#a']]])],
    ['of no source', made64([1, bound, null])],
    ['of more sources', made64([1, bound, [['follow#a'], ['follow#a']]])],
    ['no key', made64([1, bound, [1]])],
    ['a part of a key', made64([1, bound, [[]]])],
    ['a key of another type', made64([1, bound, [[1]]])],
  ])('a cursor is invalid when it is %s', (_, given) => {
    expect(() => planPath(made, { ...ask, cursor: given })).toThrow(expect.objectContaining({ code: 'cursor.invalid' }))
  })

  it('a cursor does not contain the partition and cannot lead into another partition', () => {
    expect(JSON.parse(Buffer.from(cursor!, 'base64url').toString())).toEqual([1, bound, [['follow#a']]])
    const [step] = planPath(made, { ...ask, cursor }).steps
    expect(step!.request.input.ExclusiveStartKey).toEqual({ PK: { S: 'user#x' }, SK: { S: 'follow#a' } })
  })
})
