import { expect, it } from 'vitest'
import { consumer } from '../../../src/derive/settle/consumer.js'
import { memory } from '../../../src/engine/index.js'
import { counter, edge, graph, node, open, string } from '../../../src/index.js'
import { wrap } from '../../../src/store/wrap.js'
import { Tap } from '../simulator/stream.js'

const user = node('user', { id: string(), fans: counter() }, { id: 'id' })
const likes = edge('likes', { idol: user, fan: user }, {}, { count: { idol: { into: 'fans', by: 'stream' } } })
const fame = graph('fame', [user, likes])

it('a recount is correct although edges are counted while it reads', async () => {
  const store = memory()
  const g = await open(fame, store, { follow: false })
  const { Table } = await store.describeTable({ TableName: 'fame' })
  const tap = new Tap(store, Table!.LatestStreamArn!)
  const plain = consumer(fame, store)
  await g.user.put({ id: 'star' })
  await g.likes.put({ idol: 'star', fan: 'one' })
  await plain.handle(await tap.poll())
  await tap.poll()

  // A foreign writer deletes a counted edge, and a new edge is not counted yet.
  await store.deleteItem({ TableName: 'fame', Key: { PK: { S: 'user#star' }, SK: { S: 'likes#one' } } })
  const removed = await tap.poll()
  await g.likes.put({ idol: 'star', fan: 'two' })
  const inserted = await tap.poll()

  let isCounted = false
  const busy = wrap(store, async (operation, request, options, send) => {
    if (operation === 'query' && !isCounted && !JSON.stringify(request).includes('$gone')) {
      isCounted = true
      await plain.handle(inserted)
    }
    return send(request, options)
  })
  expect((await consumer(fame, busy).handle(removed)).failures).toEqual([])
  expect(isCounted).toBe(true)
  expect((await g.user.get('star'))?.fans).toBe(1)
})

it('a recount is exact with small pages of edges and tombstones', async () => {
  const store = memory()
  const g = await open(fame, store, { follow: false })
  const { Table } = await store.describeTable({ TableName: 'fame' })
  const tap = new Tap(store, Table!.LatestStreamArn!)
  const { handle } = consumer(
    fame,
    wrap(store, (operation, request, options, send) =>
      send(operation === 'query' ? { ...request, Limit: 1 } : request, options),
    ),
  )
  const fans = async () => (await g.user.get('star'))?.fans
  await g.user.put({ id: 'star' })
  for (const fan of ['a', 'b', 'c', 'd', 'e']) await g.likes.put({ idol: 'star', fan })
  await handle(await tap.poll())
  await tap.poll()
  expect(await fans()).toBe(5)
  for (const fan of ['a', 'b']) await g.likes.delete({ idol: 'star', fan })
  const deleted = await tap.poll()
  // A foreign writer deletes a third edge.
  await store.deleteItem({ TableName: 'fame', Key: { PK: { S: 'user#star' }, SK: { S: 'likes#c' } } })
  await handle(await tap.poll())
  expect(await fans()).toBe(4)
  await handle(deleted)
  expect(await fans()).toBe(2)
})

it('many tombstones are spent once each and retained for a week', async () => {
  const store = memory()
  const clock = () => Date.UTC(2026, 0, 1) + 999
  const g = await open(fame, store, { follow: false, clock })
  const { Table } = await store.describeTable({ TableName: 'fame' })
  const tap = new Tap(store, Table!.LatestStreamArn!)
  const { handle } = consumer(fame, store, { clock })
  const polled = async () => {
    const all = []
    for (let records = await tap.poll(); records.length > 0; records = await tap.poll()) all.push(...records)
    return all
  }
  const ids = Array.from({ length: 101 }, (_, i) => `${i}`)
  await g.user.put({ id: 'star' })
  for (const fan of [...ids, 'last']) await g.likes.put({ idol: 'star', fan })
  await handle(await polled())
  expect((await g.user.get('star'))?.fans).toBe(102)
  await polled()
  for (const fan of ids) await g.likes.delete({ idol: 'star', fan })
  const deleted = await polled()
  for (const _ of ['once', 'again']) {
    expect((await handle(deleted)).failures).toEqual([])
    expect((await g.user.get('star'))?.fans).toBe(1)
  }
  const { Items = [] } = await store.scan({ TableName: 'fame' })
  const left = Items.filter(item => item._type?.S === '$gone')
  expect(left).toHaveLength(101)
  expect(new Set(left.map(item => item._expires?.N))).toEqual(new Set([String(Date.UTC(2026, 0, 8) / 1000)]))
})
