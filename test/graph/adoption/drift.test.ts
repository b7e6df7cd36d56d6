import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { findLayoutChanges } from '../../../src/graph/table-setup/drift.js'
import {
  type Attribute,
  edge,
  embedded,
  graph,
  integer,
  layout,
  list,
  map,
  node,
  open,
  string,
} from '../../../src/index.js'
import { toFnvHash } from '../../../src/layout/fingerprint.js'

const user = node('user', { id: string(), city: string() }, { id: 'id', by: { city: { in: ['city'] } } })
const people = graph('people', [user])

/** A graph with one additional type under the given keys. */
const type = (name: string, key?: string) =>
  layout(graph('things', [node('first', { id: string() }, { id: 'id' }), node(name, { id: string() }, { id: 'id' })]), {
    keys: key === undefined ? {} : { [name]: { PK: key, SK: key } },
  })

describe('an existing table', () => {
  it('a table with other key attributes, in the table or an index, is rejected', async () => {
    const store = memory()
    await open(people, store)
    const other = layout(people, { table: { keys: ['pk', 'sk'] } })
    await expect(open(other, store)).rejects.toMatchObject({
      code: 'table.mismatch',
      message:
        "table 'people': it cannot serve this graph because its key is PK,SK, not pk,sk; change the table or the layout.",
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

  const likes = (to: 'user' | 'place', as: 'index' | 'native' | 'none', within = false) => {
    const owner = node('owner', { id: string() }, { id: 'id' })
    const own = { id: 'id', ...(within && { within: owner }) } as const
    const nodes = { user: node('user', { id: string() }, own), place: node('place', { id: string() }, own) }
    const from = node('from', { id: string() }, { id: 'id' })
    const ends = { from, to: nodes[to] }
    return graph('likes', [
      owner,
      from,
      ...Object.values(nodes),
      edge('likes', ends, {}, { by: { to: { as } } }),
    ] as never)
  }

  it.each([
    ['native', false],
    ['none', false],
    ['index', true],
  ] as const)(
    'an end that leads to nodes of another type is rejected when keys do not show it: as %s, owned: %s',
    async (as, owned) => {
      const store = memory()
      await open(likes('user', as, owned), store)
      await expect(open(likes('place', as, owned), store)).rejects.toMatchObject({
        code: 'layout.drift',
        message: expect.stringContaining(`type 'likes': the node of 'to' was "user", is "place"`),
      })
      await expect(open(likes('user', as, owned), store)).resolves.toBeDefined()
    },
  )

  it('a fingerprint without end types is accepted, and an old client accepts a fingerprint with end types', async () => {
    const store = memory()
    const like = likes('user', 'none')
    await open(like, store)
    const Key = { PK: { S: '$edgewise' }, SK: { S: '#' } }
    const { Item } = await store.getItem({ TableName: 'likes', Key })
    const shape = Item!.shape!.S!.replace(/"\$\w+":"\w+",?/g, '').replaceAll(',}', '}')
    expect(JSON.parse(shape).kinds.likes.attributes).toEqual({})
    await store.putItem({ TableName: 'likes', Item: { ...Item!, shape: { S: shape } } })
    await expect(open(like, store)).resolves.toBeDefined()
    expect(Item!.fingerprint).toEqual({ S: toFnvHash(shape) })
    expect(findLayoutChanges(layout(like).shape, JSON.parse(shape))).toEqual([])
  })

  it('a table with types added later is accepted, and each type is compared with its own shape, in any order', async () => {
    const store = memory()
    await open(graph('things', [node('first', { id: string() }, { id: 'id' })]), store)
    for (const name of ['second', 'third', 'fourth']) await open(type(name), store)
    for (const name of ['second', 'third', 'fourth']) {
      await expect(open(type(name, 'T#{id}'), store)).rejects.toMatchObject({
        code: 'layout.drift',
        message: expect.stringContaining(`type '${name}': key 'PK' was "${name}#{id}`),
      })
      await expect(open(type(name), store)).resolves.toBeDefined()
    }
  })

  it('every added type is checked, also when several programs open the table concurrently with others', async () => {
    const store = memory()
    await open(graph('things', [node('first', { id: string() }, { id: 'id' })]), store)
    const names = ['second', 'third', 'fourth']
    await Promise.all(names.map(name => open(type(name), store)))
    for (const name of names)
      await expect(open(type(name, 'T#{id}'), store)).rejects.toMatchObject({ code: 'layout.drift' })
  })

  it('a table that two programs create concurrently under different layouts is opened under only one', async () => {
    const store = memory()
    const tried = await Promise.allSettled([type('second'), type('second', 'T#{id}')].map(each => open(each, store)))
    const refused = tried.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
    expect(refused).toEqual([expect.objectContaining({ code: 'layout.drift' })])
  })

  it('a drift message names the type, the path and the key that changed', async () => {
    const store = memory()
    const fields = { id: string(), rank: integer() }
    const user = node('user', fields, { id: 'id' })
    await open(graph('users', [user, edge('follows', { follower: user, followee: user })]), store)
    const sorted = node('user', fields, { id: 'id', by: { rank: { order: ['rank'] } } })
    const ranked = graph('users', [sorted, edge('follows', { follower: sorted, followee: sorted })])
    await expect(open(ranked, store)).rejects.toMatchObject({
      message: expect.stringContaining("(type 'user', path user.by.rank: key 'GSI1PK' was nothing, is "),
      details: { changes: expect.arrayContaining([expect.stringMatching(/^kinds\.user\.keys\.GSI1PK was nothing/)]) },
    })
  })

  it('a type with items cannot get additional items: a facet, a mirror or a sentinel', async () => {
    const store = memory()
    const fields = { id: string(), mail: string(), rank: integer() }
    await open(graph('users', [node('user', fields, { id: 'id' })]), store)
    const unique = graph('users', [node('user', fields, { id: 'id', unique: ['mail'] })])
    await expect(open(unique, store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining("type 'user': mail is new"),
    })
    const more = { ...fields, age: integer().optional() }
    const wider = graph('users', [node('user', more, { id: 'id' })])
    await expect(open(wider, store)).resolves.toBeDefined()
    const whole = memory()
    await open(wider, whole)
    await expect(open(graph('users', [node('user', fields, { id: 'id' })]), whole)).resolves.toBeDefined()
  })
})

describe('a member with a stored name', () => {
  const text = () => string().optional()
  const of = (attribute: Attribute<unknown, 'optional'>) =>
    graph('nest', [node('n', { id: string(), m: attribute }, { id: 'id' })])
  const one = of(map({ a: text() }).optional())

  it.each([
    ['a map', map({ a: text().stored('x') }), 'map a:x'],
    ['a map in a map', map({ b: map({ a: text().stored('x') }) }), 'map b:a:x'],
    ['a list of maps', list(list(map({ a: text().stored('x') }))), 'list a:x'],
    ['a map that is stored under another name itself', map({ a: text().stored('x') }).stored('y'), 'y map a:x'],
    ['a map with others', map({ c: text().stored('z'), b: text().stored('b'), a: text().stored('x') }), 'map a:x c:z'],
  ])('drift is reported for %s', async (_, attribute, told) => {
    const store = memory()
    const renamed = of(attribute.optional() as never)
    expect(layout(renamed).shape.kinds).toMatchObject({ n: { attributes: { id: 'string', m: told } } })
    await open(one, store)
    await expect(open(renamed, store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining(`(type 'n': attribute 'm' was "map", is "${told}")`),
    })
    const other = memory()
    await open(renamed, other)
    await expect(open(one, other)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining(`(type 'n': attribute 'm' was "${told}", is "map")`),
    })
    await expect(open(renamed, other)).resolves.toBeDefined()
  })

  it('drift is reported for an embedded entry', async () => {
    const entry = (title: Attribute<string>) => {
      const user = node('user', { id: string(), wrote: embedded({ title }) }, { id: 'id' })
      const post = node('post', { slug: string() }, { id: 'slug' })
      const wrote = edge('wrote', { user, post }, { title: string() }, { embed: { user: { into: 'wrote', max: 9 } } })
      return graph('blog', [user, post, wrote])
    }
    const store = memory()
    await open(entry(string()), store)
    await expect(open(entry(string().stored('t')), store)).rejects.toMatchObject({
      code: 'layout.drift',
      message: expect.stringContaining('(type \'user\': attribute \'wrote\' was "embedded", is "embedded title:t")'),
    })
  })

  it('no drift is reported for an equal stored name, another order, or a new attribute', async () => {
    const [a, b] = [text().stored('x'), text().stored('y')]
    expect(layout(of(map({ a: text().stored('a') }).optional())).fingerprint).toBe(layout(one).fingerprint)
    const store = memory()
    await open(of(map({ a, b }).optional()), store)
    await expect(open(of(map({ b, c: text(), a }).optional()), store)).resolves.toBeDefined()
    const bare = memory()
    await open(graph('nest', [node('n', { id: string() }, { id: 'id' })]), bare)
    await expect(open(of(map({ a, b }).optional()), bare)).resolves.toBeDefined()
  })
})
