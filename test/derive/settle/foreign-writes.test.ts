import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/engine/index.js'
import { counter, date, edge, graph, integer, layout, node, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'
import { itemsIn } from '../simulator/check-table.js'
import { derived } from './derived-graph.js'

describe('a foreign item', () => {
  const pupil = node('pupil', { id: string(), name: string() }, { id: 'id' })
  const course = node('course', { id: string(), size: counter() }, { id: 'id' })
  const takes = edge(
    'takes',
    { course, pupil },
    { mark: integer().optional() },
    {
      count: { course: { into: 'size', by: 'stream' } },
      carry: { name: { from: 'pupil.name', sync: 'eventual' } },
      by: { pupil: { as: 'mirror' } },
    },
  )
  const adopted = layout(graph('adopted', [pupil, course, takes]), {
    keys: {
      pupil: { PK: 'P#{id}', SK: 'P#{id}' },
      course: { PK: 'C#{id}', SK: 'C#{id}' },
      takes: { PK: 'C#{course}', SK: 'P#{pupil}', mirror: { PK: 'P#{pupil}', SK: 'C#{course}' } },
    },
    raw: true,
    type: { attribute: 'Kind', values: { pupil: 'Pupil', course: 'Course', takes: 'Takes' } },
    names: { course: { size: 'Size' }, takes: { name: 'PupilName', mark: 'Mark' } },
  })
  const text = (values: Record<string, string>): Item =>
    Object.fromEntries(Object.entries(values).map(([name, S]) => [name, { S }]))

  it.each([true, false])('a foreign item is counted and has copies, with type marks: %s', async marked => {
    const t = await derived(adopted)
    const mark = (Kind: string) => (marked ? { Kind } : {})
    const unmarked = (items: number) => (marked ? {} : { 'mark.missing': items })
    await t.put(text({ PK: 'P#ann', SK: 'P#ann', id: 'ann', name: 'Ann', ...mark('Pupil') }))
    await t.put(text({ PK: 'C#go', SK: 'C#go', id: 'go', ...mark('Course') }))
    await t.put(text({ PK: 'C#go', SK: 'P#ann', course: 'go', pupil: 'ann', ...mark('Takes') }))
    await t.g.pupil.put({ id: 'bob', name: 'Bob' })
    await t.g.takes.put({ course: 'go', pupil: 'bob' })
    await t.catchUp()
    expect(await t.g.course.get('go')).toMatchObject({ size: 2 })
    expect(await t.g.takes.get({ course: 'go', pupil: 'ann' })).toMatchObject({ name: 'Ann' })
    expect(await t.g.takes.by.pupil('ann').all()).toHaveLength(1)
    expect((await verify(t.g)).faults).toEqual(unmarked(3))
    await t.put(text({ PK: 'P#ann', SK: 'P#ann', id: 'ann', name: 'Anna', ...mark('Pupil') }))
    await t.catchUp()
    expect(await t.g.takes.get({ course: 'go', pupil: 'ann' })).toMatchObject({ name: 'Anna' })
    await t.store.deleteItem({ TableName: t.table, Key: text({ PK: 'C#go', SK: 'P#ann' }) })
    await t.catchUp()
    expect(await t.g.course.get('go')).toMatchObject({ size: 1 })
    expect((await verify(t.g)).faults).toEqual(unmarked(2))
    expect((await repair(t.g)).repaired).toBe(marked ? 0 : 2)
    expect((await verify(t.g)).faults).toEqual({})
    expect(await t.g.course.get('go')).toMatchObject({ size: 1 })
  })

  it.each([
    ['next to an edge, with its type mark', { PK: 'C#go', SK: 'P#ann#2', course: 'go', pupil: 'ann', Kind: 'Takes' }],
    ['next to an edge, without a type mark', { PK: 'C#go', SK: 'P#ann#2', course: 'go', pupil: 'ann' }],
    ['next to an edge of another node', { PK: 'C#go', SK: 'P#ann#2', course: 'art', pupil: 'bob', Kind: 'Takes' }],
    ['elsewhere, as an edge', { PK: 'X', SK: 'Y', course: 'go', pupil: 'zed', Kind: 'Takes' }],
    ['elsewhere, as a copy of an edge', { PK: 'X', SK: 'Y', course: 'go', pupil: 'ann', Kind: 'Takes' }],
    ['elsewhere, as a tombstone', { PK: 'X', SK: 'Y', Kind: '$gone' }],
    ['elsewhere, as a node', { PK: 'X', SK: 'Y', id: 'go', Size: 'large', Kind: 'Course' }],
  ])('a foreign item is neither counted nor changed if it is stored %s', async (_, texts) => {
    const stray = text(texts as Record<string, string>)
    const t = await derived(adopted)
    for (const isFirst of [true, false]) {
      await t.put(stray)
      for (const [pupil, course] of [
        ['ann', 'go'],
        ['bob', 'art'],
      ] as const) {
        await t.g.pupil.put({ id: pupil, name: isFirst ? pupil : `${pupil} again` })
        await t.g.course.put({ id: course })
        await t.g.takes.put({ course, pupil })
      }
      await t.catchUp()
      expect((await repair(t.g)).faults).toEqual({ 'item.unknown': 1 })
      await t.catchUp()
      expect(await itemsIn(t.store, t.table)).toContainEqual(stray)
      for (const id of ['go', 'art']) expect(await t.g.course.get(id)).toMatchObject({ size: 1 })
      await t.store.deleteItem({ TableName: t.table, Key: text({ PK: texts.PK, SK: texts.SK }) })
      await t.isWhole()
    }
  })

  it('a foreign item that does not identify its ends does not prevent copies on other edges', async () => {
    const t = await derived(adopted)
    await t.g.pupil.put({ id: 'ann', name: 'Ann' })
    for (const id of ['a', 'b', 'c']) await t.g.takes.put({ course: id, pupil: 'ann' })
    await t.catchUp()
    await t.put(text({ PK: 'P#ann', SK: 'C#bad', pupil: 'ann', Kind: 'takes.pupil' }))
    await t.handle(await t.tap.poll())
    await t.g.pupil.update('ann', { name: 'Anna' })
    const { failures } = await t.handle(await t.tap.poll())
    const names = []
    for (const course of ['a', 'b', 'c']) names.push(await t.g.takes.get({ course, pupil: 'ann' }))
    expect(names).toMatchObject([{ name: 'Anna' }, { name: 'Anna' }, { name: 'Anna' }])
    expect(failures.map(({ record }) => record.dynamodb?.Keys?.PK?.S)).toEqual(['P#ann'])
  })

  it('without an identity is reported by verify and repair, and they continue', async () => {
    const t = await derived(adopted)
    await t.g.pupil.put({ id: 'ann', name: 'Ann' })
    await t.g.course.put({ id: 'a' })
    await t.g.takes.put({ course: 'a', pupil: 'ann' })
    await t.catchUp()
    await t.put(text({ PK: 'P#ann', SK: 'C#bad', pupil: 'ann', Kind: 'takes.pupil' }))
    await t.put(text({ PK: 'C#b', SK: 'P#bad', course: 'b', Kind: 'Takes' }))
    const faults = { 'item.unreadable': 1, 'mirror.orphan': 1 }
    expect(await verify(t.g)).toMatchObject({ read: 7, faults })
    expect(await repair(t.g)).toMatchObject({ read: 7, repaired: 0, faults })
    expect(await verify(t.g, { type: 'pupil', id: 'ann' })).toMatchObject({ faults: { 'mirror.orphan': 1 } })
    expect(await verify(t.g, { type: 'course', id: 'b' })).toMatchObject({ faults: { 'item.unreadable': 1 } })
  })

  it('a foreign item is counted once if it replaces a node or an edge and drops its recorded contribution', async () => {
    const t = await derived(adopted)
    const own = text({ PK: 'C#go', SK: 'C#go', id: 'go' })
    const taken = text({ PK: 'C#go', SK: 'P#ann', course: 'go', pupil: 'ann' })
    for (const [at, item] of [own, taken, taken, own, taken, own].entries()) {
      await t.put(item)
      await t.catchUp()
      expect(await t.g.course.get('go')).toMatchObject({ size: at === 0 ? 0 : 1 })
    }
    await t.g.takes.delete({ course: 'go', pupil: 'ann' })
    await t.catchUp()
    expect(await t.g.course.get('go')).toMatchObject({ size: 0 })
  })

  it('a foreign item that replaces an edge is mirrored, and old attributes are removed from the mirror', async () => {
    const one = node('one', { id: string(), n: counter() }, { id: 'id' })
    const link = edge(
      'link',
      { one, other: one },
      { note: string().optional() },
      { count: { other: { into: 'n', by: 'stream' } }, by: { other: { as: 'mirror' } } },
    )
    const own = layout(graph('noted', [one, link]), {
      indexes: { notes: { keys: ['Note', 'PK'] } },
      keys: {
        one: { PK: 'O#{id}', SK: 'O#{id}' },
        link: {
          PK: 'O#{one}',
          SK: 'TO#{other}',
          mirror: { PK: 'O#{other}', SK: 'FROM#{one}', Note: 'N#{note}' },
        },
      },
      raw: true,
    })
    const t = await derived(own)
    for (const id of ['a', 'b']) await t.g.one.create({ id })
    await t.g.link.put({ one: 'a', other: 'b', note: 'x' })
    await t.isWhole()
    await t.put(text({ PK: 'O#a', SK: 'TO#b', _type: 'link', one: 'a', other: 'b' }))
    await t.catchUp()
    const [mirror] = (await itemsIn(t.store, t.table)).filter(({ SK }) => SK?.S === 'FROM#a')
    expect(Object.keys(mirror!).sort()).toEqual(['PK', 'SK', '_counted', '_type', 'one', 'other'])
    expect((await verify(t.g)).faults).toEqual({})
    expect(await t.g.one.get('b')).toMatchObject({ n: 1 })
  })

  it('with a type mark that does not fit its keys is reported, and all other items are inspected', async () => {
    const one = node('one', { no: integer(), n: counter() }, { id: 'no' })
    const link = edge('link', { one, other: one }, {}, { count: { one: { into: 'n', by: 'stream' } } })
    const t = await derived(graph('broken', [one, link]))
    await t.g.one.create({ no: 1 })
    await t.g.link.put({ one: 1, other: 1 })
    await t.catchUp()
    const [own] = (await itemsIn(t.store, t.table)).filter(item => item._type?.S === 'link')
    await t.put({ ...own!, SK: { S: 'link#zzz' } })
    expect((await verify(t.g)).faults).toEqual({ 'item.unknown': 1 })
    await t.g.link.put({ one: 1, other: 2 })
    await t.tap.poll().then(records => t.handle(records))
    expect(await t.g.one.get(1)).toMatchObject({ n: 2 })
  })

  it('a record of a foreign item is rejected if the stream does not contain both images', async () => {
    const t = await derived(adopted)
    const dynamodb = {
      Keys: text({ PK: 'C#go', SK: 'P#ann' }),
      StreamViewType: 'KEYS_ONLY',
      SequenceNumber: '1',
    } as const
    const { failures } = await t.handle([{ eventName: 'INSERT', dynamodb }])
    expect(failures).toMatchObject([{ error: { code: 'follow.stream' } }])
  })
})

describe('an expired node', () => {
  it('loses its counters, and has the totals of its edges when it is created again', async () => {
    const one = node(
      'one',
      { id: string(), name: string(), until: date().optional(), n: counter() },
      { id: 'id', expires: 'until' },
    )
    const link = edge(
      'link',
      { one, other: one },
      {},
      {
        count: { one: { into: 'n', by: 'stream' } },
        carry: { name: { from: 'one.name', sync: 'eventual', deleted: 'remove' } },
      },
    )
    const clock = { ms: Date.UTC(2026, 0, 1) }
    const now = () => clock.ms
    const t = await derived(graph('timed', [one, link]), memory({ now, expiryDelayMs: 1200 }), now)
    const until = new Date(clock.ms + 5000)
    await t.g.one.create({ id: 'a', name: 'A', until })
    await t.g.one.create({ id: 'b', name: 'B' })
    for (const other of ['a', 'b']) await t.g.link.put({ one: 'a', other })
    await t.isWhole()
    clock.ms += 6000
    expect(await t.g.one.get('a')).toBeUndefined()
    await t.g.one.create({ id: 'a', name: 'A2' })
    await t.isWhole()
    expect(await t.g.one.get('a')).toMatchObject({ n: 2, name: 'A2' })
    expect(await t.g.link.get({ one: 'a', other: 'b' })).toMatchObject({ name: 'A2' })
    await t.g.one.put({ id: 'a', name: 'A3', until: new Date(clock.ms + 5000) })
    await t.isWhole()
    clock.ms += 60_000
    await t.store.listTables({})
    await t.isWhole()
    expect(await t.g.link.get({ one: 'a', other: 'b' })).not.toHaveProperty('name')
    await t.g.one.put({ id: 'a', name: 'A4' })
    await t.isWhole()
    expect(await t.g.one.get('a')).toMatchObject({ n: 2 })
  })
})

describe('tenants', () => {
  it('have separate faults', async () => {
    const one = node('one', { id: string(), n: counter() }, { id: 'id' })
    const link = edge('link', { one, other: one }, {}, { count: { one: { into: 'n', by: 'stream' } } })
    const t = await derived(graph('rented', [one, link], { tenant: true }) as never)
    for (const tenant of ['x', 'y']) {
      const g = t.g.$tenant(tenant)
      await g.one.create({ id: 'a' })
      await g.link.put({ one: 'a', other: 'a' })
    }
    expect((await verify(t.g)).faults).toEqual({ 'counter.behind': 2 })
    await repair(t.g)
    for (const tenant of ['x', 'y']) expect(await t.g.$tenant(tenant).one.get('a')).toMatchObject({ n: 1 })
    expect((await verify(t.g)).faults).toEqual({})
  })
})

it('a foreign write that replaces the only edge of a node and omits an end leaves no old mirror', async () => {
  const pupil = node('pupil', { id: string() }, { id: 'id' })
  const course = node('course', { id: string(), n: counter() }, { id: 'id' })
  const count = { course: { into: 'n', by: 'stream' } } as const
  const takes = edge('takes', { pupil, course }, {}, { one: 'pupil', by: { course: { as: 'mirror' } }, count })
  const t = await derived(graph('ones', [pupil, course, takes]))
  await t.g.pupil.create({ id: 'a' })
  await t.g.course.create({ id: 'x' })
  await t.g.takes.put({ pupil: 'a', course: 'x' })
  await t.isWhole()
  const Key = { PK: { S: 'pupil#a' }, SK: { S: 'takes' } }
  await t.put({ ...Key, _type: { S: 'takes' } })
  await t.catchUp()
  expect(await t.g.takes.by.course('x').all()).toEqual([])
  expect(await t.g.course.get('x')).toMatchObject({ n: 0 })
  await t.store.deleteItem({ TableName: t.table, Key })
  await t.isWhole()
})

it('the sentinel of a node with one edge is restored, and deleted after a foreign delete of the edge', async () => {
  const pupil = node('pupil', { id: string() }, { id: 'id' })
  const course = node('course', { id: string(), n: counter() }, { id: 'id' })
  const count = { course: { into: 'n', by: 'stream' } } as const
  const takes = edge('takes', { pupil, course }, {}, { one: 'pupil', by: { course: { as: 'mirror' } }, count })
  const given = layout(graph('ones', [pupil, course, takes]), {
    keys: {
      pupil: { PK: 'P#{id}', SK: 'P#{id}' },
      course: { PK: 'C#{id}', SK: 'C#{id}' },
      takes: { PK: 'P#{pupil}', SK: 'C#{course}', mirror: { PK: 'C#{course}', SK: 'P#{pupil}' } },
    },
    raw: true,
  })
  const t = await derived(given)
  const drop = (PK: string, SK: string) =>
    t.store.deleteItem({ TableName: t.table, Key: { PK: { S: PK }, SK: { S: SK } } })
  await t.g.pupil.create({ id: 'a' })
  await t.g.course.create({ id: 'x' })
  await t.g.takes.put({ pupil: 'a', course: 'x' })
  await t.isWhole()
  await drop('takes.$one#a', 'takes.$one#a')
  expect((await repair(t.g)).faults).toEqual({ 'sentinel.missing': 1 })
  await t.isWhole()
  await drop('P#a', 'C#x')
  await t.catchUp()
  expect((await repair(t.g)).faults).toEqual({ 'sentinel.orphan': 1 })
  await t.isWhole()
  expect(await t.g.course.get('x')).toMatchObject({ n: 0 })
})
