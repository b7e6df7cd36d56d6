import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, node, open, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

const room = node('room', { id: string() }, { id: 'id' })
const attributes = { no: string(), city: string(), size: integer() }
const by = { city: { in: ['city'], order: ['size'], as: 'native' } } as const
const seat = node('seat', attributes, { id: 'no', within: room, by })
const taken = edge('taken', { seat, room }, {}, { by: { room: { as: 'native' } } })
const house = graph('house', [room, seat, taken])

it.each([
  ['the owner of a node', 'seat'],
  ['an end of an edge', 'taken'],
])('%s of an index with native keys, removed by a foreign writer, is found and repaired', async (_, type) => {
  const store = memory()
  const g = await open(house, store)
  await g.room.put({ id: 'r' })
  await g.seat.put({ room: 'r', no: '1', city: 'Ulm', size: 2 })
  await g.taken.put({ seat: { room: 'r', no: '1' }, room: 'r' })
  const found = async () => [await g.seat.by.city({ city: 'Ulm' }).count(), await g.taken.by.room('r').count()]
  const { Items = [] } = await store.scan({ TableName: 'house' })
  const { room: _room, ...item } = Items.find(({ _type }) => _type!.S === type)!
  await store.putItem({ TableName: 'house', Item: item })
  expect(await found()).not.toEqual([1, 1])
  expect((await verify(g)).faults).toEqual({ 'index.stale': 1 })
  expect((await repair(g)).repaired).toBe(1)
  expect(await found()).toEqual([1, 1])
  expect((await verify(g)).faults).toEqual({})
})
