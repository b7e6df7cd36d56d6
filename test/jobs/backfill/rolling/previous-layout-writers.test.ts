import { describe, expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, set, string, wrap } from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'

const attributes = { id: string(), mail: string(), tags: set(string()), followers: counter() }

const plain = node('user', attributes, { id: 'id' })
const before = graph('users', [plain, edge('follows', { a: plain, b: plain }, { no: integer() })])

/** The same graph with a mirror, a facet, a unique attribute and a counter. */
const user = node('user', attributes, { id: 'id', unique: ['mail'], by: { tag: { in: ['tags'], as: 'item' } } })
const follows = edge(
  'follows',
  { a: user, b: user },
  { no: integer() },
  { by: { b: { as: 'mirror', order: ['no', 'a'] } }, count: { b: 'followers' } },
)
const after = graph('users', [user, follows])

describe.each([
  ['without the layout before', {}],
  ['with the layout before', { from: before }],
])('after writes with both layouts, a backfill %s', (_, options) => {
  /** A table on which both layouts alternate. */
  async function setUp() {
    const store = memory()
    const older = await open(before, store)
    const newer = await open(after, store, { drift: 'allow' })
    for (const id of ['x', 'y', 'z']) await newer.user.put({ id, mail: `${id}@x`, tags: new Set(['t']) })
    for (const b of ['x', 'y', 'z']) await newer.follows.put({ a: 'x', b, no: 1 })
    return { store, older }
  }

  it('deletes mirrors of edges that a writer with the old layout deleted or changed', async () => {
    const { store, older } = await setUp()
    await older.follows.delete({ a: 'x', b: 'x' })
    await older.follows.update({ a: 'x', b: 'y' }, { no: 2 })
    await backfill(after, store, options)
    const g = await open(after, store)
    expect((await verify(g)).faults).toEqual({})
    expect(await g.follows.by.b('x').all()).toEqual([])
    expect(await g.follows.by.b('y').all()).toEqual([{ a: 'x', b: 'y', no: 2 }])
    expect((await g.user.many(['x', 'y', 'z'])).map(user => user?.followers)).toEqual([0, 1, 1])
  })

  it('deletes facets and sentinels of values that a writer with the old layout changed', async () => {
    const { store, older } = await setUp()
    await older.user.put({ id: 'x', mail: 'new@x', tags: new Set(['u']) })
    await older.user.delete('z')
    await backfill(after, store, options)
    const g = await open(after, store)
    expect((await verify(g)).faults).toEqual({ 'edge.dangling': 1 })
    expect((await g.user.by.tag({ tags: 't' }).all()).map(({ id }) => id)).toEqual(['y'])
    await g.user.create({ id: 'v', mail: 'x@x', tags: new Set(['t']) })
    await g.user.create({ id: 'w', mail: 'z@x', tags: new Set(['t']) })
  })

  it('continues past the sentinel of a value that a writer with the old layout moved to another node', async () => {
    const { store, older } = await setUp()
    await older.user.put({ id: 'x', mail: 'y@x', tags: new Set(['t']) })
    await older.user.put({ id: 'y', mail: 'x@x', tags: new Set(['t']) })
    await backfill(after, store, options)
    const g = await open(after, store)
    expect((await verify(g)).faults).toEqual({})
    expect(await g.user.by.mail('x@x')).toMatchObject({ id: 'y' })
    await expect(g.user.create({ id: 'v', mail: 'y@x', tags: new Set(['t']) })).rejects.toMatchObject({
      code: 'unique.taken',
    })
  })
})

it('a newer type that a backfill does not know keeps its shards', async () => {
  const store = memory()
  const first = node('first', { id: string(), rank: integer() }, { id: 'id', by: { id: { order: ['id'] } } })
  const second = node('first', { id: string(), rank: integer() }, { id: 'id', by: { rank: { order: ['rank'] } } })
  const listed = (shards: number) =>
    node('listed', { id: string(), city: string() }, { id: 'id', by: { city: { in: ['city'], shards } } })
  await open(graph('things', [first]), store)
  await open(graph('things', [first, listed(4)]), store)
  await backfill(graph('things', [second]), store)
  await expect(open(graph('things', [second, listed(2)]), store)).rejects.toMatchObject({ code: 'layout.drift' })
  await expect(open(graph('things', [second, listed(4)]), store)).resolves.toBeDefined()
})

it('a backfill does not finish while concurrent writes prevent the update of a synced copy', async () => {
  const person = node('person', { id: string(), born: integer() }, { id: 'id' })
  const room = node('room', { id: string(), size: integer() }, { id: 'id' })
  const made = (from: 'person.born' | 'room.size') =>
    graph('rooms', [
      person,
      room,
      edge('inside', { room, person }, {}, { carry: { info: { from, sync: 'eventual' } } }),
    ])
  const [was, is] = [made('person.born'), made('room.size')]
  const store = memory()
  const older = await open(was, store, { follow: false })
  await older.person.put({ id: 'p', born: 1 })
  await older.room.put({ id: 'r', size: 2 })
  await older.inside.put({ room: 'r', person: 'p' })
  await deploy(is, store)
  const newer = await open(is, store, { follow: false, drift: 'allow' })
  let size = 2
  const busy = wrap(store, async (operation, request, options, send) => {
    if (operation === 'transactWriteItems') await newer.room.put({ id: 'r', size: ++size })
    return send(request, options)
  })
  const retry = { clock: { now: () => 0, sleep: async () => {} } }
  await expect(backfill(is, busy, { from: was, retry })).rejects.toMatchObject({ code: 'write.contended' })
  await expect(open(is, store)).rejects.toMatchObject({ code: 'layout.drift' })
  await backfill(is, store, { from: was })
  const g = await open(is, store, { follow: false })
  expect(await g.inside.get({ room: 'r', person: 'p' })).toMatchObject({ info: size })
  expect((await verify(g)).faults).toEqual({})
})
