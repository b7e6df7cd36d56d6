import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/embedded.js'
import { add, counter, edge, embedded, graph, integer, node, open, string } from '../../../src/index.js'
import { backfill, finishDeletes, repair, verify } from '../../../src/jobs/index.js'
import type { StandardSchema } from '../../../src/schema/standard-schema.js'

const checking = <T>(value: (given: T) => T | undefined): StandardSchema<unknown, T> => ({
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: given => {
      const made = value(given as T)
      return made === undefined ? { issues: [{ message: 'refused' }] } : { value: made }
    },
  },
})

const pupil = node(
  'pupil',
  { id: string(), score: integer().check(checking<number>(n => (n < 10 ? n : undefined))) },
  { id: 'id' },
)

function takesOf(note: ReturnType<typeof string>, weight: ReturnType<typeof integer>) {
  const course = node('course', { id: string(), sum: counter(), list: embedded({ note: string() }) }, { id: 'id' })
  const kept = { sum: { course: { into: 'sum', of: 'weight' } }, embed: { course: { into: 'list', max: 5 } } } as const
  const takes = edge('takes', { course, pupil }, { note, weight }, kept)
  return graph('campus', [course, pupil, takes])
}

async function setUp() {
  const store = memory()
  const g = await open(takesOf(string(), integer()), store)
  await g.course.put({ id: 'c' })
  await g.pupil.put({ id: 'p', score: 9 })
  await g.takes.put({ course: 'c', pupil: 'p', note: 'A', weight: 30 })
  const key = { PK: { S: 'course#c' }, SK: { S: '#' } }
  const read = async () => (await store.getItem({ TableName: 'campus', Key: key })).Item
  return { store, g, read }
}

it.each([
  ['refuses', takesOf(string().check(checking<string>(() => undefined)), integer({ min: 0, max: 9 }))],
  [
    'would change',
    takesOf(string().check(checking<string>(s => s.toLowerCase())), integer().check(checking<number>(n => n % 10))),
  ],
])('aggregates are verified from stored values, also if a newer validator %s these', async (_, since) => {
  const { store, read } = await setUp()
  const before = await read()
  const g = await open(since, store)
  expect((await verify(g)).faults).toEqual({})
  expect(await repair(g)).toMatchObject({ repaired: 0 })
  await backfill(since, store)
  expect(await read()).toEqual(before)
})

it('a node is inspected if its sum was computed by the store and not validated', async () => {
  const counted = node(
    'pupil',
    { id: string(), score: integer().check(checking<number>(n => (n < 10 ? n : undefined))), size: counter() },
    { id: 'id' },
  )
  const knows = edge('knows', { one: counted, other: counted }, {}, { count: { one: 'size' } })
  const g = await open(graph('pupils', [counted, knows]), memory())
  await g.pupil.put({ id: 'p', score: 9 })
  await g.pupil.update('p', { score: add(9) })
  expect((await g.pupil.get('p'))?.score).toBe(18)
  expect((await verify(g)).faults).toEqual({})
})

describe('an id that a newer validator rejects', () => {
  const users = (id: ReturnType<typeof string>, by: 'stream' | 'transaction') => {
    const user = node('user', { id, size: counter() }, { id: 'id' })
    const onDelete = { one: 'cascade', other: 'cascade' } as const
    return graph('users', [
      user,
      edge('knows', { one: user, other: user }, {}, { count: { one: { into: 'size', by } }, onDelete }),
    ])
  }
  const strict = string().check(checking<string>(id => (id.startsWith('x') ? id : undefined)))

  async function tabled(by: 'stream' | 'transaction') {
    const store = memory()
    const g = await open(users(string(), by), store)
    for (const id of ['old', 'x1', 'x2']) await g.user.put({ id })
    await g.knows.put({ one: 'old', other: 'x1' })
    await g.knows.put({ one: 'x1', other: 'x2' })
    await g.$settled()
    await g.$close()
    const change = (id: string, name: string, value: AttributeValue) =>
      store.updateItem({
        TableName: 'users',
        Key: { PK: { S: `user#${id}` }, SK: { S: '#' } },
        UpdateExpression: 'SET #n = :v',
        ExpressionAttributeNames: { '#n': name },
        ExpressionAttributeValues: { ':v': value },
      })
    return { store, h: await open(users(strict, by), store, { follow: false }), change }
  }

  it.each(['stream', 'transaction'] as const)(
    'an id that a newer validator rejects is reported, and other nodes are inspected and repaired: %s',
    async by => {
      const { h, change } = await tabled(by)
      await change('x1', 'size', { N: '7' })
      const faults = { 'item.unreadable': 1, 'counter.drift': 1 }
      expect((await verify(h)).faults).toEqual(faults)
      expect(await repair(h)).toMatchObject({ repaired: 1, faults })
      expect((await h.user.get('x1'))?.size).toBe(1)
    },
  )

  it('an id that a newer validator rejects is reported with the key of its item if it stops a backfill or a deletion', async () => {
    const { store, h, change } = await tabled('transaction')
    await expect(backfill(users(strict, 'transaction'), store)).rejects.toMatchObject({
      code: 'value.check',
      message: expect.stringContaining('user#old'),
    })
    for (const id of ['old', 'x2']) await change(id, '_going', { S: 'declared 1' })
    await expect(finishDeletes(h)).rejects.toMatchObject({
      code: 'value.check',
      message: expect.stringContaining('user#old'),
    })
    expect(await h.user.get('x2')).toBeUndefined()
    expect(await h.user.exists('x1')).toBe(true)
    const { Items = [] } = await store.scan({ TableName: 'users' })
    expect(Items.map(({ PK }) => PK?.S)).not.toContain('user#x2')
  })
})
