import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, date, edge, embedded, graph, integer, layout, node, open, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'
import { openSchool } from '../school.js'

const since = new Date('2026-01-05T00:00:00.000Z')

async function enrolled() {
  const g = await openSchool()
  await g.$batch([
    g.student.create({ id: 's1', name: 'Tom' }),
    g.student.create({ id: 's2', name: 'Ann' }),
    g.course.create({ id: 'math', title: 'Math' }),
  ])
  await g.takes.put({ student: 's1', course: 'math', since, credits: 3 })
  return g
}

describe('an edge', () => {
  it('an edge is found from both ends with its carried attributes, and is aggregated in its node', async () => {
    const g = await enrolled()
    const row = { student: 's1', course: 'math', since, credits: 3, name: 'Tom' }
    expect(await g.takes.by.student('s1').all()).toEqual([row])
    expect(await g.takes.by.course('math').consistent().all()).toEqual([row])
    expect(await g.takes.get({ student: 's1', course: 'math' })).toEqual(row)
    expect(await g.course.get('math')).toEqual({
      id: 'math',
      title: 'Math',
      seats: 1,
      points: 3,
      pupils: { s1: { name: 'Tom' } },
    })
    await g.takes.update({ student: 's1', course: 'math' }, { credits: 5 })
    expect(await g.course.get('math')).toMatchObject({ seats: 1, points: 5 })
    await g.takes.delete({ student: 's1', course: 'math' })
    expect(await g.course.get('math')).toMatchObject({ seats: 0, points: 0, pupils: {} })
    expect(await g.takes.by.course('math').all()).toEqual([])
  })

  it('an edge is rejected when a required node does not exist', async () => {
    const g = await enrolled()
    const edge = { student: 's1', course: 'art', since, credits: 1 }
    await expect(g.takes.put(edge)).rejects.toMatchObject({ code: 'edge.end.absent' })
    await expect(g.befriends.put({ one: 's1', other: 's9', since }).checkingEnds()).rejects.toMatchObject({
      code: 'edge.end.absent',
    })
    await g.befriends.put({ one: 's1', other: 's9', since })
    expect(await g.befriends.by.other('s9').all()).toHaveLength(1)
  })

  it('a create over the only edge of a node names the existing edge', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const boss = edge('boss', { of: user, is: user }, {}, { one: 'of' })
    const g = await open(graph('bosses', [user, boss]), memory())
    await g.boss.create({ of: 'a', is: 'b' })
    const second = { code: 'write.exists', details: { type: 'boss', value: { of: 'a', is: 'b' } } }
    await expect(g.boss.create({ of: 'a', is: 'c' })).rejects.toMatchObject(second)
    await expect(g.boss.create({ of: 'a', is: 'c' })).rejects.toThrow("boss 'a, b': this boss already exists")
    await expect(g.$transact([g.boss.create({ of: 'a', is: 'c' }), g.user.create({ id: 'a' })])).rejects.toMatchObject(
      second,
    )
    await expect(g.boss.create({ of: 'a', is: 'b' })).rejects.toThrow("boss 'a, b': this boss already exists")
  })

  it('an edge that becomes a self-loop requires its node when the end declares it', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const boss = edge('boss', { of: user, is: user }, {}, { one: 'of', onDelete: { is: 'refuse' } })
    const g = await open(graph('bosses', [user, boss]), memory())
    await g.user.put({ id: 'b' })
    await g.boss.put({ of: 'a', is: 'b' })
    await expect(g.boss.put({ of: 'a', is: 'a' })).rejects.toMatchObject({ code: 'edge.end.absent' })
    expect(await g.boss.by.of('a').all()).toEqual([{ of: 'a', is: 'b' }])
  })

  it('a self-loop requires its node when either of its ends declares it', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    for (const end of ['of', 'is'] as const) {
      const boss = edge('boss', { of: user, is: user }, {}, { onDelete: { [end]: 'cascade' } })
      const g = await open(graph('bosses', [user, boss]), memory())
      await expect(g.boss.put({ of: 'a', is: 'a' })).rejects.toMatchObject({ code: 'edge.end.absent' })
      await g.user.put({ id: 'a' })
      await g.boss.put({ of: 'a', is: 'a' })
      await g.user.delete('a')
      expect(await g.boss.scan().all()).toEqual([])
    }
  })

  it('the only edge of a node never replaces a different edge, in every operation', async () => {
    const user = node('user', { id: string(), heads: counter() }, { id: 'id' })
    const attributes = { until: date().optional() }
    const boss = edge('boss', { of: user, is: user }, attributes, { one: 'of', expires: 'until' })
    const count = { is: { into: 'heads', by: 'stream' } } as const
    const counted = edge('boss', { of: user, is: user }, attributes, { one: 'of', expires: 'until', count })
    for (const graphs of [graph('bosses', [user, boss]), graph('bosses', [user, counted])]) {
      const g = await open(graphs, memory())
      await g.boss.put({ of: 'a', is: 'b' })
      const refused = [
        g.boss.create({ of: 'a', is: 'c' }),
        g.$transact([g.boss.create({ of: 'a', is: 'c' }), g.user.put({ id: 'a' })]),
        g.$transact([g.boss.delete({ of: 'a', is: 'd' }), g.boss.create({ of: 'a', is: 'c' })]),
      ]
      for (const call of refused) await expect(call).rejects.toMatchObject({ code: 'write.exists' })
      expect(await g.boss.by.of('a').all()).toEqual([{ of: 'a', is: 'b' }])
    }
  })

  it('an undirected edge is stored logically as one row, found from both ends, and returned in the requested order', async () => {
    const g = await enrolled()
    await g.befriends.put({ one: 's2', other: 's1', since })
    await g.befriends.put({ one: 's1', other: 's2', since })
    expect(await g.befriends.by.one('s1').all()).toEqual([{ one: 's1', other: 's2', since }])
    expect(await g.befriends.by.one('s2').all()).toEqual([{ one: 's2', other: 's1', since }])
    expect(await g.befriends.get({ one: 's2', other: 's1' })).toEqual({ one: 's2', other: 's1', since })
    expect(await g.befriends.by.one('s1').nodes().all()).toMatchObject([{ id: 's2', name: 'Ann' }])
  })

  it('an edge to a node with a full map is rejected', async () => {
    const g = await enrolled()
    for (const id of ['a', 'b', 'c']) await g.student.create({ id, name: id })
    await g.takes.put({ student: 'a', course: 'math', since, credits: 1 })
    await g.takes.put({ student: 'b', course: 'math', since, credits: 1 })
    const { value } = await g.takes
      .put({ student: 'c', course: 'math', since, credits: 1 })
      .run()
      .catch(error => ({ value: error.code }))
    expect(value).toBe('edge.embed.full')
    expect(await g.takes.by.course('math').count()).toBe(3)
  })
})

it('an edge of a node with more entries than the current maximum can still be changed', async () => {
  const marks = (max: number) => {
    const pupil = node('pupil', { id: string(), name: string() }, { id: 'id' })
    const course = node('course', { id: string(), list: embedded({ mark: integer(), name: string() }) }, { id: 'id' })
    const options = {
      carry: { name: { from: 'pupil.name', sync: 'eventual' } },
      embed: { course: { into: 'list', max } },
    } as const
    return graph('marks', [pupil, course, edge('takes', { pupil, course }, { mark: integer() }, options)])
  }
  const store = memory()
  const before = await open(marks(3), store)
  await before.course.put({ id: 'c' })
  for (const id of ['a', 'b', 'd']) {
    await before.pupil.put({ id, name: id })
    await before.takes.put({ pupil: id, course: 'c', mark: 1 })
  }
  const g = await open(marks(2), store)
  await g.takes.update({ pupil: 'a', course: 'c' }, { mark: 2 })
  await g.takes.put({ pupil: 'b', course: 'c', mark: 3 })
  await g.pupil.update('d', { name: 'Di' })
  await g.$settled()
  const list = { a: { mark: 2, name: 'a' }, b: { mark: 3, name: 'b' }, d: { mark: 1, name: 'Di' } }
  expect(await g.course.get('c')).toEqual({ id: 'c', list })
  await g.pupil.put({ id: 'e', name: 'e' })
  const more = g.takes.put({ pupil: 'e', course: 'c', mark: 1 })
  await expect(more).rejects.toMatchObject({ code: 'edge.embed.full' })
})

it('an edge of a node with an empty id is rejected with the reason by a node that embeds it', async () => {
  const pupil = node('pupil', { id: string() }, { id: 'id' })
  const course = node('course', { id: string(), pupils: embedded({ desk: integer() }) }, { id: 'id' })
  const takes = edge('takes', { pupil, course }, { desk: integer() }, { embed: { course: { into: 'pupils', max: 9 } } })
  const g = await open(graph('school', [pupil, course, takes]), memory())
  await g.course.put({ id: 'go' })
  const write = (course: string) => g.takes.put({ pupil: '', course, desk: 1 })
  const refused = { code: 'key.empty', message: 'takes.pupil: the id is an empty text; give at least one character.' }
  await expect(write('go')).rejects.toMatchObject(refused)
  await expect(g.$transact([g.course.put({ id: 'new' }), write('new')])).rejects.toMatchObject({ code: 'key.empty' })
  expect(await g.course.get('go')).toEqual({ id: 'go', pupils: {} })
})

it('an edge with a cascading end returns the row before a put', async () => {
  const person = node('person', { id: string() }, { id: 'id' })
  const lets = edge('lets', { owner: person, to: person }, { rent: integer() }, { onDelete: { to: 'cascade' } })
  const g = await open(graph('lets', [person, lets]), memory())
  const put = (rent: number) => g.lets.put({ owner: 'a', to: 'b', rent }).returning('old')
  await g.person.put({ id: 'b' })
  expect(await put(1)).toBeUndefined()
  expect(await put(2)).toEqual({ owner: 'a', to: 'b', rent: 1 })
})

it('an edge with checked ends returns the rows before and after the write', async () => {
  const person = node('person', { id: string(), lodgers: counter() }, { id: 'id' })
  const count = { owner: { into: 'lodgers', by: 'stream' } } as const
  const lets = edge('lets', { owner: person, to: person }, { rent: integer(), note: string().optional() }, { count })
  const kept = edge('kept', { owner: person, to: person }, { rent: integer(), note: string().optional() })
  const g = await open(graph('lets', [person, lets, kept]), memory())
  const at = { owner: 'a', to: 'b' }
  for (const id of ['a', 'b']) await g.person.put({ id })
  for (const edges of [g.lets, g.kept]) {
    const put = (rent: number) => edges.put({ ...at, rent }).checkingEnds()
    expect(await put(1).returning('old')).toBeUndefined()
    await edges.update(at, { note: 'x' })
    expect(await put(2).returning('old')).toEqual({ ...at, rent: 1, note: 'x' })
    await edges.update(at, { note: 'y' })
    expect(await put(3).returning('new')).toEqual({ ...at, rent: 3 })
  }
})

it('a node created again while its last edge is deleted counts from zero', async () => {
  const person = node('person', { id: string(), lodgers: counter() }, { id: 'id' })
  const lets = edge('lets', { owner: person, to: person }, {}, { count: { owner: 'lodgers' } })
  const store = memory()
  const g = await open(graph('lets', [person, lets]), store)
  await g.person.put({ id: 'a' })
  await g.lets.put({ owner: 'a', to: 'b' })
  // Another program deletes the node without regard to its edges.
  await store.deleteItem({ TableName: 'lets', Key: g.person.keyOf('a') })
  await g.$transact([g.person.create({ id: 'a' }), g.lets.delete({ owner: 'a', to: 'b' })])
  expect(await g.person.get('a')).toEqual({ id: 'a', lodgers: 0 })
})

it('an end, an id and an attribute may be called tenant in a graph without tenants', async () => {
  const person = node('person', { id: string(), flats: counter() }, { id: 'id' })
  const flat = node('flat', { tenant: integer(), shard: integer() }, { id: 'tenant' })
  const rents = edge('rents', { tenant: person, flat }, { rent: integer() }, { count: { tenant: 'flats' } })
  const g = await open(graph('flats', [person, flat, rents]), memory())
  await g.person.put({ id: 'ann' })
  await g.flat.put({ tenant: 12, shard: 1 })
  await g.rents.put({ tenant: 'ann', flat: 12, rent: 900 })
  expect(await g.rents.by.tenant('ann').withNodes().all()).toEqual([
    { edge: { tenant: 'ann', flat: 12, rent: 900 }, node: { tenant: 12, shard: 1 } },
  ])
  expect(await g.rents.by.flat(12).nodes().all()).toEqual([{ id: 'ann', flats: 1 }])
  await expect(g.rents.create({ tenant: 'ann', flat: 12, rent: 900 })).rejects.toMatchObject({
    details: { value: { tenant: 'ann', flat: '12' } },
  })
})

it('an attribute called tenant does not affect the partitions of a graph without tenants', async () => {
  const flat = node(
    'flat',
    { id: string(), tenant: string(), number: string(), street: string() },
    { id: 'id', unique: ['number'], by: { street: { in: ['street'], as: 'item' } } },
  )
  const g = await open(graph('flats', [flat]), memory())
  await g.flat.put({ id: 'a', tenant: 'ann', number: '12', street: 'High' })
  await g.flat.update('a', { tenant: 'bob' })
  expect(await verify(g)).toMatchObject({ faults: {} })
  await g.flat.update('a', { number: '13', street: 'Low' })
  expect(await g.flat.by.street({ street: 'Low' }).all()).toEqual([
    { id: 'a', tenant: 'bob', number: '13', street: 'Low' },
  ])
  expect(await verify(g)).toMatchObject({ faults: {} })
})

it('aggregates of an end called tenant are correct in a graph without tenants', async () => {
  for (const by of ['transaction', 'stream'] as const) {
    const person = node('person', { id: string(), tenant: string(), tenants: counter() }, { id: 'id' })
    const lets = edge(
      'lets',
      { owner: person, tenant: person },
      {},
      { count: { owner: { into: 'tenants', by } }, onDelete: { owner: 'cascade' } },
    )
    const g = await open(graph('lets', [person, lets]), memory(), { follow: false })
    for (const id of ['a', 'b', 'c']) await g.person.put({ id, tenant: 'b' })
    for (const tenant of ['b', 'c']) await g.lets.put({ owner: 'a', tenant })
    await repair(g)
    expect(await g.person.get('a')).toMatchObject({ tenants: 2 })
    await g.lets.delete({ owner: 'a', tenant: 'b' })
    await repair(g)
    expect(await g.person.get('a')).toMatchObject({ tenants: 1 })
    expect(await verify(g)).toMatchObject({ faults: {} })
    await g.person.delete('a')
    expect(await g.lets.scan().all()).toEqual([])
  }
})

it('an index sorted by an attribute called shard follows that attribute', async () => {
  const row = node(
    'row',
    { id: string(), table: string(), shard: integer().optional() },
    { id: 'id', by: { table: { in: ['table'], order: ['shard'] }, shard: { in: ['shard'] } } },
  )
  const g = await open(graph('rows', [row]), memory())
  await g.row.put({ id: 'a', table: 'x', shard: 1 })
  await g.row.put({ id: 'b', table: 'x' })
  await g.row.update('a', { shard: 2 })
  expect(await g.row.by.table({ table: 'x' }).where({ shard: 2 }).all()).toHaveLength(1)
  expect(await g.row.by.shard({ shard: 2 }).all()).toHaveLength(1)
  expect(await g.row.by.shard({ shard: 1 }).all()).toEqual([])
})

it('an edge is read from each end by the storage that the end declares', async () => {
  const user = node('user', { id: string() }, { id: 'id' })
  const attributes = { at: integer() }
  const ends = { from: user, to: user }
  const mirrored = { from: { as: 'mirror', order: ['at'] }, to: { as: 'mirror' } } as const
  const native = { from: { as: 'native', order: ['at'] }, to: { as: 'index' } } as const
  const likes = edge('likes', ends, attributes, { by: mirrored })
  const { accesses } = layout(graph('social', [user, edge('likes', ends, attributes, { by: native })]))
  expect(accesses.map(({ name, method }) => [name, method])).toEqual([
    ['from', 'native'],
    ['to', 'index'],
  ])
  const g = await open(graph('social', [user, likes]), memory())
  await g.likes.put({ from: 'a', to: 'b', at: 2 })
  await g.likes.put({ from: 'a', to: 'c', at: 1 })
  const found = await g.likes.by.from('a').consistent().all()
  expect(found.map(({ to }) => to)).toEqual(['c', 'b'])
  expect(await g.likes.by.to('b').consistent().all()).toEqual([{ from: 'a', to: 'b', at: 2 }])
})
