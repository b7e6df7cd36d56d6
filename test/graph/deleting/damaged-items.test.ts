import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, layout, node, open, string } from '../../../src/index.js'
import { finishDeletes, repair } from '../../../src/jobs/index.js'
import { mortal } from './crashing-store.js'

const course = node('course', { id: string() }, { id: 'id' })
const pupil = node('pupil', { id: string() }, { id: 'id' })

describe('the deletion of a node with damaged items terminates', () => {
  it.each([undefined, ['seat']] as const)('with a mirror that has lost its edge, sorted by %s', async order => {
    const by = { pupil: { as: 'mirror', ...(order && { order }) } } as const
    const sits = edge('sits', { course, pupil }, { seat: integer() }, { by, onDelete: { pupil: 'cascade' } })
    const school = graph('school', [course, pupil, sits])
    const store = memory()
    const g = await open(school, store)
    await g.pupil.create({ id: 'p' })
    for (const id of ['a', 'b', 'c']) {
      await g.course.create({ id })
      await g.sits.put({ course: id, pupil: 'p', seat: 1 })
    }
    // Another program, or a restore, left the mirror without its edge.
    await store.deleteItem({ TableName: 'school', Key: g.sits.keyOf({ course: 'b', pupil: 'p' }) })
    const deleting = await open(school, mortal(store, 40).store, { create: false })
    await deleting.pupil.delete('p')
    expect(await g.pupil.exists('p')).toBe(false)
    expect(await g.sits.by.course('a').count()).toBe(0)
    // The repair finds it and deletes it as usual.
    expect(await repair(g)).toMatchObject({ repaired: 1, faults: { 'mirror.orphan': 1 } })
    expect(await g.sits.by.pupil('p').count()).toBe(0)
  })

  it('with an item of another program among the edges, which is not deleted', async () => {
    const likes = edge('likes', { pupil, course }, {}, { onDelete: { pupil: 'cascade' } })
    const made = layout(graph('school', [course, pupil, likes]), {
      raw: true,
      keys: {
        pupil: { PK: 'P#{id}', SK: 'P' },
        course: { PK: 'C#{id}', SK: 'C' },
        likes: { PK: 'P#{pupil}', SK: 'L#{course}', GSI1PK: 'C#{course}', GSI1SK: 'L#{pupil}' },
      },
    })
    const store = memory()
    const g = await open(made, store)
    await g.pupil.create({ id: 'p' })
    const note = {
      PK: { S: 'P#p' },
      SK: { S: 'L#a#NOTE' },
      _type: { S: 'note' },
      pupil: { S: 'p' },
      course: { S: 'a' },
    }
    await store.putItem({ TableName: 'school', Item: note })
    const deleting = await open(made, mortal(store, 40).store, { create: false })
    await deleting.pupil.delete('p')
    expect(await g.pupil.exists('p')).toBe(false)
    expect((await store.scan({ TableName: 'school' })).Items).toContainEqual(note)
  })
})

describe('the deletion of a node deletes only its own edges', () => {
  const likes = edge('likes', { pupil, course }, {}, { onDelete: { pupil: 'cascade', course: 'cascade' } })
  const school = graph('school', [course, pupil, likes])
  const raw = layout(school, {
    raw: true,
    keys: {
      pupil: { PK: 'P#{id}', SK: 'P' },
      course: { PK: 'C#{id}', SK: 'C' },
      likes: { PK: 'P#{pupil}', SK: 'L#{course}', GSI1PK: 'C#{course}', GSI1SK: 'L#{pupil}' },
    },
  })
  const item = (texts: Readonly<Record<string, string>>): Item =>
    Object.fromEntries(Object.entries(texts).map(([name, S]) => [name, { S }]))

  it.each([
    ['an item of others, by the index', raw, 'course', { PK: 'X', GSI1PK: 'C#a', course: 'a', pupil: 'z' }],
    ['one that has the mark', raw, 'course', { PK: 'X', GSI1PK: 'C#a', course: 'a', pupil: 'z', _type: 'likes' }],
    ['one that speaks of an edge of it', raw, 'course', { PK: 'X', GSI1PK: 'C#a', course: 'a', pupil: 'p' }],
    ['one that speaks of another edge', raw, 'course', { PK: 'X', GSI1PK: 'C#a', course: 'b', pupil: 'q' }],
    ['one in the table that does', raw, 'pupil', { PK: 'P#p', course: 'b', pupil: 'q' }],
    ['one in the table that speaks of an edge of it', raw, 'pupil', { PK: 'P#p', course: 'a', pupil: 'p' }],
    [
      'an edge whose key of the index is stale',
      layout(school),
      'course',
      { PK: 'pupil#q', SK: 'likes#b', GSI1PK: 'course#a', GSI1SK: 'likes#q', _type: 'likes' },
    ],
  ] as const)('%s among its edges is not deleted', async (_, made, deleted, texts) => {
    const store = memory()
    const g = await open(made, store)
    for (const id of ['p', 'q']) await g.pupil.create({ id })
    for (const id of ['a', 'b']) await g.course.create({ id })
    for (const [pupil, course] of [
      ['p', 'a'],
      ['q', 'b'],
    ] as const)
      await g.likes.put({ pupil, course })
    const stray = item({ SK: 'L#a#NOTE', GSI1SK: 'L#NOTE', _type: 'note', ...texts })
    await store.putItem({ TableName: 'school', Item: stray })
    const deleting = await open(made, mortal(store, 20).store, { create: false })
    await (deleted === 'course' ? deleting.course.delete('a') : deleting.pupil.delete('p'))
    const { Items: left = [] } = await store.scan({ TableName: 'school' })
    expect(left).toContainEqual(stray)
    expect(await g.likes.get({ pupil: 'p', course: 'a' })).toBeUndefined()
    expect(await g.likes.exists({ pupil: 'q', course: 'b' })).toBe(true)
  })

  it('an item of another program does not prevent the deletion', async () => {
    const keeps = edge('keeps', { pupil, course }, {}, { onDelete: { course: 'refuse' } })
    const keys = { keeps: { PK: 'P#{pupil}', SK: 'L#{course}', GSI1PK: 'C#{course}', GSI1SK: 'L#{pupil}' } } as const
    const made = layout(graph('school', [course, pupil, keeps]), { raw: true, keys })
    const store = memory()
    const g = await open(made, store)
    await g.course.create({ id: 'a' })
    const note = item({ PK: 'X', SK: 'Y', GSI1PK: 'C#a', GSI1SK: 'L#', pupil: 'z', course: 'a' })
    await store.putItem({ TableName: 'school', Item: note })
    await g.course.delete('a')
    expect(await g.course.exists('a')).toBe(false)
  })
})

it('finishDeletes reports a deletion that the edges no longer allow, and finishes the others', async () => {
  const spoke = edge('spoke', { pupil, to: pupil })
  const gone = edge('spoke', { pupil, to: pupil }, {}, { onDelete: { pupil: 'cascade' } })
  const store = memory()
  const g = await open(graph('wheel', [pupil, gone]), store)
  for (const id of ['a', 'b', 'c']) await g.pupil.put({ id })
  await g.spoke.put({ pupil: 'c', to: 'x' })
  // The blocking edge is looked for at both ends before the mark is written.
  const before = await open(graph('wheel', [pupil, spoke]), mortal(store, 5).store, { create: false })
  await expect(before.pupil.delete('a', { edges: 'refuse' })).rejects.toThrow('crashed')
  for (const id of ['b', 'c']) {
    const dying = await open(graph('wheel', [pupil, gone]), mortal(store, 3).store, { create: false })
    await expect(dying.pupil.delete(id)).rejects.toThrow('crashed')
  }
  const refused = {
    code: 'node.strict',
    message: expect.stringContaining("item 'pupil#a #': its deletion cannot be finished"),
  }
  await expect(finishDeletes(g)).rejects.toMatchObject(refused)
  expect(await g.spoke.by.pupil('c').count()).toBe(0)
  await g.pupil.delete('a')
  expect(await finishDeletes(g)).toBe(0)
  for (const id of ['a', 'b', 'c']) await g.pupil.create({ id })
})

it('finishDeletes finishes a deletion whose node has an unreadable value, because it needs only the id', async () => {
  const hub = node('hub', { id: string(), size: integer() }, { id: 'id' })
  const spoke = edge('spoke', { hub, to: hub }, {}, { onDelete: { hub: 'cascade' } })
  const wheel = graph('wheel', [hub, spoke])
  const store = memory()
  const g = await open(wheel, store)
  for (const id of ['a', 'b', 'c']) {
    await g.hub.put({ id, size: 1 })
    await g.spoke.put({ hub: id, to: 'x' })
    const dying = await open(wheel, mortal(store, 3).store, { create: false })
    await expect(dying.hub.delete(id)).rejects.toThrow('crashed')
    await store.updateItem({
      TableName: 'wheel',
      Key: g.hub.keyOf(id),
      UpdateExpression: 'SET #s = :other',
      ExpressionAttributeNames: { '#s': 'size' },
      ExpressionAttributeValues: { ':other': { S: 'wide' } },
    })
  }
  expect(await finishDeletes(g)).toBe(3)
  expect(await finishDeletes(g)).toBe(0)
  expect(await g.spoke.scan().count()).toBe(0)
  for (const id of ['a', 'b', 'c']) await g.hub.create({ id, size: 2 })
})

it('finishDeletes finishes a deletion whose edges are no longer declared to cascade', async () => {
  const hub = node('hub', { id: string() }, { id: 'id' })
  const ends = { hub, to: hub }
  const store = memory()
  const going = graph('wheel', [hub, edge('spoke', ends, {}, { onDelete: { hub: 'cascade' } })])
  const before = await open(going, store)
  for (const id of ['a', 'b']) await before.hub.put({ id })
  await before.spoke.put({ hub: 'a', to: 'b' })
  const dying = await open(going, mortal(store, 3).store, { create: false })
  await expect(dying.hub.delete('a')).rejects.toThrow('crashed')
  const g = await open(graph('wheel', [hub, edge('spoke', ends)]), store)
  expect(await finishDeletes(g)).toBe(1)
  expect(await finishDeletes(g)).toBe(0)
  expect((await store.getItem({ TableName: 'wheel', Key: g.hub.keyOf('a') })).Item).toBeUndefined()
  expect(await g.spoke.by.hub('a').count()).toBe(1)
  expect((await g.hub.scan().all()).map(({ id }) => id)).toEqual(['b'])
})
