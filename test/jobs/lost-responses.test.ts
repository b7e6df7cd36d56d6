import { expect, test } from 'vitest'
import { memory } from '../../src/embedded.js'
import { counter, edge, graph, integer, node, open, string } from '../../src/index.js'
import { backfill, repair, verify } from '../../src/jobs/index.js'
import { computed } from '../../src/schema/transformed/index.js'
import { faulty } from '../../src/store/faulty.js'

const name = string()
const course = node('course', { title: string() }, { id: 'title' })
const pupil = node('pupil', { id: string(), name, age: integer() }, { id: 'id' })
const before = graph('school', [course, pupil, edge('takes', { course, pupil })])

const counted = node('course', { title: string(), pupils: counter() }, { id: 'title' })
const found = node(
  'pupil',
  { id: string(), name, age: integer(), upper: computed(string(), { name }, row => row.name.toUpperCase()) },
  { id: 'id', unique: ['name'], by: { age: { order: ['age'] } } },
)
const takes = edge(
  'takes',
  { course: counted, pupil: found },
  {},
  { count: { course: 'pupils' }, by: { pupil: { as: 'mirror' } } },
)
const after = graph('school', [counted, found, takes])

const SEEDS = Array.from({ length: 8 }, (_, seed) => seed)
const retry = { baseDelayMs: 1, maxDelayMs: 5, attempts: 20 }
const rates = { lost: 0.15, unsent: 0.15 }

async function school() {
  const store = memory()
  const g = await open(before, store)
  for (const title of ['Algebra', 'Botany']) await g.course.put({ title })
  for (let age = 0; age < 8; age++) {
    await g.pupil.put({ id: `p${age}`, name: `n${age}`, age })
    await g.takes.put({ course: age % 2 ? 'Algebra' : 'Botany', pupil: `p${age}` })
  }
  await g.$close()
  return store
}

test.each(SEEDS)('a backfill continues after lost responses to its writes, seed %i', async seed => {
  const store = await school()
  await backfill(after, faulty(store, { seed, rates }), { retry })
  const g = await open(after, store)
  expect((await verify(g)).faults).toEqual({})
  expect((await g.course.get('Algebra'))?.pupils).toBe(4)
  expect((await g.pupil.by.age().all()).map(({ age }) => age)).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
})

test.each(SEEDS)('a repair continues after lost responses to its writes, seed %i', async seed => {
  const store = await school()
  await backfill(after, store)
  const TableName = 'school'
  await store.updateItem({
    TableName,
    Key: { PK: { S: 'course#Algebra' }, SK: { S: '#' } },
    UpdateExpression: 'SET pupils = :n',
    ExpressionAttributeValues: { ':n': { N: '7' } },
  })
  await store.updateItem({
    TableName,
    Key: { PK: { S: 'pupil#p1' }, SK: { S: '#' } },
    UpdateExpression: 'SET #upper = :upper',
    ExpressionAttributeNames: { '#upper': 'upper' },
    ExpressionAttributeValues: { ':upper': { S: 'wrong' } },
  })
  await store.deleteItem({ TableName, Key: { PK: { S: 'pupil#p3' }, SK: { S: 'takes.pupil#Algebra' } } })
  const shaky = await open(after, faulty(store, { seed, rates }), { retry })
  await repair(shaky)
  expect((await verify(await open(after, store))).faults).toEqual({})
})
