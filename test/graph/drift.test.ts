import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { graph, integer, layout, node, open, string } from '../../src/index.js'

const user = node('user', { id: string(), city: string() }, { id: 'id', by: { city: { in: ['city'] } } })
const people = graph('people', [user])

/** A graph in which one more type lies as it is told to. */
const type = (name: string, key?: string) =>
  layout(graph('things', [node('first', { id: string() }, { id: 'id' }), node(name, { id: string() }, { id: 'id' })]), {
    keys: key === undefined ? {} : { [name]: { PK: key, SK: key } },
  })

describe('a table that is already there', () => {
  it('is refused where its key, or that of an index, is on other attributes', async () => {
    const store = memory()
    await open(people, store)
    const other = layout(people, { table: { keys: ['pk', 'sk'] } })
    await expect(open(other, store)).rejects.toMatchObject({
      code: 'table.mismatch',
      message: "the table 'people' cannot serve this graph: its key is PK,SK, not pk,sk",
    })
    const turned = layout(people, {
      indexes: { GSI1: { keys: ['town', 'order'] } },
      keys: { user: { town: 'city#{city}', order: '{id}' } },
    })
    await expect(open(turned, store)).rejects.toMatchObject({
      code: 'table.mismatch',
      message: expect.stringContaining('its index GSI1 is on GSI1PK,GSI1SK, not town,order'),
    })
  })

  it('is taken with types that came since, each of which is held to what it was, in whatever order they came', async () => {
    const store = memory()
    await open(graph('things', [node('first', { id: string() }, { id: 'id' })]), store)
    for (const name of ['second', 'third', 'fourth']) await open(type(name), store)
    for (const name of ['second', 'third', 'fourth']) {
      await expect(open(type(name, 'T#{id}'), store)).rejects.toMatchObject({
        code: 'layout.drift',
        message: expect.stringContaining(`kinds.${name}.keys.PK was "${name}#{id}`),
      })
      await expect(open(type(name), store)).resolves.toBeDefined()
    }
  })

  it('is held to every type that came since, also where several programs opened it with others at once', async () => {
    const store = memory()
    await open(graph('things', [node('first', { id: string() }, { id: 'id' })]), store)
    const names = ['second', 'third', 'fourth']
    await Promise.all(names.map(name => open(type(name), store)))
    for (const name of names)
      await expect(open(type(name, 'T#{id}'), store)).rejects.toMatchObject({ code: 'layout.drift' })
  })

  it('is opened under one layout, where programs of two make it at once', async () => {
    const store = memory()
    const tried = await Promise.allSettled([type('second'), type('second', 'T#{id}')].map(each => open(each, store)))
    const refused = tried.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toEqual([expect.objectContaining({ code: 'layout.drift' })])
  })

  it('is refused where a type that has items comes to have more of them: a facet, a mirror or a sentinel', async () => {
    const store = memory()
    const fields = { id: string(), mail: string(), rank: integer() }
    await open(graph('users', [node('user', fields, { id: 'id' })]), store)
    const unique = graph('users', [node('user', fields, { id: 'id', unique: ['mail'] })])
    await expect(open(unique, store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining('kinds.user.mail is new'),
    })
    const more = { ...fields, age: integer().optional() }
    const wider = graph('users', [node('user', more, { id: 'id' })])
    await expect(open(wider, store)).resolves.toBeDefined()
    const whole = memory()
    await open(wider, whole)
    await expect(open(graph('users', [node('user', fields, { id: 'id' })]), whole)).resolves.toBeDefined()
  })
})
