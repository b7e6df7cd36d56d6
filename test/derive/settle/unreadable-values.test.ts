import { describe, expect, it } from 'vitest'
import { counter, edge, graph, integer, node, string } from '../../../src/index.js'
import { repair } from '../../../src/jobs/index.js'
import { derived } from './derived-graph.js'

const pupil = node('pupil', { id: string(), name: string(), age: integer().optional(), taken: counter() }, { id: 'id' })
const course = node('course', { id: string() }, { id: 'id' })
const takes = edge(
  'takes',
  { course, pupil },
  {},
  {
    count: { pupil: { into: 'taken', by: 'stream' } },
    carry: { name: { from: 'pupil.name', sync: 'eventual' } },
  },
)
const school = graph('school', [pupil, course, takes])
const ANN = { PK: { S: 'pupil#ann' }, SK: { S: '#' } }

/** A pupil with an edge and an unreadable value from a foreign write. */
async function setUp(attribute: string, value: object) {
  const t = await derived(school)
  await t.g.course.put({ id: 'go' })
  await t.g.pupil.put({ id: 'ann', name: 'Ann' })
  await t.g.takes.put({ course: 'go', pupil: 'ann' })
  await t.catchUp()
  await t.store.updateItem({
    TableName: t.table,
    Key: ANN,
    UpdateExpression: 'SET #a = :a REMOVE #e',
    ExpressionAttributeNames: { '#a': attribute, '#e': '_etag' },
    ExpressionAttributeValues: { ':a': value as never },
  })
  const named = async () => (await t.g.takes.get({ course: 'go', pupil: 'ann' })) as { name?: string }
  return { ...t, named }
}

describe('a node with an unreadable value', () => {
  it('a node with an unreadable value is a source of copies for its readable values', async () => {
    const t = await setUp('age', { S: 'three' })
    await t.g.pupil.update('ann', { name: 'Anna' })
    await t.catchUp()
    expect(await t.named()).toMatchObject({ name: 'Anna' })
  })

  it('counts its edges if it is created after them, and again after it was created without that value', async () => {
    const t = await setUp('age', { S: 'three' })
    await t.store.deleteItem({ TableName: t.table, Key: ANN })
    await t.put({ ...ANN, _type: { S: 'pupil' }, name: { S: 'Annie' }, age: { S: 'four' } })
    await t.catchUp()
    const { Item } = await t.store.getItem({ TableName: t.table, Key: ANN })
    expect(Item?.taken).toEqual({ N: '1' })
    await t.put({ ...ANN, _type: { S: 'pupil' }, name: { S: 'Ann' } })
    await t.catchUp()
    expect(await t.g.pupil.get('ann')).toMatchObject({ taken: 1 })
    expect(await t.named()).toMatchObject({ name: 'Ann' })
  })

  it('does not change edges that carry the value, and its record fails with the reason', async () => {
    const t = await setUp('name', { N: '5' })
    const { failures } = await t.handle(await t.tap.poll())
    expect(failures).toHaveLength(1)
    expect(failures[0]?.error).toMatchObject({ code: 'stored.type', message: expect.stringContaining('pupil.name') })
    expect(await t.named()).toMatchObject({ name: 'Ann' })
  })

  it('rejects a new edge that would copy the value', async () => {
    const t = await setUp('name', { N: '5' })
    await t.g.course.put({ id: 'sql' })
    const refused = { code: 'stored.type', message: expect.stringContaining('pupil.name') }
    await expect(t.g.takes.put({ course: 'sql', pupil: 'ann' })).rejects.toMatchObject(refused)
    expect(await t.g.takes.by.pupil('ann').all()).toEqual([{ course: 'go', pupil: 'ann', name: 'Ann' }])
  })

  it('a node with an unreadable value is not copied to an edge whose record arrives later', async () => {
    const t = await setUp('age', { N: '5' })
    await t.g.course.put({ id: 'sql' })
    await t.g.takes.put({ course: 'sql', pupil: 'ann' })
    const [name, _etag] = [{ N: '5' }, { S: 'other' }]
    await t.put({ ...ANN, _type: { S: 'pupil' }, name, _etag })
    const { failures } = await t.handle(await t.tap.poll())
    expect(failures.map(({ error }) => (error as { code: string }).code)).toContain('stored.type')
    expect(await t.g.takes.by.course('sql').all()).toMatchObject([{ name: 'Ann' }])
  })

  it('prevents only the repair of its own edges', async () => {
    const t = await setUp('name', { N: '5' })
    await t.g.pupil.put({ id: 'bob', name: 'Bob' })
    await t.g.takes.put({ course: 'go', pupil: 'bob' })
    for (const who of ['ann', 'bob'])
      await t.store.deleteItem({
        TableName: t.table,
        Key: { PK: { S: `pupil#${who}` }, SK: { S: 'takes.pupil#go' } },
      })
    const { faults } = await repair(t.g)
    expect(faults).toMatchObject({ 'item.unreadable': 1, 'mirror.missing': 2 })
    expect(await t.g.takes.by.pupil('bob').all()).toEqual([{ course: 'go', pupil: 'bob', name: 'Bob' }])
    expect(await t.g.takes.by.course('go').all()).toHaveLength(2)
  })
})

it.each([{ S: 'x' }, { M: {} }])(
  'an edge with the foreign value %j as its counted contribution is counted',
  async note => {
    const t = await derived(school)
    await t.g.pupil.put({ id: 'ann', name: 'Ann' })
    for (const id of ['go', 'sql']) {
      await t.g.course.put({ id })
      await t.g.takes.put({ course: id, pupil: 'ann' })
    }
    await t.store.updateItem({
      TableName: t.table,
      Key: { PK: { S: 'pupil#ann' }, SK: { S: 'takes.pupil#go' } },
      UpdateExpression: 'SET #c = :c',
      ExpressionAttributeNames: { '#c': '_counted' },
      ExpressionAttributeValues: { ':c': note as never },
    })
    await t.catchUp()
    expect(await t.g.pupil.get('ann')).toMatchObject({ taken: 2 })
  },
)
