import { expect, it } from 'vitest'
import type { BatchGetItemInput, BatchWriteItemInput } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  append,
  graph,
  integer,
  list,
  map,
  node,
  type OpenedOf,
  open,
  remove,
  string,
  within,
  wrap,
} from '../../../src/index.js'

const user = node('user', { id: string(), name: string() }, { id: 'id' })

/** A graph on a store that loses the first response to a deletion, before or after it is applied. */
async function losing(isDone: boolean) {
  let lost = false
  const store = wrap(memory(), async (operation, input, _options, send) => {
    if (operation !== 'deleteItem' || lost) return send(input)
    lost = true
    if (isDone) await send(input)
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const g = await open(graph('people', [user]), store, { create: true })
  await g.user.put({ id: 'a', name: 'Ann' })
  return g
}

it('a conditional deletion with a lost response does not count as applied when the row was missing before', async () => {
  const g = await losing(false)
  const missing = g.user.delete('b').if(row => row.name.exists())
  await expect(missing).rejects.toMatchObject({ code: 'store.unknown' })
})

it('a conditional deletion with a lost response is repeated while the item exists, and unknown when it is missing', async () => {
  const unsent = await losing(false)
  await unsent.user.delete('a').if(row => row.name.exists())
  expect(await unsent.user.exists('a')).toBe(false)
  const sent = await losing(true)
  await expect(sent.user.delete('a').if(row => row.name.exists())).rejects.toMatchObject({ code: 'store.unknown' })
  expect(await sent.user.exists('a')).toBe(false)
})

it('a deletion that read first, was refused and then overtaken by another deletion does not count as applied', async () => {
  const people = graph('people', [
    node('user', { id: string(), mail: string().optional() }, { id: 'id', unique: ['mail'] }),
  ])
  const embedded = memory()
  const other = await open(people, embedded)
  const store = wrap(embedded, async (operation, input, _options, send) => {
    if (operation !== 'deleteItem') return send(input)
    await expect(send(input)).rejects.toMatchObject({ name: 'ConditionalCheckFailedException' })
    await other.user.delete('a')
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const g = await open(people, store)
  await g.user.put({ id: 'a' })
  await expect(g.user.delete('a').if(row => row.mail.exists())).rejects.toMatchObject({ code: 'store.unknown' })
})

it('an unconditional deletion with a lost response counts as applied when the row is missing', async () => {
  const g = await losing(true)
  await g.user.delete('a')
  expect(await g.user.exists('a')).toBe(false)
})

it.each([true, false])(
  'a table is created completely when responses are lost after the request was applied: %s',
  async isDone => {
    const lost = new Set<string>()
    const embedded = memory()
    const store = wrap(embedded, async (operation, input, _options, send) => {
      if (!/^(create|update)/.test(operation) || lost.has(operation)) return send(input)
      lost.add(operation)
      if (isDone) await send(input)
      throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
    })
    const g = await open(graph('people', [user]), store, { create: true })
    expect([...lost]).toEqual(['createTable', 'updateTimeToLive', 'updateItem'])
    const { TimeToLiveDescription } = await embedded.describeTimeToLive({ TableName: 'people' })
    expect(TimeToLiveDescription).toEqual({ AttributeName: '_expires', TimeToLiveStatus: 'ENABLED' })
    expect((await embedded.scan({ TableName: 'people' })).Count).toBe(1)
    expect(await g.user.exists('a')).toBe(false)
  },
)

it('a table that another program creates at the same moment is left to that program', async () => {
  const embedded = memory()
  const sent: string[] = []
  const store = wrap(embedded, async (operation, input, _options, send) => {
    sent.push(operation)
    if (operation === 'createTable') await embedded.createTable(input as never)
    return send(input)
  })
  await open(graph('people', [user]), store, { create: true })
  expect(sent).toContain('createTable')
  expect(sent).not.toContain('updateTimeToLive')
})

it('a batched deletion with a lost response does not count as applied when its key stays unprocessed', async () => {
  const embedded = memory()
  const store = wrap(embedded, async (operation, input, _options, send) => {
    if (operation === 'batchGetItem') return { UnprocessedKeys: (input as BatchGetItemInput).RequestItems } as never
    if (operation !== 'batchWriteItem') return send(input)
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const g = await open(graph('people', [user]), store, { create: true, retry: { attempts: 1 } })
  await g.user.put({ id: 'a', name: 'Ann' })
  await expect(g.$batch([g.user.delete('a')])).rejects.toMatchObject({
    details: { failed: [{ error: { code: 'store.unknown' } }] },
  })
  expect(await g.user.exists('a')).toBe(true)
})

it.each(['deleteItem', 'batchWriteItem'])(
  'a deletion by %s with a lost response has an unknown outcome when the lookup is throttled',
  async lost => {
    const store = wrap(memory(), async (operation, input, _options, send) => {
      const answer = await send(input)
      if (operation === lost) throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
      if (operation === 'getItem' || operation === 'batchGetItem')
        throw Object.assign(new Error('too much'), { name: 'ThrottlingException' })
      return answer
    })
    const g = await open(graph('people', [user]), store, { create: true, drift: 'allow', retry: { attempts: 1 } })
    await g.user.put({ id: 'a', name: 'Ann' })
    const told = { code: 'store.unknown' }
    if (lost === 'deleteItem') await expect(g.user.delete('a')).rejects.toMatchObject(told)
    else
      await expect(g.$batch([g.user.delete('a')])).rejects.toMatchObject({
        details: { failed: [{ call: 0, error: told }] },
      })
  },
)

it('after a lost response of a batch, only the writes that were not applied fail when the rest is refused', async () => {
  let sent = 0
  const store = wrap(memory(), async (operation, input, _options, send) => {
    if (operation !== 'batchWriteItem') return send(input)
    if (sent++ > 0) throw Object.assign(new Error('too much'), { name: 'ThrottlingException' })
    const [[table, parts]] = Object.entries((input as BatchWriteItemInput).RequestItems) as [[string, never[]]]
    await send({ RequestItems: { [table]: parts.slice(0, 3) } } as never)
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const g = await open(graph('people', [user]), store, { create: true, retry: { attempts: 1 } })
  const ids = ['a', 'b', 'c', 'd', 'e']
  await expect(g.$batch(ids.map(id => g.user.put({ id, name: id })))).rejects.toMatchObject({
    message: expect.stringContaining('2 of 5 calls failed'),
    details: { failed: [3, 4].map(call => ({ call, error: { code: 'store.throttled' } })) },
  })
  expect((await g.user.many(ids)).map(row => row?.name)).toEqual(['a', 'b', 'c', undefined, undefined])
})

it('after a lost response of a batch of deletions, only the missing deletions are sent again', async () => {
  const sent: number[] = []
  const store = wrap(memory(), async (operation, input, _options, send) => {
    if (operation !== 'batchWriteItem') return send(input)
    const [[table, parts]] = Object.entries((input as BatchWriteItemInput).RequestItems) as [[string, never[]]]
    sent.push(parts.length)
    if (sent.length !== 2) return send(input)
    await send({ RequestItems: { [table]: parts.slice(0, 2) } } as never)
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const g = await open(graph('people', [user]), store, { create: true })
  const ids = ['a', 'b', 'c']
  await g.$batch(ids.map(id => g.user.put({ id, name: id })))
  await g.$batch(ids.map(id => g.user.delete(id)))
  expect(sent).toEqual([3, 3, 1])
  expect(await g.user.scan().all()).toEqual([])
})

it('unprocessed writes of a batch fail, and the others are applied', async () => {
  let sent = 0
  const store = wrap(memory(), async (operation, input, _options, send) => {
    if (operation !== 'batchWriteItem') return send(input)
    sent++
    const [[table, parts]] = Object.entries((input as BatchWriteItemInput).RequestItems) as [[string, never[]]]
    const left = parts.filter(part => JSON.stringify(part).includes('busy'))
    if (parts.length > left.length)
      await send({ RequestItems: { [table]: parts.filter(part => !left.includes(part)) } } as never)
    return (left.length > 0 ? { UnprocessedItems: { [table]: left } } : {}) as never
  })
  const g = await open(graph('people', [user]), store, { create: true, retry: { attempts: 1 } })
  const puts = (...ids: string[]) => g.$batch(ids.map(id => g.user.put({ id, name: id })))
  await puts('a', 'b')
  await expect(puts('c', 'busy', 'd')).rejects.toMatchObject({
    details: { failed: [{ call: 1, error: { code: 'store.throttled' } }] },
  })
  expect(sent).toBe(2)
  expect((await g.user.scan().all()).map(({ id }) => id).sort()).toEqual(['a', 'b', 'c', 'd'])
})

it('a batch that loses every response and is never applied is retried a limited number of times', async () => {
  let sent = 0
  const store = wrap(memory(), async (operation, input, _options, send) => {
    if (operation !== 'batchWriteItem') return send(input)
    sent++
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const g = await open(graph('people', [user]), store, { create: true })
  const calls = ['a', 'b'].map(id => g.user.put({ id, name: id }))
  await expect(g.$batch(calls)).rejects.toMatchObject({
    details: { failed: [0, 1].map(call => ({ call, error: { code: 'store.unknown' } })) },
  })
  expect(sent).toBe(6)
})

it.each([
  ['TimeoutError', 'store.unknown', 6],
  ['AccessDeniedException', 'store.refused', 1],
] as const)(
  'creating a table that never appears, by %s, is retried a limited number of times',
  async (name, code, times) => {
    let sent = 0
    const store = wrap(memory(), async (operation, input, _options, send) => {
      if (operation !== 'createTable') return send(input)
      sent++
      throw Object.assign(new Error('no'), { name })
    })
    await expect(open(graph('people', [user]), store, { create: true })).rejects.toMatchObject({ code })
    expect(sent).toBe(times)
  },
)

it('a table that is not active yet is waited for', async () => {
  let described = 0
  const store = wrap(memory(), async (operation, input, _options, send) => {
    const answer = (await send(input)) as { Table?: object }
    const isEarly = operation === 'describeTable' && ++described < 3
    return (isEarly ? { Table: { ...answer.Table, TableStatus: 'CREATING' } } : answer) as never
  })
  const g = await open(graph('people', [user]), store, { create: true })
  expect(described).toBe(3)
  expect(await g.user.exists('a')).toBe(false)
})

it('a write with a lost response has an unknown outcome when a cap forbids the lookup', async () => {
  const store = wrap(memory(), async (operation, input, _options, send) => {
    const answer = await send(input)
    if (operation === 'updateItem') throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
    return answer
  })
  const g = await open(graph('people', [user]), store, { create: true })
  await g.user.put({ id: 'a', name: 'Ann' })
  const capped = g.user.update('a', { name: 'Anna' }).run({ caps: { requests: 1 } })
  await expect(capped).rejects.toMatchObject({ code: 'store.unknown' })
  expect((await g.user.get('a'))?.name).toBe('Anna')
})

it('a write that is applied after its lookup returns the new row, and rejects returning the old one', async () => {
  const renaming = async () => {
    const inner = memory()
    let late: (() => Promise<unknown>) | undefined
    let isLosing = false
    const store = wrap(inner, async (operation, input, _options, send) => {
      const answer = operation === 'updateItem' && isLosing ? undefined : await send(input)
      if (answer) {
        await late?.()
        late = undefined
        return answer
      }
      isLosing = false
      late = () => send(input)
      throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
    })
    const g = await open(graph('people', [user]), store, { create: true })
    await g.user.put({ id: 'a', name: 'Ann' })
    isLosing = true
    return { call: g.user.update('a', { name: 'Anna' }).if(row => row.name.is('Ann')) }
  }
  expect(await (await renaming()).call.returning('new')).toEqual({ id: 'a', name: 'Anna' })
  await expect((await renaming()).call.returning('old')).rejects.toMatchObject({ code: 'store.unknown' })
})

const shop = node(
  'shop',
  {
    id: string(),
    rating: integer(),
    stock: integer({ min: 0, max: 99 }),
    place: map({ floor: integer() }),
    aisles: list(string()),
    owner: string().optional(),
  },
  { id: 'id', by: { rating: { order: ['rating'] } } },
)
const shops = graph('shops', [shop])
type Shops = OpenedOf<typeof shops>
const sold = { id: 'a', rating: 5, stock: 5, place: { floor: 5 }, aisles: ['x', 'y', 'z'] }

const ADDED = [
  ['to the key of an index', { rating: add(1) }, { rating: 6 }],
  ['within a range', { stock: add(1) }, { stock: 6 }],
  ['within a map', { place: within({ floor: add(1) }) }, { place: { floor: 6 } }],
  ['to a list and to a range', { stock: add(1), aisles: append('w') }, { stock: 6, aisles: ['x', 'y', 'z', 'w'] }],
  ['behind the end of a list', { aisles: within({ 9: 'w' }) }, { aisles: ['x', 'y', 'z', 'w'] }],
  ['or taken out of a list by its place', { aisles: within({ 0: remove() }) }, { aisles: ['y', 'z'] }],
] as const

/** A shop whose first update gets no response; the given function runs instead. */
async function shopLosing(instead: (send: () => Promise<unknown>, peer: Shops) => Promise<unknown>) {
  const embedded = memory()
  let isLost = false
  const store = wrap(embedded, async (operation, input, _options, send) => {
    if (operation !== 'updateItem' || isLost) return send(input)
    isLost = true
    await instead(() => send(input), peer)
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const peer = await open(shops, embedded)
  const g = await open(shops, store)
  await g.shop.create(sold)
  return g
}

it.each(ADDED)(
  'an addition %s is applied only the first time when other calls change the item before the lost response is noticed',
  async (_, patch, made) => {
    const g = await shopLosing(async (send, peer) => {
      await send()
      await peer.shop.update('a', { owner: 'Ann' })
    })
    await expect(g.shop.update('a', patch)).rejects.toMatchObject({ code: 'store.unknown' })
    expect(await g.shop.get('a')).toEqual({ ...sold, ...made, owner: 'Ann' })
  },
)

it.each(ADDED.slice(0, -1))('an addition %s that never arrived is sent again', async (_, patch, made) => {
  const g = await shopLosing(async () => {})
  await g.shop.update('a', patch)
  expect(await g.shop.get('a')).toEqual({ ...sold, ...made })
})

it.each(ADDED.slice(0, -1))('an addition %s has an unknown outcome when the item has changed', async (_, patch) => {
  const g = await shopLosing((_send, peer) => peer.shop.update('a', { owner: 'Ann' }).run())
  await expect(g.shop.update('a', patch)).rejects.toMatchObject({ code: 'store.unknown' })
  expect(await g.shop.get('a')).toEqual({ ...sold, owner: 'Ann' })
})
