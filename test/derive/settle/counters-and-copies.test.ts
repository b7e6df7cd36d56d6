import { describe, expect, it } from 'vitest'
import { consumer } from '../../../src/derive/settle/consumer.js'
import { memory } from '../../../src/engine/index.js'
import {
  boolean,
  counter,
  date,
  edge,
  embedded,
  graph,
  integer,
  layout,
  node,
  number,
  open,
  string,
} from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'
import type { Row } from '../../graph/model/reference/identity.js'
import { itemsIn } from '../simulator/check-table.js'
import { derived } from './derived-graph.js'

const sale = { id: string(), total: counter(), refunds: counter(), paid: counter(), lost: counter() }

describe('values that edges add to counters', () => {
  const order = node('order', sale, { id: 'id', by: { best: { order: ['total'] } } })
  const item = node('item', { id: string() }, { id: 'id' })
  const line = edge(
    'line',
    { order, item },
    { price: number().optional(), isPaid: boolean().optional(), reason: string().optional() },
    {
      count: {
        order: { into: 'paid', where: { isPaid: true }, by: 'stream' },
      },
      sum: { order: { into: 'total', of: 'price', by: 'stream' } },
    },
  )
  const back = edge(
    'back',
    { order, item },
    { price: number(), reason: string().optional() },
    {
      count: { order: { into: 'refunds', where: { reason: ['torn'] }, by: 'stream' } },
      sum: { order: { into: 'lost', of: 'price', by: 'stream' } },
    },
  )
  const shop = graph('shop', [order, item, line, back])

  it('may be decimal, negative or optional, and the counters sort their nodes', async () => {
    const t = await derived(shop)
    for (const id of ['a', 'b']) await t.g.order.create({ id })
    for (const id of ['x', 'y', 'z']) await t.g.item.create({ id })
    await t.g.line.put({ order: 'a', item: 'x', price: 0.1, isPaid: true })
    await t.g.line.put({ order: 'a', item: 'y', price: 0.2, isPaid: false })
    await t.g.line.put({ order: 'a', item: 'z' })
    await t.g.back.put({ order: 'a', item: 'x', price: -1.05, reason: 'torn' })
    await t.g.line.put({ order: 'b', item: 'x', price: -1e20 })
    await t.isWhole()
    expect(await t.g.order.get('a')).toMatchObject({ total: 0.3, lost: -1.05, paid: 1, refunds: 1 })
    await t.g.line.put({ order: 'a', item: 'x' })
    await t.g.line.update({ order: 'a', item: 'z' }, { price: 3.333, isPaid: true })
    await t.g.back.put({ order: 'a', item: 'x', price: -1.05 })
    await t.isWhole()
    expect(await t.g.order.get('a')).toMatchObject({ total: 3.533, lost: -1.05, paid: 1, refunds: 0 })
    await t.g.line.delete({ order: 'a', item: 'z' })
    await t.isWhole()
    await t.g.order.delete('a')
    await t.isWhole()
    await t.g.order.create({ id: 'a' })
    await t.isWhole()
    expect((await t.g.order.by.best().all()).map(row => [(row as Row).id, (row as Row).total])).toEqual([
      ['b', -1e20],
      ['a', 0.2],
    ])
    expect((await repair(t.g)).repaired).toBe(0)
  })
})

describe('counters that writers maintain in transactions', () => {
  it('counters in transactions are verified as exact decimals, and a repair does not change them', async () => {
    const order = node('order', { id: string(), total: counter() }, { id: 'id' })
    const line = edge(
      'line',
      { order, other: order },
      { price: number() },
      { sum: { order: { into: 'total', of: 'price' } } },
    )
    const store = memory()
    const g = await open(graph('sums', [order, line]), store, { follow: false })
    for (const id of ['a', 'b', 'c']) await g.order.create({ id })
    await g.line.put({ order: 'a', other: 'b', price: 0.1 })
    await g.line.put({ order: 'a', other: 'c', price: 0.2 })
    expect((await verify(g)).faults).toEqual({})
    expect((await repair(g)).repaired).toBe(0)
    expect((await g.order.get('a'))?.total).toBe(0.3)
  })

  it('a repair does not change counters in transactions while an index lags', async () => {
    const a = node('a', { id: string() }, { id: 'id' })
    const b = node('b', { id: string(), n: counter() }, { id: 'id' })
    const e = edge('e', { a, b }, {}, { count: { b: 'n' } })
    const store = memory({ indexLag: { ms: 300 } })
    const g = await open(graph('lagging', [a, b, e]), store, { follow: false })
    await g.a.create({ id: 'x' })
    await g.b.create({ id: 'y' })
    await g.e.put({ a: 'x', b: 'y' })
    expect((await repair(g)).faults).toEqual({})
    expect((await g.b.get('y'))?.n).toBe(1)
  })
})

describe('side items', () => {
  it.each([
    ['shards', { one: { shards: 3 } }],
    ['a mirror in shards', { one: {}, other: { as: 'mirror', shards: 2 } }],
    ['a local order', { one: { as: 'local', order: ['rank'] } }],
  ])('with %s: counters and copies are exact', async (_, by) => {
    const end = node(
      'end',
      { id: string(), no: integer(), name: string(), n: counter(), m: counter() },
      { id: ['id', 'no'] },
    )
    const link = edge(
      'link',
      { one: end, other: end },
      { rank: integer() },
      {
        by: by as never,
        carry: { name: { from: 'one.name', sync: 'eventual' } },
        count: { one: { into: 'n', by: 'stream' }, other: { into: 'm', by: 'stream' } },
      },
    )
    const t = await derived(graph('placed', [end, link], { tenant: true }) as never)
    const g = t.g.$tenant('a#b$c d')
    const ids = Array.from({ length: 12 }, (_, no) => ({ id: `#$ ${no % 3}`, no: no - 6 }))
    for (const id of ids) await g.end.create({ ...id, name: 'before' })
    for (const other of ids) await g.link.put({ one: ids[0], other, rank: 7 - other.no })
    await t.isWhole()
    expect(await g.end.get(ids[0])).toMatchObject({ n: 12, m: 1 })
    await g.end.update(ids[0], { name: 'after' })
    await g.link.delete({ one: ids[0], other: ids[0] })
    await g.link.delete({ one: ids[0], other: ids[5] })
    await g.link.update({ one: ids[0], other: ids[6] }, { rank: 77 })
    await t.isWhole()
    expect(await g.end.get(ids[0])).toMatchObject({ n: 10, m: 0 })
    await g.end.delete(ids[0])
    await t.isWhole()
    await g.end.create({ ...ids[0], name: 'again' })
    await t.isWhole()
    expect(await g.end.get(ids[0])).toMatchObject({ n: 10, m: 0 })
    expect((await repair(t.g)).repaired).toBe(0)
    const { faults } = await verify(t.g, { type: 'end', id: ids[0], tenant: 'a#b$c d' })
    expect(faults).toEqual({})
  })

  it('side items with keys of maximum length have tombstones too', async () => {
    const one = node('one', { id: string(), n: counter() }, { id: 'id' })
    const other = node('other', { id: string(), n: counter() }, { id: 'id' })
    const link = edge(
      'link',
      { one, other },
      {},
      { count: { one: { into: 'n', by: 'stream' }, other: { into: 'n', by: 'stream' } } },
    )
    const t = await derived(graph('long', [one, other, link], { tenant: true }) as never)
    const g = t.g.$tenant(' '.repeat(8))
    const ids = ['#', '$', 'é', '#x'].map(each => each.repeat(400).slice(0, 400))
    for (const id of ids) await g.one.create({ id })
    for (const id of ids) await g.other.create({ id })
    for (const a of ids) for (const b of ids) await g.link.put({ one: a, other: b })
    await t.isWhole()
    for (const a of ids) for (const b of ids) if (a !== b) await g.link.delete({ one: a, other: b })
    await t.isWhole()
    for (const id of ids) expect(await g.one.get(id)).toMatchObject({ n: 1 })
  })

  it('a node with more edges than one batch counts them all if it is created later, and updates all their copies if it is renamed', async () => {
    const one = node('one', { id: string(), name: string(), n: counter() }, { id: 'id' })
    const other = node('other', { id: string() }, { id: 'id' })
    const link = edge(
      'link',
      { one, other },
      {},
      { count: { one: { into: 'n', by: 'stream' } }, carry: { name: { from: 'one.name', sync: 'eventual' } } },
    )
    const t = await derived(graph('many', [one, other, link]))
    await t.g.one.create({ id: 'hub', name: 'first' })
    const calls = Array.from({ length: 1200 }, (_, i) => i)
    for (let at = 0; at < calls.length; at += 100)
      await Promise.all(calls.slice(at, at + 100).map(i => t.g.link.put({ one: 'hub', other: `o${i}` })))
    await t.g.one.delete('hub')
    await t.catchUp()
    await t.g.one.create({ id: 'hub', name: 'second' })
    await t.catchUp()
    expect(await t.g.one.get('hub')).toMatchObject({ n: 1200 })
    const names = await t.g.link.by.one('hub').all()
    expect(new Set(names.map(row => (row as Row).name))).toEqual(new Set(['second']))
    expect((await verify(t.g, { type: 'one' })).faults).toEqual({})
  }, 120_000)
})

it('a foreign delete of an undirected edge updates counters and entries, also of a self-loop', async () => {
  const one = node('one', { id: string(), n: counter(), near: embedded({ weight: integer() }) }, { id: 'id' })
  const link = edge(
    'link',
    { a: one, b: one },
    { weight: integer() },
    { undirected: true, count: { a: { into: 'n', by: 'stream' } }, embed: { a: { into: 'near', max: 9 } } },
  )
  const t = await derived(graph('near', [one, link]))
  for (const id of ['x', 'y', 'z']) await t.g.one.create({ id })
  for (const [a, b] of ['xy', 'zx', 'zz']) await t.g.link.put({ a, b, weight: 1 })
  await t.isWhole()
  expect(await t.g.one.get('z')).toMatchObject({ n: 3 })
  for (const { PK, SK, _type } of await itemsIn(t.store, t.table))
    if (_type?.S === 'link') await t.store.deleteItem({ TableName: t.table, Key: { PK: PK!, SK: SK! } })
  await t.isWhole()
  for (const id of ['x', 'y', 'z']) expect(await t.g.one.get(id)).toMatchObject({ n: 0, near: {} })
})

it('copies that exceed one transaction are written in several', async () => {
  const one = node('one', { id: string(), name: string() }, { id: 'id' })
  const link = edge('link', { one, other: one }, {}, { carry: { name: { from: 'one.name', sync: 'eventual' } } })
  const t = await derived(graph('large', [one, link]))
  await t.g.one.create({ id: 'hub', name: 'x' })
  for (let i = 0; i < 60; i++) await t.g.link.put({ one: 'hub', other: `o${i}` })
  await t.catchUp()
  for (const name of ['y', 'z']) {
    await t.g.one.update('hub', { name: name.repeat(100_000) })
    await t.isWhole()
  }
})

describe('case-folded keys', () => {
  it('identify one edge by two spellings: a record of the first keeps the entry of the second', async () => {
    const pupil = node('pupil', { id: string(), courses: embedded({ mark: integer() }) }, { id: 'id' })
    const course = node('course', { id: string(), n: counter() }, { id: 'id' })
    const takes = edge(
      'takes',
      { course, pupil },
      { mark: integer() },
      {
        count: { course: { into: 'n', by: 'stream' } },
        embed: { pupil: { into: 'courses', max: 9 } },
        by: { pupil: { as: 'none' } },
      },
    )
    const folded = layout(graph('folded', [pupil, course, takes]), {
      raw: { fold: 'upper' },
      keys: {
        pupil: { PK: 'P#{id}', SK: 'P#{id}' },
        course: { PK: 'C#{id}', SK: 'C#{id}' },
        takes: { PK: 'C#{course}', SK: 'TAKES#{pupil}' },
      },
    })
    const t = await derived(folded)
    await t.g.pupil.create({ id: 'ann' })
    await t.g.course.create({ id: 'go' })
    await t.g.takes.put({ course: 'go', pupil: 'ann', mark: 1 })
    await t.g.takes.put({ course: 'go', pupil: 'Ann', mark: 2 })
    await t.catchUp()
    expect(await t.g.pupil.get('ann')).toMatchObject({ courses: { go: { mark: 2 } } })
    expect(await t.g.course.get('go')).toMatchObject({ n: 1 })
    await t.g.takes.delete({ course: 'go', pupil: 'ann' })
    await t.catchUp()
    expect(await t.g.pupil.get('ann')).toMatchObject({ courses: {} })
    expect(await t.g.course.get('go')).toMatchObject({ n: 0 })
  })
})

describe('a consumer', () => {
  it('with a concurrency of 0 is rejected, because it would skip every record', () => {
    const one = node('one', { id: string() }, { id: 'id' })
    for (const concurrency of [0, -1, Number.NaN])
      expect(() => consumer(graph('still', [one]), memory(), { concurrency })).toThrow(
        `concurrency: ${concurrency} is out of range; give a number from 1`,
      )
  })
})

it('an expired edge is deleted with its mirror and subtracted from both counters', async () => {
  const pupil = node('pupil', { id: string(), taken: counter() }, { id: 'id' })
  const course = node('course', { id: string(), size: counter() }, { id: 'id' })
  const takes = edge(
    'takes',
    { course, pupil },
    { until: date() },
    {
      expires: 'until',
      count: { course: { into: 'size', by: 'stream' }, pupil: { into: 'taken', by: 'stream' } },
      by: { pupil: { as: 'mirror' } },
    },
  )
  let now = Date.now()
  const t = await derived(graph('school', [pupil, course, takes]), memory(), () => now)
  const edges = async () => (await itemsIn(t.store, t.table)).filter(item => item._type?.S?.startsWith('takes'))
  const counted = async () => [(await t.g.course.get('go'))?.size, (await t.g.pupil.get('ann'))?.taken]
  await t.g.pupil.put({ id: 'ann' })
  await t.g.course.put({ id: 'go' })
  await t.g.takes.put({ course: 'go', pupil: 'ann', until: new Date(now + 5000) })
  await t.catchUp()
  expect(await counted()).toEqual([1, 1])
  now += 10_000
  const mirror = (await edges()).find(item => item._type?.S === 'takes.pupil')!
  await t.store.deleteItem({ TableName: t.table, Key: { PK: mirror.PK!, SK: mirror.SK! } })
  await t.catchUp()
  expect(await edges()).toEqual([])
  expect(await counted()).toEqual([0, 0])
})
