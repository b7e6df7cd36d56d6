import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { date, edge, graph, integer, node, open, set, string, wrap } from '../../../src/index.js'
import { backfill, verify } from '../../../src/jobs/index.js'

const made = (isBefore: boolean) => {
  const options = isBefore ? { unique: ['mail'], by: { tag: { in: ['tags'], as: 'item' } } } : {}
  const user = node('user', { id: string(), mail: string(), tags: set(string()) }, { id: 'id', ...(options as object) })
  const by = { b: { as: isBefore ? 'mirror' : 'index', order: ['no', 'a'] } } as const
  return graph('users', [user, edge('follows', { a: user, b: user }, { no: integer() }, { by })])
}

it('old side items are deleted after a writer with the new layout changed or deleted their owner', async () => {
  const store = memory()
  const before = await open(made(true), store)
  for (const id of ['x', 'y', 'z']) await before.user.put({ id, mail: `${id}@x`, tags: new Set(['t']) })
  for (const b of ['x', 'y', 'z']) await before.follows.put({ a: 'x', b, no: 1 })

  const live = await open(made(false), store, { drift: 'allow' })
  await live.follows.delete({ a: 'x', b: 'x' })
  await live.follows.update({ a: 'x', b: 'y' }, { no: 2 })
  await live.user.delete('z')
  await backfill(made(false), store, { from: made(true) })
  expect((await verify(await open(made(false), store))).faults).toEqual({ 'edge.dangling': 1 })

  await backfill(made(true), store, { from: made(false) })
  const back = await open(made(true), store)
  expect((await verify(back)).faults).toEqual({ 'edge.dangling': 1 })
  expect(await back.follows.by.b('x').all()).toEqual([])
  expect(await back.follows.by.b('y').all()).toEqual([{ a: 'x', b: 'y', no: 2 }])
  await back.user.create({ id: 'w', mail: 'z@x', tags: new Set(['t']) })
})

it.each(['deleted', 'changed'])('a mirror is deleted if its edge is %s after the scan passed it', async how => {
  const store = memory()
  const before = await open(made(true), store)
  const ids = ['p', 'q', 'r', 's', 't', 'u']
  for (const id of ids) await before.user.put({ id, mail: `${id}@x`, tags: new Set(['t']) })
  const rows = ids.map(b => ({ a: 'p', b, no: 1 }))
  for (const row of rows) await before.follows.put(row)

  const live = await open(made(false), store, { drift: 'allow' })
  const met = new Set<string>()
  const busy = wrap(store, async (operation, request, options, send) => {
    const answer = await send(request, options)
    const sort = operation === 'getItem' && 'Key' in request ? (request.Key?.SK?.S ?? '') : ''
    const row = rows.find(({ b }) => sort === `follows#${b}`)
    if (row && !met.has(sort)) {
      met.add(sort)
      await (how === 'deleted' ? live.follows.delete(row) : live.follows.update(row, { no: 2 }))
    }
    return answer
  })
  await backfill(made(false), busy, { from: made(true) })
  expect(met.size).toBeGreaterThan(0)
  expect((await verify(await open(made(false), store))).faults).toEqual({})
})

it('an owner with an orphan side item is written once in any scan order', async () => {
  const store = memory()
  const before = await open(made(true), store)
  const ids = Array.from({ length: 40 }, (_, i) => `${i}`)
  for (const id of ids) await before.user.put({ id, mail: `${id}@x`, tags: new Set(['t']) })
  for (const [i, a] of ids.entries())
    for (const no of [1, 2, 3]) await before.follows.put({ a, b: `${(7 * i + no) % 40}`, no })
  let writes = 0
  const counted = wrap(store, (operation, request, options, send) => {
    if (operation === 'transactWriteItems') writes++
    return send(request, options)
  })
  expect(await backfill(made(false), counted, { from: made(true) })).toMatchObject({ changed: 160 })
  expect(writes).toBe(160)
  expect((await verify(await open(made(false), store))).faults).toEqual({})
})

it('side items of an expired node that was replaced are deleted if its id has a new part', async () => {
  const attributes = { id: string(), no: integer(), until: date().optional(), tags: set(string()) }
  const rest = { expires: 'until', by: { tag: { in: ['tags'], as: 'item' } } } as const
  const before = graph('things', [node('thing', attributes, { id: 'id', ...rest })])
  const after = graph('things', [node('thing', attributes, { id: ['id', 'no'], ...rest })])
  const store = memory({ expiryDelayMs: Number.MAX_SAFE_INTEGER })
  const old = await open(before, store)
  await old.thing.put({ id: 'x', no: 1, tags: new Set(['a', 'b']), until: new Date('2026-01-01') })
  await old.thing.put({ id: 'x', no: 1, tags: new Set(['a']) })
  await backfill(after, store, { from: before })
  const opened = await open(after, store)
  expect((await verify(opened)).faults).toEqual({})
  expect(await opened.thing.by.tag({ tags: 'a' }).all()).toHaveLength(1)
})
