import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { date, edge, graph, layout, node, open, string } from '../../../src/index.js'
import { backfill, repair, verify } from '../../../src/jobs/index.js'

const attributes = {
  id: string(),
  name: string().immutable(),
  nick: string().optional().immutable(),
  born: date().immutable(),
}
const person = node('person', attributes, { id: 'id' })
const book = node('book', { id: string() }, { id: 'id' })
const made = (from: 'person.name' | 'person.nick' | 'person.born') => {
  const wrote = edge('wrote', { book, person }, {}, { carry: { label: from }, by: { person: { as: 'mirror' } } })
  return graph('books', [person, book, wrote])
}
const [ann, bob] = [
  { id: 'ann', name: 'Ann', born: new Date(0) },
  { id: 'bob', name: 'Bob', born: new Date(1), nick: 'Bo' },
]

async function written() {
  const store = memory()
  const g = await open(made('person.name'), store)
  await g.book.put({ id: 'b' })
  for (const row of [ann, bob]) {
    await g.person.put(row)
    await g.wrote.put({ book: 'b', person: row.id })
  }
  return { store, g }
}

describe('copies of immutable attributes', () => {
  it.each([
    ['another attribute', 'person.nick', [undefined, 'Bo']],
    ['an attribute of another kind', 'person.born', [ann.born, bob.born]],
  ] as const)('a backfill updates copies of immutable attributes that become copies of %s', async (_, from, labels) => {
    for (const options of [{}, { from: made('person.name') }]) {
      const { store } = await written()
      await backfill(made(from), store, options)
      const g = await open(made(from), store)
      expect((await g.wrote.by.book('b').all()).map(({ label }) => label)).toEqual(labels)
      expect((await g.wrote.by.person('ann').all()).map(({ label }) => label)).toEqual(labels.slice(0, 1))
      expect((await verify(g)).faults).toEqual({})
      expect((await backfill(made(from), store)).changed).toBe(0)
    }
  })

  it('with another stored name are missing, and the table is rejected until a backfill', async () => {
    const named = layout(made('person.name'), { names: { wrote: { label: 'l' } } } as never)
    for (const options of [{}, { from: made('person.name') }]) {
      const { store } = await written()
      await expect(open(named, store)).rejects.toMatchObject({ code: 'layout.drift' })
      await backfill(named, store, options)
      const g = await open(named, store)
      expect((await g.wrote.by.book('b').all()).map(({ label }) => label)).toEqual(['Ann', 'Bob'])
      expect((await g.wrote.by.person('ann').all()).map(({ label }) => label)).toEqual(['Ann'])
      expect((await verify(g)).faults).toEqual({})
    }
  })

  it('copies of immutable attributes are read from existing nodes if they are declared again', async () => {
    const wrote = edge('wrote', { book, person }, {}, { by: { person: { as: 'mirror' } } })
    const bare = graph('books', [person, book, wrote])
    for (const from of [undefined, bare]) {
      const { store } = await written()
      await backfill(bare, store, { from: made('person.name') })
      const g = await open(bare, store)
      await g.person.delete('ann')
      await g.person.put({ ...ann, name: 'Anna' })
      await backfill(made('person.name'), store, { from })
      const h = await open(made('person.name'), store)
      expect((await h.wrote.by.book('b').all()).map(({ label }) => label)).toEqual(['Anna', 'Bob'])
      expect((await verify(h)).faults).toEqual({})
    }
  })

  it.each(['SET label = :wrong', 'REMOVE label'])('a fixed copy of the mirror alone is repaired: %s', async change => {
    const { store, g } = await written()
    await store.updateItem({
      TableName: 'books',
      Key: { PK: { S: 'person#ann' }, SK: { S: 'wrote.person#b' } },
      UpdateExpression: change,
      ...(change.startsWith('SET') && { ExpressionAttributeValues: { ':wrong': { S: 'Zed' } } }),
    })
    expect((await verify(g)).faults).toEqual({ 'copy.stale': 1 })
    expect((await repair(g)).repaired).toBe(1)
    expect((await verify(g)).faults).toEqual({})
    expect(await g.wrote.by.person('ann').first()).toMatchObject({ label: 'Ann' })
  })

  it.each(['SET label = :wrong', 'REMOVE label'])(
    'a fixed copy of an edge and its mirror is repaired: %s',
    async change => {
      const { store, g } = await written()
      await store.updateItem({
        TableName: 'books',
        Key: g.wrote.keyOf({ book: 'b', person: 'ann' }),
        UpdateExpression: change,
        ...(change.startsWith('SET') && { ExpressionAttributeValues: { ':wrong': { S: 'Zed' } } }),
      })
      expect((await verify(g)).faults).toEqual({ 'copy.stale': 1 })
      expect((await repair(g)).repaired).toBe(1)
      expect((await verify(g)).faults).toEqual({})
      for (const read of [g.wrote.by.book('b'), g.wrote.by.person('ann')])
        expect(await read.first()).toMatchObject({ label: 'Ann' })
    },
  )
})

it('one repair fixes an edge with a stale synced copy and a stale fixed copy', async () => {
  const person = node('person', { id: string(), name: string(), born: date().immutable() }, { id: 'id' })
  const carry = { name: { from: 'person.name', sync: 'eventual' }, born: 'person.born' } as const
  const store = memory()
  const g = await open(graph('books', [person, book, edge('wrote', { book, person }, {}, { carry })]), store, {
    follow: false,
  })
  await g.book.put({ id: 'b' })
  await g.person.put({ id: 'ann', name: 'Ann', born: new Date(0) })
  await g.wrote.put({ book: 'b', person: 'ann' })
  await store.updateItem({
    TableName: 'books',
    Key: { PK: { S: 'book#b' }, SK: { S: 'wrote#ann' } },
    UpdateExpression: 'SET #n = :n, born = :b',
    ExpressionAttributeNames: { '#n': 'name' },
    ExpressionAttributeValues: { ':n': { S: 'Bob' }, ':b': { S: new Date(1).toISOString() } },
  })
  expect((await verify(g)).faults).toEqual({ 'copy.stale': 2 })
  expect((await repair(g)).repaired).toBe(2)
  expect((await verify(g)).faults).toEqual({})
  expect(await g.wrote.get({ book: 'b', person: 'ann' })).toMatchObject({ name: 'Ann', born: new Date(0) })
})
