import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { counter, edge, embedded, graph, node, open, string } from '../../../src/index.js'

const pupil = node('pupil', { id: string() }, { id: 'id' })
const course = node('course', { id: string(), size: counter(), list: embedded({ name: string() }) }, { id: 'id' })
const kept = { count: { course: 'size' }, embed: { course: { into: 'list', max: 9 } } } as const
const takes = edge('takes', { pupil, course }, { name: string() }, kept)

async function taken() {
  const store = memory()
  const g = await open(graph('school', [pupil, course, takes]), store)
  await g.pupil.create({ id: 'ann' })
  await g.course.create({ id: 'c' })
  await g.takes.put({ pupil: 'ann', course: 'c', name: 'Ann' })
  return { store, g }
}

const Key = { PK: { S: 'course#c' }, SK: { S: '#' } }

it('an edge can be deleted after another program removed its entry from the node', async () => {
  const { store, g } = await taken()
  await store.updateItem({
    TableName: 'school',
    Key,
    UpdateExpression: 'REMOVE #l',
    ExpressionAttributeNames: { '#l': 'list' },
  })
  await g.takes.delete({ pupil: 'ann', course: 'c' })
  expect(await g.takes.get({ pupil: 'ann', course: 'c' })).toBeUndefined()
})

it('an edge can be deleted after another program deleted its node, and the node is not created again', async () => {
  const { store, g } = await taken()
  await store.deleteItem({ TableName: 'school', Key })
  await g.takes.delete({ pupil: 'ann', course: 'c' })
  expect(await g.takes.get({ pupil: 'ann', course: 'c' })).toBeUndefined()
  expect((await store.getItem({ TableName: 'school', Key })).Item).toBeUndefined()
})
