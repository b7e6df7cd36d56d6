import { describe, expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import {
  boolean,
  counter,
  edge,
  embedded,
  graph,
  integer,
  layout as layoutOf,
  node,
  open,
  string,
  wrap,
} from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'
import type { Layout } from '../../../../src/layout/layout.js'
import { settling, survived } from '../crashing-backfill.js'

interface Handles {
  readonly user: { put(row: object): PromiseLike<void> }
  readonly room: { put(row: object): PromiseLike<void>; get(id: string): PromiseLike<object> }
  readonly inside: { put(row: object): PromiseLike<void>; get(row: object): PromiseLike<object> }
}

const user = node('user', { id: string(), vip: boolean() }, { id: 'id' })
const roomOf = (info: object) =>
  node('room', { id: string(), size: integer(), n: counter(), map: embedded(info as never) }, { id: 'id' })

function made(options: object, attributes: object = {}, info: object = {}): Layout {
  const room = roomOf(info)
  const by = { room: { as: 'mirror' } }
  return layoutOf(
    graph('users', [user, room, edge('inside', { user, room }, attributes as never, { by, ...options } as never)]),
  ) as Layout
}

const opened = async (layout: Layout, store: ReturnType<typeof memory>) =>
  (await open(layout, store, { follow: false })) as never as Handles & object

/** One edge, with its own number if it has one. */
async function written(layout: Layout, row: object = {}) {
  const store = memory()
  const g = await opened(layout, store)
  await g.user.put({ id: 'u', vip: true })
  await g.room.put({ id: 'r', size: 3 })
  await g.inside.put({ user: 'u', room: 'r', ...row })
  return store
}

const ROW = { user: 'u', room: 'r' }

const counted = { count: { room: 'n' } }
const streamed = { count: { room: { into: 'n', by: 'stream' } } }

describe('a copy with another source of another type is migrated if', () => {
  const copied = (from: string, kept: object, info?: object) =>
    made({ carry: { info: { from, sync: 'eventual' } }, ...kept }, {}, info)
  const mapped = { embed: { room: { into: 'map', max: 9 } } }

  const CHANGES: [string, Layout, Layout][] = [
    ['the edge has no other derived data', copied('user.vip', {}), copied('room.size', {})],
    ['writers count', copied('user.vip', counted), copied('room.size', counted)],
    ['the stream counts', copied('user.vip', streamed), copied('room.size', streamed)],
    [
      'the copy is in a map',
      copied('user.vip', mapped, { info: boolean() }),
      copied('room.size', mapped, { info: integer() }),
    ],
    [
      'the copy is in a map and the stream counts',
      copied('user.vip', { ...mapped, ...counted }, { info: boolean() }),
      copied('room.size', { ...mapped, ...streamed }, { info: integer() }),
    ],
    [
      'the copy is in a map and the stream counts only under the new layout',
      copied('user.vip', mapped, { info: boolean() }),
      copied('room.size', { ...mapped, ...streamed }, { info: integer() }),
    ],
    ["the attribute was the edge's own", made(counted, { info: boolean() }), copied('room.size', counted)],
    [
      "the attribute was the edge's own and a foreign value exists",
      made({ ...counted, carry: { id: 'user.id' } }, { info: boolean() }),
      made({ ...counted, carry: { id: 'user.id', info: { from: 'room.size', sync: 'eventual' } } }),
    ],
  ]

  const writtenUnder = (layout: Layout) =>
    written(layout, 'info' in layout.graph.declared.edges[0]!.attributes ? { info: true } : {})

  async function expectCopied(store: ReturnType<typeof memory>, layout: Layout) {
    const g = await opened(layout, store)
    expect((await verify(g)).faults).toEqual({})
    expect(await g.inside.get(ROW)).toMatchObject({ info: 3 })
  }

  it.each(CHANGES)('%s', async (_, before, after) => {
    const store = await writtenUnder(before)
    await deploy(after, store)
    await backfill(after, store, { from: before })
    await expectCopied(store, after)
  })

  it.each(CHANGES)('%s, with a concurrent consumer and crashing processes', async (_, before, after) => {
    const store = await writtenUnder(before)
    await deploy(after, store)
    const settle = await settling(store)
    await survived(before, after, store, settle)
    await settle(after)
    await expectCopied(store, after)
  })
})

describe('a backfill that cannot finish', () => {
  const before = made({ ...streamed, carry: { info: { from: 'user.vip', sync: 'eventual' } } }, { size: integer() })
  const carry = { info: { from: 'room.size', sync: 'eventual' }, other: { from: 'user.vip', sync: 'eventual' } }
  // The existing numbers cannot be decoded as strings.
  const after = made({ ...counted, carry }, { size: string() })
  const third = made({ ...counted, carry }, { size: boolean() })
  const SIZE = { size: 1 }
  const stopped = { code: 'stored.type', message: expect.stringContaining('cannot be migrated') }
  const refused = { code: 'layout.drift', message: expect.stringContaining("with its new layout as 'from'") }

  async function stuck() {
    const store = await written(before, SIZE)
    await deploy(after, store)
    const settle = await settling(store)
    await settle(before)
    await expect(backfill(after, store, { from: before })).rejects.toMatchObject(stopped)
    return { store, settle }
  }

  it('a backfill that cannot finish is reverted only by a backfill to its old layout', async () => {
    const { store, settle } = await stuck()
    for (const [layout, options] of [
      [before, {}],
      [before, { from: before }],
      [before, { from: third }],
      [third, {}],
      [third, { from: before }],
      [third, { from: after }],
    ] as const)
      await expect(backfill(layout, store, options)).rejects.toMatchObject(refused)
    await backfill(before, store, { from: after })
    const g = await opened(before, store)
    await settle(before)
    expect((await verify(g)).faults).toEqual({})
    expect(await g.inside.get(ROW)).toEqual({ ...ROW, ...SIZE, info: true })
    await g.inside.put({ ...ROW, size: 2 })
    await settle(before)
    expect((await verify(g)).faults).toEqual({})
  })

  it('a backfill that cannot finish is reverted with a concurrent consumer and crashing processes too', async () => {
    const { store, settle } = await stuck()
    await survived(after, before, store, settle)
    const g = await opened(before, store)
    await settle(before)
    expect((await verify(g)).faults).toEqual({})
    await g.inside.put({ ...ROW, size: 2 })
    await settle(before)
    expect(await g.room.get('r')).toMatchObject({ n: 1 })
    await expect(backfill(third, store, { from: before })).rejects.toMatchObject(stopped)
  })

  /** A store that fails after this many requests. */
  const dying = (store: ReturnType<typeof memory>, left: number) =>
    wrap(store, (_, request, options, send) =>
      left-- > 0 ? send(request, options) : Promise.reject(new Error('died')),
    )

  it('a half reverted backfill can be continued in either direction', async () => {
    const { store } = await stuck()
    await expect(backfill(before, dying(store, 5), { from: after })).rejects.toThrow('died')
    for (const options of [{}, { from: before }, { from: third }])
      await expect(backfill(before, store, options)).rejects.toMatchObject(refused)
    await expect(backfill(third, store, { from: before })).rejects.toMatchObject(refused)
    await expect(backfill(after, store, { from: before })).rejects.toMatchObject(stopped)
    await backfill(before, store, { from: after })
    expect((await verify(await opened(before, store))).faults).toEqual({})
  })

  it('a backfill that cannot finish is not reverted if it moves items, because items could fit both layouts', async () => {
    const store = await written(before, SIZE)
    const keys = { user: { PK: 'U#{id}', SK: '#' } }
    const moving = layoutOf(before.graph as never, { keys } as never) as Layout
    await expect(backfill(moving, dying(store, 4), { from: before })).rejects.toThrow('died')
    await expect(backfill(before, store, { from: moving })).rejects.toMatchObject(refused)
    await backfill(moving, store, { from: before })
    expect((await verify(await opened(moving, store))).faults).toEqual({})
  })

  it('counts all edges after it was nearly finished and half reverted with concurrent writers', async () => {
    const [bare, kept] = [made({}), made(counted)]
    const store = await written(bare)
    const unsigned = wrap(store, (operation, request, options, send) =>
      operation === 'putItem' ? Promise.reject(new Error('died')) : send(request, options),
    )
    await expect(backfill(kept, unsigned, { from: bare })).rejects.toThrow('died')
    await expect(backfill(bare, dying(store, 4), { from: kept })).rejects.toThrow('died')
    const g = await opened(bare, store)
    await g.user.put({ id: 'v', vip: false })
    await g.inside.put({ user: 'v', room: 'r' })
    await backfill(kept, store, { from: bare })
    const h = await opened(kept, store)
    expect(await h.room.get('r')).toMatchObject({ n: 2 })
    expect((await verify(h)).faults).toEqual({})
  })
})
