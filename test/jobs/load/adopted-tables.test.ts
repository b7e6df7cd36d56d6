import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/memory.js'
import { counter, date, edge, graph, integer, layout, node, open, string, wrap } from '../../../src/index.js'
import { dump } from '../../../src/jobs/dump/dump.js'
import { csvTexts, jsonTexts } from '../../../src/jobs/dump/row-texts.js'
import { type FailedRow, type LoadCursor, load } from '../../../src/jobs/load/load.js'
import { itemToJson } from '../../../src/jobs/rows/item-json.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import { lines, source } from './sources.js'

const customer = node('customer', { id: string(), name: string() }, { id: 'id' })
const invoice = node('invoice', { id: string(), date: date(), balance: integer() }, { id: 'id' })
const bill = node('bill', { id: string(), amount: integer() }, { id: 'id' })
const billedTo = edge('billedTo', { invoice, customer }, {}, { by: { customer: { as: 'inverted' } } })
const contains = edge('contains', { invoice, bill }, { part: integer() }, { by: { bill: { as: 'inverted' } } })

/** The table of the exercise, with foreign keys. */
const invoices = layout(graph('InvoiceAndBills', [customer, invoice, bill, billedTo, contains]), {
  keys: {
    customer: { PK: 'C#{id}', SK: 'C#{id}' },
    invoice: { PK: 'I#{id}', SK: 'I#{id}' },
    bill: { PK: 'B#{id}', SK: 'B#{id}' },
    billedTo: { PK: 'I#{invoice}', SK: 'C#{customer}' },
    contains: { PK: 'I#{invoice}', SK: 'B#{bill}' },
  },
  raw: true,
  indexes: { GSI_1: { keys: ['SK', 'PK'] } },
  capacity: { read: 100, write: 100 },
})

const rows = {
  customer: [{ id: '1317', name: 'Ann' }],
  invoice: [{ id: '506', date: new Date('2026-01-31'), balance: 700 }],
  bill: [{ id: '3392', amount: 900 }],
  billedTo: [{ invoice: '506', customer: '1317' }],
  contains: [{ invoice: '506', bill: '3392', part: 600 }],
}

const collected = (g: Awaited<ReturnType<typeof opened>>) =>
  g.invoice.collect('506', { customer: g.billedTo.by.invoice, bills: g.contains.by.invoice })

const opened = () => open(invoices, memory(), { create: true })

describe('a foreign table', () => {
  it.each([true, false])('a foreign table is loaded from its export, with type marks: %s', async marked => {
    const items = itemsOf(invoices, rows).map(({ item: { _type, ...item } }) =>
      marked ? { ...item, _type: _type! } : item,
    )
    const text = items.map(item => `{"Item":${itemToJson(item)}}\n`).join('')
    const failed: FailedRow[] = []
    const g = await opened()
    const counts = await load(g, [source('export', 'dynamodb', text)], { failed: each => void failed.push(...each) })
    expect(failed).toEqual([])
    expect(counts.written).toBe(5)
    expect(await collected(g)).toEqual({
      node: rows.invoice[0],
      customer: rows.billedTo,
      bills: rows.contains,
    })
    expect(await g.contains.by.bill('3392').all()).toEqual(rows.contains)
  })

  it('reports its items without a known type', async () => {
    const failed: FailedRow[] = []
    const text =
      '{"Item":{"PK":{"S":"X#1"},"SK":{"S":"X#1"}}}\n{"Item":{"PK":"X"}}\n{"Item":{"PK":{"S":"B#1"},"SK":{"S":"B#1"}}}\n'
    await load(await opened(), [source('export', 'dynamodb', text)], { failed: each => void failed.push(...each) })
    expect(failed.map(({ line, code }) => [line, code])).toEqual([
      [1, 'load.row'],
      [2, 'load.row'],
      [3, 'write.missing'],
    ])
  })

  it('a foreign table is dumped as its rows', async () => {
    const g = await opened()
    await load(g, [source('rows', 'json', lines(...rows.bill.map(row => ({ type: 'bill', ...row }))))])
    const seen: unknown[] = []
    await dump(g, page => void seen.push(...page.rows.map(({ type, row }) => [type.name, row])))
    expect(seen).toEqual([['bill', rows.bill[0]]])
  })

  it('has other versions of nodes under the same mark, which are neither dumped nor loaded', async () => {
    const note = node('note', { id: string(), text: string() }, { id: 'id' })
    const placed = layout(graph('notes', [note]), { raw: true, keys: { note: { PK: 'N#{id}', SK: 'now' } } })
    const store = memory()
    const g = await open(placed, store)
    await g.note.put({ id: '1', text: 'new' })
    const { Item = {} } = await store.getItem({ TableName: 'notes', Key: { PK: { S: 'N#1' }, SK: { S: 'now' } } })
    await store.putItem({ TableName: 'notes', Item: { ...Item, SK: { S: 'v1' }, text: { S: 'old' } } })
    const texts: string[] = []
    const counts = await dump(g, ({ rows, items }) => {
      expect(rows.map(({ row }) => row)).toEqual([{ id: '1', text: 'new' }].slice(0, rows.length))
      texts.push(...items.map(item => `{"Item":${itemToJson(item)}}\n`))
    })
    expect(counts).toMatchObject({ rows: 1, unknown: 1, failed: 0 })
    const again = await open(placed, memory())
    const failed: FailedRow[] = []
    await load(again, [source('export', 'dynamodb', texts.join(''))], { failed: each => void failed.push(...each) })
    expect(failed.map(({ code, text }) => [code, text.includes('old')])).toEqual([['load.row', true]])
    expect(await again.note.get('1')).toEqual({ id: '1', text: 'new' })
  })

  it.each([{ NewImage: {} }, { OldImage: {} }, {}])('rejects an incremental export: %j', async images => {
    const text = lines({ Metadata: {}, Keys: { PK: { S: 'a' } }, ...images })
    await expect(load(await opened(), [source('export', 'dynamodb', text)])).rejects.toMatchObject({
      code: 'load.input',
    })
  })
})

describe('a load with conflicting transactions', () => {
  it('counts every edge of one node and rejects no row', { timeout: 60_000 }, async () => {
    const course = node('course', { id: string(), pupils: counter() }, { id: 'id' })
    const pupil = node('pupil', { id: string() }, { id: 'id' })
    const takes = edge('takes', { course, pupil }, {}, { count: { course: 'pupils' } })
    const g = await open(graph('school', [course, pupil, takes]), memory({ conflicts: 5 }))
    const text = lines(
      { type: 'course', id: 'c' },
      ...Array.from({ length: 60 }, (_, i) => ({ type: 'pupil', id: `p${i}` })),
      ...Array.from({ length: 60 }, (_, i) => ({ type: 'takes', course: 'c', pupil: `p${i}` })),
    )
    const failed: FailedRow[] = []
    await load(g, [source('rows', 'json', text, { chunkBytes: 1000 })], { failed: each => void failed.push(...each) })
    expect(failed).toEqual([])
    expect((await g.course.get('c'))?.pupils).toBe(60)
  })
})

describe('a graph with tenants', () => {
  const note = node('note', { id: string(), type: string() }, { id: 'id' })
  const notes = graph('notes', [note], { tenant: true })

  it("reads the tenant of each row or one for all, and distinguishes an attribute 'type' from the type", async () => {
    const g = await open(notes, memory())
    const failed: FailedRow[] = []
    const text = lines(
      { $type: 'note', tenant: 'acme', id: '1', type: 'memo' },
      { $type: 'note', id: '2', type: 'memo' },
      { type: 'note', id: '3' },
    )
    const options = { failed: (each: readonly FailedRow[]) => void failed.push(...each) }
    await load(g, [source('rows', 'json', text)], options)
    expect(failed.map(({ line, message }) => [line, message])).toEqual([
      [2, 'row: it has no tenant; add its tenant.'],
      [3, "row: it has no type; set '$type' to one of note."],
    ])
    expect(await g.$tenant('acme').note.get('1')).toEqual({ id: '1', type: 'memo' })
    await load(g, [source('rows', 'json', lines({ id: '2', type: 'memo' }), { type: 'note' })], { tenant: 'other' })
    expect(await g.$tenant('other').note.get('2')).toEqual({ id: '2', type: 'memo' })
    const seen: unknown[] = []
    await dump(g, page => void seen.push(...page.rows.map(({ tenant, row }) => [tenant, row.id])), { tenant: 'other' })
    expect(seen).toEqual([['other', '2']])
  })

  it.each(['json', 'csv', 'dynamodb'] as const)('a load from %s restores the tenant of each row', async format => {
    const g = await open(notes, memory())
    await g.$tenant('acme').note.put({ id: '1', type: 'of acme' })
    await g.$tenant('other').note.put({ id: '1', type: 'of others' })
    const { csv, json } = { csv: csvTexts(layout(notes)), json: jsonTexts(layout(notes)) }
    let text = format === 'csv' ? csv.header(layout(notes).graph.declared.nodes[0]!) : ''
    await dump(g, ({ rows, items }) => {
      if (format === 'dynamodb') text += lines(...items.map(item => ({ Item: JSON.parse(itemToJson(item)) })))
      else for (const row of rows) text += (format === 'csv' ? csv : json).line(row)
    })
    const again = await open(notes, memory())
    const type = format === 'csv' ? { type: 'note' } : {}
    expect(await load(again, [source('rows', format, text, type)])).toMatchObject({ written: 2, failed: 0 })
    expect(await again.$tenant('acme').note.get('1')).toEqual({ id: '1', type: 'of acme' })
    expect(await again.$tenant('other').note.get('1')).toEqual({ id: '1', type: 'of others' })
  })
})

describe('a store that becomes unreachable', () => {
  it('ends the load at its position, without a request for each row', async () => {
    const item = node('item', { id: string() }, { id: 'id' })
    const inner = memory()
    let left = 30
    let asked = 0
    const store = wrap(inner, async (operation, request, options, send) => {
      if (operation !== 'batchWriteItem') return send(request, options)
      if (left-- > 0) return send(request, options)
      asked++
      throw Object.assign(new Error('connect'), { code: 'ECONNREFUSED' })
    })
    const retry = { attempts: 2, baseDelayMs: 1 }
    const g = await open(graph('items', [item]), store, { create: true, retry })
    const text = lines(...Array.from({ length: 5000 }, (_, i) => ({ type: 'item', id: `i${i}` })))
    let place: LoadCursor | undefined
    const progress = (told: LoadCursor) => {
      place = told
    }
    const options = { progress }
    await expect(load(g, [source('rows', 'json', text, { chunkBytes: 9000 })], options)).rejects.toMatchObject({
      code: 'store.absent',
    })
    expect(place?.written).toBe(0)
    expect(asked).toBeLessThan(500)
    left = Number.POSITIVE_INFINITY
    const counts = await load(g, [source('rows', 'json', text, { chunkBytes: 9000 })], { from: place })
    expect(counts.written).toBe(5000)
    expect(await g.item.scan().count()).toBe(5000)
  })
})

describe('an export', () => {
  it('does not restore items with an expired foreign time to live', async () => {
    const attributes = { id: string(), until: date().optional() }
    const types = [node('plain', attributes, { id: 'id' }), node('dated', attributes, { id: 'id', expires: 'until' })]
    const sessions = layout(graph('sessions', types), { table: { expires: 'ttl' } })
    const nowSeconds = 1_800_000_000
    const g = await open(sessions, memory(), { create: true, clock: () => nowSeconds * 1000 })
    const until = { S: new Date((nowSeconds - 1) * 1000).toISOString() }
    const items = ['plain', 'dated'].flatMap(type => {
      const item = (id: string, more: Item) => ({
        PK: { S: `${type}#${id}` },
        SK: { S: '#' },
        _type: { S: type },
        ...more,
      })
      return [
        item('gone', { ttl: { N: `${nowSeconds}` } }),
        item('soon gone', { ttl: { N: `${nowSeconds + 1}` } }),
        item('kept', {}),
        item('once', { until }),
      ]
    })
    const text = items.map(item => `{"Item":${itemToJson(item)}}\n`).join('')
    await load(g, [source('export', 'dynamodb', text)])
    const idsOf = async (of: 'plain' | 'dated') => (await g[of].scan().all()).map(({ id }) => id).sort()
    expect(await idsOf('plain')).toEqual(['kept', 'once', 'soon gone'])
    expect(await idsOf('dated')).toEqual(['kept', 'soon gone'])
  })

  it('does not restore a node with a delete mark', async () => {
    const movie = node('movie', { name: string() }, { id: 'name' })
    const actor = node('actor', { name: string() }, { id: 'name' })
    const role = edge('role', { movie, actor }, {}, { onDelete: { movie: 'cascade' } })
    const cinema = graph('cinema', [movie, actor, role])
    const store = memory()
    const g = await open(cinema, store)
    await g.movie.put({ name: 'Big' })
    await g.actor.put({ name: 'Tom' })
    await g.role.put({ movie: 'Big', actor: 'Tom' })
    const dying = wrap(store, async (operation, request, options, send) => {
      if (operation === 'deleteItem' || operation === 'transactWriteItems') throw new Error('the line is cut')
      return send(request, options)
    })
    await expect(open(cinema, dying).then(each => each.movie.delete('Big'))).rejects.toThrow()
    expect(await g.movie.get('Big')).toBeUndefined()
    const { Items = [] } = await store.scan({ TableName: 'cinema' })
    expect(Items.some(({ PK, SK }) => PK?.S === 'movie#Big' && SK?.S === '#')).toBe(true)
    const text = Items.map(item => `{"Item":${itemToJson(item)}}\n`).join('')
    const again = await open(cinema, memory())
    await load(again, [source('export', 'dynamodb', text)])
    expect(await again.movie.get('Big')).toBeUndefined()
    expect(await again.actor.get('Tom')).toEqual({ name: 'Tom' })
  })
})
