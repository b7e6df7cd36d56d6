import { expect, it } from 'vitest'
import { memory } from '../../src/embedded.js'
import { add, counter, edge, embedded, graph, integer, node, open, string } from '../../src/index.js'
import { backfill, repair, verify } from '../../src/jobs/index.js'
import type { StandardSchema } from '../../src/schema/standard.js'

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
])(
  'what edges keep in a node is told by what is stored, also where a validator that came since %s that',
  async (_, since) => {
    const { store, read } = await setUp()
    const before = await read()
    const g = await open(since, store)
    expect((await verify(g)).faults).toEqual({})
    expect(await repair(g)).toMatchObject({ mended: 0 })
    await backfill(since, store)
    expect(await read()).toEqual(before)
  },
)

it('a node is looked at whose sum the store worked out, of which its validator was not asked', async () => {
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
