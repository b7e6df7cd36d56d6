import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { type DiskOptions, disk, type MemoryOptions, memory } from '../../../src/engine/index.js'
import type { Service, Streams } from '../../../src/store/port.js'
import { temporaryFolder } from '../disk/temporary-folder.js'
import { defined, index, key, request } from '../tables.js'

type Embedded = Service & Streams

const TableName = 'Orders'
const TABLE = request({
  AttributeDefinitions: defined('pk', 'color', 'size'),
  KeySchema: key('pk'),
  GlobalSecondaryIndexes: [
    index('by-color', key('color')),
    index('by-size', key('size'), { Projection: { ProjectionType: 'KEYS_ONLY' } }),
  ],
})

/** Creates a store with a settable clock. */
async function lagging(options: MemoryOptions = { indexLag: 1000 }) {
  const clock = { ms: Date.UTC(2026, 0, 1) }
  const store = memory({ now: () => clock.ms, ...options })
  await store.createTable(TABLE)
  return { clock, store }
}

const put = (store: Embedded, pk: string, more: Record<string, string> = {}) =>
  store.putItem({ TableName, Item: itemOf({ pk, ...more }) })

const itemOf = (texts: Record<string, string>): Item =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, { S: text }]))

async function seen(store: Embedded, IndexName: string | undefined = 'by-color'): Promise<string[]> {
  const { Items } = await store.scan({ TableName, ...(IndexName && { IndexName }) })
  return Items!.map(({ pk, color }) => `${pk!.S}:${color?.S ?? ''}`).sort()
}

const red = (store: Embedded) =>
  store.query({
    TableName,
    IndexName: 'by-color',
    KeyConditionExpression: 'color = :color',
    ExpressionAttributeValues: { ':color': { S: 'red' } },
  })

describe('global indexes with lag', () => {
  it('a write becomes visible to Query, Scan and PartiQL after the delay', async () => {
    const { clock, store } = await lagging()
    await put(store, 'a', { color: 'red' })
    const Statement = `SELECT * FROM "Orders"."by-color" WHERE color = 'red'`
    clock.ms += 999
    expect(await seen(store)).toEqual([])
    expect((await red(store)).Count).toBe(0)
    expect((await store.executeStatement({ Statement })).Items).toEqual([])
    clock.ms += 1
    expect(await seen(store)).toEqual(['a:red'])
    expect((await red(store)).Count).toBe(1)
    expect((await store.executeStatement({ Statement })).Items).toEqual([itemOf({ pk: 'a', color: 'red' })])
  })

  it('concurrent calls keep their order, even when changes are due', async () => {
    const { clock, store } = await lagging()
    await put(store, 'b', { color: 'red' })
    clock.ms += 1000
    await Promise.all([put(store, 'a', { color: 'red' }), put(store, 'a', { color: 'blue' })])
    expect((await store.getItem({ TableName, Key: itemOf({ pk: 'a' }) })).Item!.color).toEqual({ S: 'blue' })
  })

  it('deleted and changed entries stay visible until the delay is over', async () => {
    const { clock, store } = await lagging()
    await put(store, 'a', { color: 'red' })
    await put(store, 'b', { color: 'red' })
    clock.ms += 1000
    await store.deleteItem({ TableName, Key: itemOf({ pk: 'a' }) })
    await put(store, 'b', { color: 'blue' })
    expect(await seen(store)).toEqual(['a:red', 'b:red'])
    clock.ms += 1000
    expect(await seen(store)).toEqual(['b:blue'])
  })

  it('tables and local indexes have no lag', async () => {
    const { store } = await lagging()
    await store.createTable({
      ...TABLE,
      TableName: 'Local',
      AttributeDefinitions: defined('pk', 'sk', 'color'),
      KeySchema: key('pk', 'sk'),
      GlobalSecondaryIndexes: undefined,
      LocalSecondaryIndexes: [index('local', key('pk', 'color'))],
    })
    await store.putItem({ TableName: 'Local', Item: itemOf({ pk: 'a', sk: 'b', color: 'red' }) })
    expect((await store.scan({ TableName: 'Local', IndexName: 'local', ConsistentRead: true })).Count).toBe(1)
    await put(store, 'a', { color: 'red' })
    expect(await seen(store, '')).toEqual(['a:red'])
    expect((await store.getItem({ TableName, Key: itemOf({ pk: 'a' }) })).Item).toBeDefined()
  })

  it('a lagging write consumes index units immediately, and none when it becomes visible', async () => {
    const { clock, store } = await lagging()
    const write = (color: string) =>
      store.putItem({ TableName, Item: itemOf({ pk: 'a', color }), ReturnConsumedCapacity: 'INDEXES' })
    const units = async (color: string) =>
      (await write(color)).ConsumedCapacity?.GlobalSecondaryIndexes?.['by-color']?.CapacityUnits
    expect([await units('red'), await units('red'), await units('blue')]).toEqual([1, undefined, 2])
    clock.ms += 1000
    expect(await seen(store)).toEqual(['a:blue'])
  })

  it('DescribeTable counts only visible entries', async () => {
    const { clock, store } = await lagging()
    await put(store, 'a', { color: 'red' })
    const count = async () => (await store.describeTable({ TableName })).Table!.GlobalSecondaryIndexes![0]!.ItemCount
    expect(await count()).toBe(0)
    clock.ms += 1000
    expect(await count()).toBe(1)
  })

  it('a new index contains all items immediately, and a deleted index drops its pending changes', async () => {
    const { clock, store } = await lagging()
    await put(store, 'a', { color: 'red' })
    await store.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-color' } }] })
    await put(store, 'a', { color: 'blue' })
    await store.updateTable({
      TableName,
      AttributeDefinitions: defined('color'),
      GlobalSecondaryIndexUpdates: [{ Create: index('by-color', key('color')) }],
    })
    expect(await seen(store)).toEqual(['a:blue'])
    await put(store, 'a', { color: 'green' })
    expect(await seen(store)).toEqual(['a:blue'])
    clock.ms += 1000
    expect(await seen(store)).toEqual(['a:green'])
  })

  it('the removal of an expired item becomes visible after the delay', async () => {
    const { clock, store } = await lagging({ indexLag: 1000, expiryDelayMs: 0 })
    await store.updateTimeToLive({ TableName, TimeToLiveSpecification: { AttributeName: 'until', Enabled: true } })
    const until = { N: String(clock.ms / 1000 + 10) }
    await store.putItem({ TableName, Item: { ...itemOf({ pk: 'a', color: 'red' }), until } })
    clock.ms += 10_000
    expect([await seen(store, ''), await seen(store)]).toEqual([[], ['a:red']])
    clock.ms += 1000
    expect(await seen(store)).toEqual([])
  })

  it('the items of a transaction become visible independently', async () => {
    const { clock, store } = await lagging({ indexLag: { ms: 0, jitterMs: 1000 }, seed: 1 })
    const Put = (i: number) => ({ Put: { TableName, Item: itemOf({ pk: `p${i}`, color: 'red' }) } })
    await store.transactWriteItems({ TransactItems: Array.from({ length: 20 }, (_, i) => Put(i)) })
    const counts: number[] = []
    for (let i = 0; i <= 1000; i += 100) {
      counts.push((await red(store)).Count!)
      clock.ms += 100
    }
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(new Set(counts).size).toBeGreaterThan(4)
    expect(counts.at(-1)).toBe(20)
  })

  it('the same seed gives the same delays, and another seed gives others', async () => {
    const trace = async (seed: number) => {
      const { clock, store } = await lagging({ indexLag: { ms: 100, jitterMs: 500 }, seed })
      const seenThen: string[][] = []
      for (let i = 0; i < 30; i++) {
        await put(store, `p${i % 5}`, { color: `c${i}` })
        clock.ms += 40
        seenThen.push(await seen(store))
      }
      return seenThen
    }
    expect(await trace(1)).toEqual(await trace(1))
    expect(await trace(1)).not.toEqual(await trace(2))
  })

  it('the states of an item become visible in order, and the last one remains', async () => {
    const step = fc.record({
      pk: fc.constantFrom('a', 'b', 'c'),
      color: fc.constantFrom('red', 'blue', undefined, 'delete'),
      size: fc.option(fc.constantFrom('S', 'L')),
      ms: fc.constantFrom(0, 0, 100, 700),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.integer(), async (steps, seed) => {
        const { clock, store } = await lagging({ indexLag: { ms: 200, jitterMs: 600 }, seed })
        const states = new Map<string, string[]>()
        const shownAt = new Map<string, number>()
        for (const [i, { pk, color, size, ms }] of steps.entries()) {
          const texts = { pk, n: String(i), ...(color && { color }), ...(size && { size }) }
          if (color === 'delete') await store.deleteItem({ TableName, Key: itemOf({ pk }) })
          else await store.putItem({ TableName, Item: itemOf(texts) })
          states.set(pk, [...(states.get(pk) ?? []), color === 'delete' || !color ? 'none' : String(i)])
          clock.ms += ms
          const shown = new Map(
            (await store.scan({ TableName, IndexName: 'by-color' })).Items!.map(item => [item.pk!.S!, item.n!.S!]),
          )
          for (const [of, history] of states) {
            const at = ['none', ...history].indexOf(shown.get(of) ?? 'none', shownAt.get(of) ?? 0)
            expect(at).toBeGreaterThanOrEqual(0)
            shownAt.set(of, at)
          }
        }
        clock.ms += 800
        const inOrder = (items: Item[]) => items.toSorted((a, b) => (a.pk!.S! < b.pk!.S! ? -1 : 1))
        const { Items } = await store.scan({ TableName })
        const { Items: byColor } = await store.scan({ TableName, IndexName: 'by-color' })
        expect(inOrder(byColor!)).toEqual(inOrder(Items!.filter(({ color }) => color)))
        const { Items: bySize } = await store.scan({ TableName, IndexName: 'by-size' })
        const sized = Items!.flatMap(({ pk, size }) => (size ? [{ pk: pk!, size }] : []))
        expect(inOrder(bySize!)).toEqual(inOrder(sized))
      }),
      { numRuns: 60 },
    )
  })

  it('the last state of an item remains even if it was written while others were pending', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const { clock, store } = await lagging({ indexLag: { ms: 0, jitterMs: 1000 }, seed })
      for (const color of ['red', 'blue']) await put(store, 'a', { color })
      while ((await seen(store)).length === 0) clock.ms += 10
      for (const color of ['green', 'white']) await put(store, 'a', { color })
      clock.ms += 500
      await seen(store)
      clock.ms += 1000
      expect(await seen(store)).toEqual(['a:white'])
    }
  })

  it('an invalid delay is rejected', () => {
    expect(() => memory({ indexLag: -1 })).toThrow(
      new RangeError('indexLag: -1 is not a delay; use whole milliseconds from 0.'),
    )
    expect(() => memory({ indexLag: { ms: 1, jitterMs: 0.5 } })).toThrow(
      'indexLag: {"ms":1,"jitterMs":0.5} is not a delay',
    )
  })
})

describe('lagging indexes on disk', () => {
  function folder(options: DiskOptions = { indexLag: 1000 }) {
    const clock = { ms: Date.UTC(2026, 0, 1) }
    const path = temporaryFolder()
    const open = (other: DiskOptions = options) => disk(path, { now: () => clock.ms, sync: false, ...other })
    return { clock, open }
  }

  it('pending changes become visible on time after reopening', async () => {
    const { clock, open } = folder()
    let store = open()
    await store.createTable(TABLE)
    await put(store, 'a', { color: 'red' })
    clock.ms += 500
    await put(store, 'a', { color: 'blue' })
    await store.close()
    store = open()
    expect(await seen(store)).toEqual([])
    await put(store, 'a', { color: 'green' })
    clock.ms += 500
    expect(await seen(store)).toEqual(['a:red'])
    clock.ms += 500
    expect(await seen(store)).toEqual(['a:green'])
    await store.close()
  })

  it('pending changes are applied immediately when the lag is turned off, and later writes follow in order', async () => {
    const { clock, open } = folder({ indexLag: { ms: 5000, jitterMs: 5000 } })
    let store = open()
    await store.createTable(TABLE)
    for (const color of ['red', 'blue', 'green']) await put(store, 'a', { color })
    await store.close()
    store = open({})
    await put(store, 'a', { color: 'white' })
    expect(await seen(store)).toEqual(['a:white'])
    const { Table } = await store.describeTable({ TableName })
    expect(Table!.GlobalSecondaryIndexes!.map(({ ItemCount }) => ItemCount)).toEqual([1, 0])
    await store.close()
    clock.ms += 20_000
    store = open({})
    expect(await seen(store)).toEqual(['a:white'])
    await store.close()
  })

  it('the last state of an item remains even if the folder was reopened while others were pending', async () => {
    for (let seed = 0; seed < 5; seed++) {
      const { clock, open } = folder({ indexLag: { ms: 0, jitterMs: 1000 }, seed })
      let store = open()
      await store.createTable(TABLE)
      for (const color of ['red', 'blue']) await put(store, 'a', { color })
      await store.close()
      store = open()
      for (const color of ['green', 'white']) await put(store, 'a', { color })
      for (let ms = 0; ms <= 1000; ms += 250) {
        await seen(store)
        clock.ms += 250
      }
      expect(await seen(store)).toEqual(['a:white'])
      await store.close()
    }
  })

  it('an entry with a binary key is removed', async () => {
    const { clock, open } = folder()
    const store = open()
    await store.createTable({
      ...TABLE,
      AttributeDefinitions: [...defined('pk'), { AttributeName: 'bytes', AttributeType: 'B' }],
      GlobalSecondaryIndexes: [index('by-bytes', key('bytes'))],
    })
    const entries = async () => {
      clock.ms += 1000
      return (await store.scan({ TableName, IndexName: 'by-bytes' })).Count
    }
    for (const pk of ['a', 'b'])
      await store.putItem({ TableName, Item: { pk: { S: pk }, bytes: { B: new Uint8Array([0, 255]) } } })
    expect(await entries()).toBe(2)
    await store.deleteItem({ TableName, Key: itemOf({ pk: 'a' }) })
    await put(store, 'b')
    expect(await entries()).toBe(0)
    await store.close()
  })

  it('pending changes keep binaries and long keys', async () => {
    const { clock, open } = folder()
    let store = open()
    await store.createTable(TABLE)
    const Item = {
      ...itemOf({ pk: 'p'.repeat(2048), color: 'c'.repeat(2048) }),
      bytes: { B: new Uint8Array([0, 255]) },
    }
    await store.putItem({ TableName, Item })
    await store.close()
    store = open()
    clock.ms += 1000
    expect((await store.scan({ TableName, IndexName: 'by-color' })).Items).toEqual([Item])
    await store.close()
  })
})
