import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  counter,
  date,
  edge,
  graph,
  integer,
  layout,
  node,
  number,
  oneOf,
  open,
  remove,
  string,
} from '../../../src/index.js'

describe('a sum of fractions', () => {
  const jar = node('jar', { id: string(), full: counter() }, { id: 'id' })
  const pours = edge('pours', { from: jar, to: jar }, { part: number() }, { sum: { to: { into: 'full', of: 'part' } } })
  const kitchen = graph('kitchen', [jar, pours])

  it('a sum of fractions is stored exactly and read as the nearest number', async () => {
    const store = memory()
    const g = await open(kitchen, store)
    await g.jar.put({ id: 'a' })
    for (let i = 0; i < 7; i++) await g.pours.put({ from: `${i}`, to: 'a', part: 1 / 3 })
    const { Item } = await store.getItem({ TableName: 'kitchen', Key: g.jar.keyOf('a') })
    expect(Item?.full).toEqual({ N: '2.3333333333333331' })
    expect(await g.jar.get('a')).toEqual({ id: 'a', full: 2.333333333333333 })
    for (let i = 0; i < 7; i++) await g.pours.delete({ from: `${i}`, to: 'a' })
    expect(await g.jar.get('a')).toEqual({ id: 'a', full: 0 })
  })

  it('an edge that would exceed the digits of a stored number is rejected', async () => {
    const g = await open(kitchen, memory())
    await g.jar.put({ id: 'a' })
    await g.pours.put({ from: 'x', to: 'a', part: 1e20 })
    await expect(g.pours.put({ from: 'y', to: 'a', part: 1e-20 })).rejects.toMatchObject({ code: 'value.number' })
    await expect(g.pours.create({ from: 'y', to: 'a', part: 1e-20 })).rejects.toMatchObject({ code: 'store.refused' })
    expect(await g.jar.get('a')).toEqual({ id: 'a', full: 1e20 })
  })
})

describe('a counter of selected edges', () => {
  const student = node('student', { id: string(), passed: counter(), points: counter() }, { id: 'id' })
  const course = node('course', { id: string() }, { id: 'id' })
  const takes = edge(
    'takes',
    { student, course },
    { grade: oneOf('a', 'b', 'f'), points: integer(), since: date().optional(), honours: integer().optional() },
    {
      count: { student: { into: 'passed', where: { grade: ['a', 'b'] } } },
      sum: { student: { into: 'points', of: 'points', where: { grade: ['a', 'b'], honours: 1 } } },
    },
  )
  const school = graph('school', [student, course, takes])

  it('a counter follows edges that begin and cease to match its selection', async () => {
    const g = await open(school, memory())
    const ann = () => g.student.get('ann')
    const at = { student: 'ann', course: 'math' }
    await g.student.put({ id: 'ann' })
    await g.takes.put({ ...at, grade: 'f', points: 7, honours: 1 })
    expect(await ann()).toMatchObject({ passed: 0, points: 0 })
    await g.takes.update(at, { grade: 'a' })
    expect(await ann()).toMatchObject({ passed: 1, points: 7 })
    await g.takes.put({ ...at, grade: 'b', points: 9, honours: 1 })
    expect(await ann()).toMatchObject({ passed: 1, points: 9 })
    await g.takes.update(at, { honours: remove() })
    expect(await ann()).toMatchObject({ passed: 1, points: 0 })
    await g.takes.put({ ...at, grade: 'f', points: 9 })
    await g.takes.delete(at)
    expect(await ann()).toMatchObject({ passed: 0, points: 0 })
  })
})

it('a sum counts an edge without a number as zero, before and after it has a number', async () => {
  const pupil = node('pupil', { id: string(), points: counter() }, { id: 'id' })
  const sum = { pupil: { into: 'points', of: 'points' } } as const
  const takes = edge('takes', { pupil, of: pupil }, { points: integer().optional() }, { sum })
  const g = await open(graph('school', [pupil, takes]), memory())
  const at = { pupil: 'ann', of: 'ann' }
  const points = async () => (await g.pupil.get('ann'))?.points
  await g.pupil.put({ id: 'ann' })
  await g.takes.create(at)
  expect(await points()).toBe(0)
  await g.takes.update(at, { points: 3 })
  expect(await points()).toBe(3)
  await g.takes.update(at, { points: remove() })
  expect(await points()).toBe(0)
  await g.takes.put({ ...at, points: 4 })
  await g.takes.put(at)
  expect(await points()).toBe(0)
  await g.takes.delete(at)
  await g.pupil.delete('ann')
})

describe('a node with counted edges', () => {
  const course = node('course', { id: string(), title: string(), size: counter(), hours: counter() }, { id: 'id' })
  const pupil = node('pupil', { id: string() }, { id: 'id' })
  const takes = edge(
    'takes',
    { course, pupil },
    { hours: integer() },
    { count: { course: 'size' }, sum: { course: { into: 'hours', of: 'hours' } } },
  )

  it('deleting a node with counted edges reports the edges, also under a condition', async () => {
    const g = await open(graph('school', [course, pupil, takes]), memory())
    await g.course.put({ id: 'go', title: 'Go' })
    await g.pupil.put({ id: 'ann' })
    await g.takes.put({ course: 'go', pupil: 'ann', hours: 3 })
    const deleted = (title: string) => g.course.delete('go').if(row => row.title.is(title))
    const left = g.takes.delete({ course: 'go', pupil: 'ann' })
    for (const title of ['Go', 'Chess'])
      await expect(deleted(title)).rejects.toMatchObject({ code: 'node.edges', details: { value: { id: 'go' } } })
    await expect(g.$transact([deleted('Chess'), left])).rejects.toMatchObject({ code: 'write.condition' })
    await g.$transact([deleted('Go'), g.takes.delete({ course: 'go', pupil: 'ann' })])
    expect(await g.course.exists('go')).toBe(false)
  })
})

describe('nodes that are sorted by a counter', () => {
  const team = node(
    'team',
    { id: string(), league: string(), points: counter(), wins: counter() },
    { id: 'id', by: { rank: { in: ['league'], order: ['points'] }, best: { order: ['wins', 'id'] } } },
  )
  const match = edge(
    'match',
    { team, against: team },
    { no: integer(), points: integer(), result: oneOf('won', 'lost') },
    {
      key: ['no'],
      sum: { team: { into: 'points', of: 'points' } },
      count: { team: { into: 'wins', where: { result: 'won' } } },
    },
  )
  const league = graph('league', [team, match])
  const played = (id: string, no: number, points: number) =>
    ({ team: id, against: 'x', no, points, result: points > 1 ? 'won' : 'lost' }) as const

  it('a ranking is one Query, which includes nodes without counted edges', async () => {
    const g = await open(league, memory())
    await g.$batch(['a', 'b', 'c', 'x'].map(id => g.team.put({ id, league: id === 'x' ? 'second' : 'first' })))
    await g.match.put(played('b', 1, 3))
    await g.match.put(played('c', 1, 10))
    await g.match.put(played('c', 2, 1))
    const ranked = async () => (await g.team.by.rank({ league: 'first' }).all()).map(({ id, points }) => [id, points])
    expect(await ranked()).toEqual([
      ['a', 0],
      ['b', 3],
      ['c', 11],
    ])
    const some = await g.team.by
      .rank({ league: 'first' })
      .where({ points: { from: 1 } })
      .reverse()
      .all()
    expect(some.map(({ id }) => id)).toEqual(['c', 'b'])
    const best = g.team.by.best().reverse().limit(2)
    expect((await best.page()).items.map(({ id, wins }) => [id, wins])).toEqual([
      ['c', 1],
      ['b', 1],
    ])
    await g.team.put({ id: 'b', league: 'first' })
    await g.team.update('b', { league: 'first' })
    await g.match.delete({ team: 'c', against: 'x', no: 1 })
    expect(await ranked()).toEqual([
      ['a', 0],
      ['c', 1],
      ['b', 3],
    ])
  })

  it('a ranking includes nodes that were created by their first edge, or put again without a counter', async () => {
    const store = memory()
    const g = await open(league, store)
    await g.$transact([g.team.put({ id: 'a', league: 'first' }), g.match.put(played('a', 1, 4))])
    expect(await g.team.by.rank({ league: 'first' }).all()).toMatchObject([{ id: 'a', points: 4, wins: 1 }])
    await g.$transact([g.team.put({ id: 'a', league: 'first' }), g.match.put(played('a', 2, 4))])
    expect(await g.team.by.rank({ league: 'first' }).all()).toMatchObject([{ id: 'a', points: 8, wins: 2 }])
    const Key = { PK: { S: 'team#a' }, SK: { S: '#' } }
    await store.updateItem({ TableName: 'league', Key, UpdateExpression: 'REMOVE points' })
    expect(await g.team.by.rank({ league: 'first' }).all()).toEqual([])
    await g.team.put({ id: 'a', league: 'first' })
    expect(await g.team.by.rank({ league: 'first' }).all()).toMatchObject([{ id: 'a', points: 0 }])
  })

  it('a ranking on text keys is rejected', () => {
    for (const as of ['index', 'item', 'local'] as const)
      expect(() =>
        layout(graph('g', [node('n', { id: string(), c: counter() }, { id: 'id', by: { c: { order: ['c'], as } } })])),
      ).toThrow(expect.objectContaining({ code: 'path.way' }))
    expect(() => node('n', { id: string(), c: counter() }, { id: 'id', by: { c: { in: ['c'] } } })).toThrow(
      expect.objectContaining({ code: 'option.attribute' }),
    )
  })
})

describe('a node with stream counters', () => {
  const user = node('user', { id: string(), likes: counter() }, { id: 'id' })
  const page = node('page', { id: string(), likes: counter() }, { id: 'id' })
  const likes = edge(
    'likes',
    { user, page },
    {},
    {
      count: { user: { into: 'likes', by: 'stream' }, page: { into: 'likes', by: 'stream' } },
      onDelete: { user: 'cascade' },
    },
  )
  const derived = graph('derived', [user, page, likes])
  const counted = { M: { life: { S: 'l' }, tag: { S: 't' }, of: { M: { likes: { N: '1' } } } } }

  async function liked() {
    const store = memory()
    const g = await open(derived, store, { follow: false })
    await g.user.put({ id: 'a' })
    await g.page.put({ id: 'p' })
    await g.likes.put({ user: 'a', page: 'p' })
    const set = (partition: string, sort: string, name: string, value: object) =>
      store.updateItem({
        TableName: 'derived',
        Key: { PK: { S: partition }, SK: { S: sort } },
        UpdateExpression: 'SET #n = :v',
        ExpressionAttributeNames: { '#n': name },
        ExpressionAttributeValues: { ':v': value as never },
      })
    await set('page#p', 'likes.page#a', '_counted', counted)
    await set('page#p', '#', 'likes', { N: '1' })
    await set('page#p', '#', '_life', { S: 'l' })
    return { store, g }
  }

  it('a put keeps stream counters and the expiry, and the node may be deleted with its edges', async () => {
    const { store, g } = await liked()
    await g.page.put({ id: 'p' })
    const { Item } = await store.getItem({ TableName: 'derived', Key: { PK: { S: 'page#p' }, SK: { S: '#' } } })
    expect(Item).toMatchObject({ likes: { N: '1' }, _life: { S: 'l' } })
    await g.page.delete('p')
    expect(await g.page.exists('p')).toBe(false)
  })

  it('stream counters include edges that were deleted with the node at their other end', async () => {
    const { store, g } = await liked()
    await g.user.delete('a')
    const items = (await store.scan({ TableName: 'derived' })).Items!
    expect(items.filter(item => item._type?.S === '$gone')).toMatchObject([
      { PK: { S: '$gone#page$#p##' }, _counted: counted },
    ])
    expect(items.some(item => item._type?.S?.startsWith('likes'))).toBe(false)
  })
})
