import { expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { edge, embedded, graph, node, open, string } from '../../src/index.js'

const pupil = node('pupil', { id: string() }, { id: 'id' })
const course = node('course', { id: string(), list: embedded({ name: string() }) }, { id: 'id' })
const takes = edge('takes', { pupil, course }, { name: string() }, { embed: { course: { into: 'list', max: 9 } } })

it('an edge can be deleted whose entry somebody else took out of its node', async () => {
  const store = memory()
  const g = await open(graph('school', [pupil, course, takes]), store)
  await g.pupil.create({ id: 'ann' })
  await g.course.create({ id: 'c' })
  await g.takes.put({ pupil: 'ann', course: 'c', name: 'Ann' })
  const Key = { PK: { S: 'course#c' }, SK: { S: '#' } }
  await store.updateItem({
    TableName: 'school',
    Key,
    UpdateExpression: 'REMOVE #l',
    ExpressionAttributeNames: { '#l': 'list' },
  })
  await g.takes.delete({ pupil: 'ann', course: 'c' })
  expect(await g.takes.get({ pupil: 'ann', course: 'c' })).toBeUndefined()
})
