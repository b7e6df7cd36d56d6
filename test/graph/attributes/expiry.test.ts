import { afterEach, describe, expect, it, vi } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { date, edge, graph, integer, layout, node, open, set, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/verify/verify.js'

const START = Date.UTC(2026, 0, 1)

function timed() {
  let now = START
  const pass = (ms: number) => {
    now += ms
  }
  return { clock: () => now, later: (ms: number) => new Date(now + ms), pass }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('a row with an expiry', () => {
  const ticket = node(
    'ticket',
    { id: string(), seat: integer(), until: date().optional() },
    { id: 'id', expires: 'until' },
  )

  it('a row expires at the time of its last update', async () => {
    const { clock, later, pass } = timed()
    const g = await open(graph('tickets', [ticket]), memory({ now: clock }), { clock })
    await g.ticket.put({ id: 'a', seat: 1, until: later(10_000) })
    await g.ticket.put({ id: 'b', seat: 2, until: later(10_000) })
    await g.ticket.update('a', { until: later(60_000) })
    await g.ticket.update('b', { until: later(2_000) })
    pass(5_000)
    expect(await g.ticket.exists('b')).toBe(false)
    pass(15_000)
    expect(await g.ticket.exists('a')).toBe(true)
  })

  it('a row expires by a clock that a test replaced after the graph was opened', async () => {
    const g = await open(graph('tickets', [ticket]), memory())
    await g.ticket.put({ id: 'a', seat: 1, until: new Date(Date.now() + 60_000) })
    vi.useFakeTimers({ now: Date.now() + 61_000 })
    expect(await g.ticket.exists('a')).toBe(false)
    await expect(g.ticket.create({ id: 'a', seat: 2 })).resolves.toBeUndefined()
  })

  it('an expired row reads as missing for a conditional update, and does not block a create', async () => {
    const { clock, later, pass } = timed()
    const g = await open(graph('tickets', [ticket]), memory({ now: clock }), { clock })
    await g.ticket.put({ id: 'a', seat: 1, until: later(1_000) })
    await expect(g.ticket.create({ id: 'a', seat: 2 }).if(row => row.seat.is(1))).rejects.toMatchObject({
      code: 'write.exists',
    })
    pass(5_000)
    for (const seat of [1, 2])
      await expect(g.ticket.update('a', { seat: 3 }).if(row => row.seat.is(seat))).rejects.toMatchObject({
        code: 'write.absent',
      })
    await expect(g.ticket.create({ id: 'a', seat: 2 }).if(row => row.seat.is(2))).rejects.toMatchObject({
      code: 'write.condition',
    })
    await g.ticket.create({ id: 'a', seat: 2 }).if(row => row.seat.is(1))
    expect((await g.ticket.get('a'))?.seat).toBe(2)
  })

  it('an expiry time that differs from the item is found and repaired', async () => {
    const { clock, later } = timed()
    const store = memory({ now: clock })
    const g = await open(graph('tickets', [ticket]), store, { clock })
    await g.ticket.put({ id: 'a', seat: 1, until: later(60_000) })
    await store.updateItem({
      TableName: 'tickets',
      Key: g.ticket.keyOf('a'),
      UpdateExpression: 'SET #e = :e',
      ExpressionAttributeNames: { '#e': '_expires' },
      ExpressionAttributeValues: { ':e': { N: String(START / 1000 + 1) } },
    })
    expect((await verify(g)).faults).toEqual({ 'index.stale': 1 })
    await repair(g)
    expect((await verify(g)).faults).toEqual({})
  })

  it('an expired undirected edge is removed item by item, without a finding in between', async () => {
    const { clock, later, pass } = timed()
    const house = node('house', { id: string() }, { id: 'id' })
    const near = edge('near', { one: house, other: house }, { until: date() }, { undirected: true, expires: 'until' })
    const store = memory({ now: clock })
    const g = await open(graph('houses', [house, near]), store, { clock })
    for (const id of ['1', '2', '3', '4']) await g.house.put({ id })
    const pairs = ['1', '2', '3'].map(one => ({ one, other: '4' }))
    for (const pair of pairs) await g.near.put({ ...pair, until: later(1_000) })
    pass(2_000)
    const own = g.near.keyOf(pairs[0]!)
    await store.deleteItem({ TableName: 'houses', Key: own })
    await store.deleteItem({ TableName: 'houses', Key: { PK: { S: 'house#4' }, SK: { S: 'near#2' } } })
    await g.near.delete(pairs[2]!)
    expect((await verify(g)).faults).toEqual({})
    const { Items } = await store.scan({
      TableName: 'houses',
      FilterExpression: 'attribute_exists(#e)',
      ExpressionAttributeNames: { '#e': '_expires' },
    })
    expect(Items?.length).toBeGreaterThan(1)
  })

  it('facets expire with their node, and a node created again has none of them', async () => {
    const { clock, later, pass } = timed()
    const by = { tag: { in: ['tags'], order: ['id'], as: 'item' } } as const
    const note = node(
      'note',
      { id: string(), tags: set(string()), until: date().optional() },
      { id: 'id', expires: 'until', by },
    )
    const store = memory({ now: clock })
    const g = await open(graph('notes', [note]), store, { clock })
    await g.note.put({ id: 'a', tags: new Set(['x', 'y']), until: later(1_000) })
    pass(2_000)
    // The node may or may not have been removed by DynamoDB already.
    for (const id of ['a', 'b']) {
      await g.note.put({ id, tags: new Set(['x', 'y']), until: later(1_000) })
      await store.deleteItem({ TableName: 'notes', Key: g.note.keyOf('b') })
    }
    pass(2_000)
    await g.note.create({ id: 'a', tags: new Set(['z']) })
    await g.note.create({ id: 'b', tags: new Set(['z']) })
    expect(await g.note.by.tag({ tags: 'x' }).all()).toEqual([])
    expect((await g.note.by.tag({ tags: 'z' }).all()).map(({ id }) => id)).toEqual(['a', 'b'])
    expect((await verify(g)).faults).toEqual({})
  })

  it('an expired row does not compare immutable values with a put, with or without a read', async () => {
    const { clock, later, pass } = timed()
    const attributes = { id: string(), born: integer().immutable(), until: date().optional() }
    const plain = node('plain', attributes, { id: 'id', expires: 'until' })
    const by = { age: { order: ['born'], as: 'item' } } as const
    const faceted = node('faceted', attributes, { id: 'id', expires: 'until', by })
    const g = await open(graph('born', [plain, faceted]), memory({ now: clock }), { clock })
    for (const handle of [g.plain, g.faceted]) {
      await handle.put({ id: 'a', born: 1, until: later(1_000) })
      await expect(handle.put({ id: 'a', born: 2 })).rejects.toMatchObject({ code: 'write.immutable' })
      pass(2_000)
      await handle.put({ id: 'a', born: 2 })
      expect(await handle.get('a')).toEqual({ id: 'a', born: 2 })
      await expect(handle.put({ id: 'a', born: 3 })).rejects.toMatchObject({ code: 'write.immutable' })
    }
  })

  it('an edge put over an expired edge requires its node', async () => {
    const { clock, later, pass } = timed()
    const house = node('house', { id: string() }, { id: 'id' })
    const options = { one: 'of', expires: 'until', onDelete: { at: 'cascade' } } as const
    const lease = edge('lease', { of: house, at: house }, { until: date() }, options)
    const g = await open(graph('leases', [house, lease]), memory({ now: clock }), { clock })
    for (const id of ['1', '2']) await g.house.put({ id })
    await g.lease.put({ of: '1', at: '2', until: later(1_000) })
    pass(2_000)
    await g.house.delete('2')
    const again = () => g.lease.put({ of: '1', at: '2', until: later(60_000) })
    await expect(again()).rejects.toMatchObject({ code: 'edge.end.absent' })
    await g.house.put({ id: '2' })
    await again()
    // A live edge does not check its nodes again.
    expect((await again().run()).consumed.write).toEqual({ table: 1, GSI1: 1 })
  })

  it('a path on an index without the expiry cannot lead from edges to nodes', async () => {
    const { clock, later, pass } = timed()
    const house = node('house', { id: string() }, { id: 'id' })
    const lease = edge('lease', { of: house, at: house }, { until: date() }, { expires: 'until' })
    const indexes = { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: 'keys' } } as const
    const made = layout(graph('leases', [house, lease]), { indexes })
    const g = await open(made, memory({ now: clock }), { clock })
    for (const id of ['1', '2', '3']) await g.house.put({ id })
    await g.lease.put({ of: '1', at: '3', until: later(1_000) })
    await g.lease.put({ of: '2', at: '3', until: later(60_000) })
    pass(2_000)
    const found = g.lease.by.at('3')
    expect(await found.nodes().all()).toEqual([{ id: '2' }])
    expect((await found.withNodes().all()).map(({ node: each }) => each)).toEqual([{ id: '2' }])
  })

  it('an expired only edge makes room for another one', async () => {
    const { clock, later, pass } = timed()
    const house = node('house', { id: string() }, { id: 'id' })
    const lease = edge('lease', { ticket, house }, { until: date() }, { one: 'ticket', expires: 'until' })
    const keys = { lease: { PK: 'ticket#{ticket}', SK: 'H#{house}' } } as const
    const g = await open(layout(graph('leases', [ticket, house, lease]), { keys }), memory({ now: clock }), { clock })
    await g.lease.create({ ticket: 'a', house: '1', until: later(1_000) })
    await g.lease.update({ ticket: 'a', house: '1' }, { until: later(3_000) })
    pass(2_000)
    const next = { ticket: 'a', house: '2', until: later(60_000) }
    await expect(g.lease.create(next)).rejects.toMatchObject({ code: 'edge.one' })
    pass(2_000)
    await g.lease.create(next)
    expect(await g.lease.by.ticket('a').all()).toEqual([next])
    // The remains are not a finding and can be deleted; the sentinel belongs to the other node now.
    await g.ticket.put({ id: 'a', seat: 1 })
    for (const id of ['1', '2']) await g.house.put({ id })
    expect((await verify(g)).faults).toEqual({})
    await g.lease.delete({ ticket: 'a', house: '1' })
    expect((await verify(g)).faults).toEqual({})
    await expect(g.lease.create({ ...next, house: '1' })).rejects.toMatchObject({ code: 'edge.one' })
  })
})
