import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, node, open, string, wrap } from '../../../src/index.js'
import { type FailedRow, type LoadCursor, load } from '../../../src/jobs/load/load.js'
import type { Operation, Store } from '../../../src/store/port.js'
import { lines, source } from './sources.js'

const town = node('town', { id: string(), roads: counter() }, { id: 'id' })
const house = node('house', { id: string() }, { id: 'id' })
const street = edge('street', { from: house, to: house })
const road = edge('road', { town, house }, {}, { count: { town: 'roads' } })
const path = edge('path', { from: house, to: house }, {}, { by: { to: { as: 'mirror' } } })

/** An embedded store that records its requests. */
function told(): { store: Store; sent: Operation[] } {
  const sent: Operation[] = []
  const own = memory()
  const store = wrap(own, (operation, request, options, send) => {
    sent.push(operation)
    return send(request, options)
  })
  const marks = Object.getOwnPropertySymbols(own).map(mark => [mark, Object.getOwnPropertyDescriptor(own, mark)!])
  return { store: Object.defineProperties(store, Object.fromEntries(marks)), sent }
}

const writesIn = (sent: readonly Operation[]) =>
  sent.filter(name => /^(batchWrite|transactWrite|put|update)Item/.test(name))
const houses = (count: number) => Array.from({ length: count }, (_, i) => ({ type: 'house', id: `h${i}` }))
const text = (...rows: object[]) => source('rows', 'json', lines(...rows), { chunkBytes: 1000 })

describe('the requests of a load', () => {
  it('contain 25 nodes each, also if deletions of these nodes leave their edges', async () => {
    const { store, sent } = told()
    const g = await open(graph('streets', [house, street]), store)
    sent.length = 0
    expect(await load(g, [text(...houses(60))])).toMatchObject({ written: 60, units: 60 })
    expect(writesIn(sent)).toEqual(['batchWriteItem', 'batchWriteItem', 'batchWriteItem'])
    expect(await g.house.scan().all()).toHaveLength(60)
  })

  it('contain several edges each on an embedded store, if edges need transactions', async () => {
    const { store, sent } = told()
    const g = await open(graph('roads', [town, house, road, path]), store)
    await load(g, [text({ type: 'town', id: 't' }, ...houses(60))])
    sent.length = 0
    const roads = houses(60).map(({ id }) => ({ type: 'road', town: 't', house: id }))
    const paths = houses(60).map(({ id }) => ({ type: 'path', from: id, to: 'h0' }))
    expect(await load(g, [text(...roads, ...paths)])).toMatchObject({ written: 120 })
    expect(writesIn(sent)).toEqual(Array.from({ length: 12 }, () => 'transactWriteItems'))
    expect(await g.town.get('t')).toEqual({ id: 't', roads: 60 })
    expect(await g.path.by.to('h0').all()).toHaveLength(60)
    // A repeated load counts nothing twice.
    expect(await load(g, [text(...roads, ...paths)])).toMatchObject({ written: 120 })
    expect(await g.town.get('t')).toEqual({ id: 't', roads: 60 })
  })

  it('reject only invalid rows and write the others of their batch', async () => {
    const { store } = told()
    const g = await open(graph('roads', [town, house, road]), store)
    const failed: FailedRow[] = []
    const roads = houses(60).map(({ id }, i) => ({ type: 'road', town: i % 20 === 7 ? 'none' : 't', house: id }))
    const counts = await load(g, [text({ type: 'town', id: 't' }, ...houses(60), ...roads)], {
      failed: rows => void failed.push(...rows),
    })
    expect(counts).toMatchObject({ written: 1 + 60 + 57, failed: 3 })
    expect(failed.map(({ line, code }) => [line, code])).toEqual([69, 89, 109].map(line => [line, 'edge.end.absent']))
    expect(await g.town.get('t')).toEqual({ id: 't', roads: 57 })
  })

  it('contain one edge each on AWS, where a transaction costs more for an existing row', async () => {
    const { store, sent } = told()
    const elsewhere = wrap(store, (_, request, options, send) => send(request, options))
    const g = await open(graph('roads', [town, house, road]), elsewhere, { create: true })
    await load(g, [text({ type: 'town', id: 't' }, ...houses(10))])
    sent.length = 0
    await load(g, [text(...houses(10).map(({ id }) => ({ type: 'road', town: 't', house: id })))])
    expect(writesIn(sent)).toHaveLength(10)
  })
})

describe('during the write of a round', () => {
  const rows = lines(...houses(300))
  const rounds = { concurrency: 1 }

  it('the next round is read', async () => {
    let read = 0
    const own = memory()
    const reads: number[] = []
    const store = wrap(own, async (operation, request, options, send) => {
      if (operation !== 'batchWriteItem') return send(request, options)
      const before = read
      for (let turns = 0; turns < 20; turns++) await new Promise(resolve => setImmediate(resolve))
      reads.push(read - before)
      return send(request, options)
    })
    const g = await open(graph('streets', [house, street]), store, { create: true })
    const lined = source('rows', 'json', rows, { chunkBytes: 500 })
    async function* counted(start: number) {
      for await (const chunk of lined.open(start)) {
        read += chunk.length
        yield chunk
      }
    }
    await load(g, [{ ...lined, open: counted }], rounds)
    expect(reads[0]).toBeGreaterThan(0)
    expect(await g.house.scan().all()).toHaveLength(300)
  })

  it('the error of an input waits until the round is written and reported', async () => {
    const g = await open(graph('streets', [house, street]), memory())
    const places: LoadCursor[] = []
    const broken = source('rows', 'json', rows.slice(0, 150 * 30), { chunkBytes: 500 })
    async function* breaking(start: number) {
      yield* broken.open(start)
      throw new Error('the cable is cut')
    }
    const loading = load(g, [{ ...broken, open: breaking }], { ...rounds, progress: place => void places.push(place) })
    await expect(loading).rejects.toThrow('the cable is cut')
    const { written, lines: done } = places.at(-1)!
    expect(written).toBe(128)
    expect(done).toBe(128)
    expect(await g.house.scan().all()).toHaveLength(128)
    const whole = source('rows', 'json', rows)
    expect(await load(g, [whole], { from: places.at(-1)! })).toMatchObject({ written: 300, failed: 0 })
  })
})
