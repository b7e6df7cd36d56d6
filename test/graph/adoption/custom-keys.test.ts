import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import {
  counter,
  edge,
  graph,
  include,
  integer,
  layout,
  node,
  open,
  remove,
  set,
  string,
  wrap,
} from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

describe('a node with at most one edge, whose key contains the other end', () => {
  const invoice = node('invoice', { id: string() }, { id: 'id' })
  const customer = node('customer', { id: string() }, { id: 'id' })
  const billed = edge('billed', { invoice, customer }, { amount: integer() }, { one: 'invoice' })
  const keys = { billed: { PK: 'invoice#{invoice}', SK: 'C#{customer}' } } as const
  const openInvoices = () => open(layout(graph('invoices', [invoice, customer, billed]), { keys }), memory())

  it('an update and a put change the key when the edge leads elsewhere', async () => {
    const g = await openInvoices()
    await g.billed.create({ invoice: '1', customer: 'a', amount: 1 })
    await g.billed.update({ invoice: '1', customer: 'a' }, { amount: 2 })
    expect(await g.billed.get({ invoice: '1', customer: 'a' })).toEqual({ invoice: '1', customer: 'a', amount: 2 })
    await g.billed.put({ invoice: '1', customer: 'a', amount: 3 })
    expect(await g.billed.by.invoice('1').all()).toEqual([{ invoice: '1', customer: 'a', amount: 3 }])
    await expect(g.billed.put({ invoice: '1', customer: 'b', amount: 3 })).rejects.toMatchObject({ code: 'edge.one' })
    await g.billed.delete({ invoice: '1', customer: 'a' })
    await g.billed.put({ invoice: '1', customer: 'b', amount: 3 })
    expect((await g.billed.by.invoice('1').all()).map(({ customer: each }) => each)).toEqual(['b'])
  })

  it('a sentinel with the full identity of the edge keeps it the only one', async () => {
    const yearly = edge('billed', { invoice, customer }, { year: integer() }, { one: 'invoice', key: ['year'] })
    const yearlyKeys = { billed: { PK: 'invoice#{invoice}', SK: 'C#{customer}#{year}' } } as const
    const invoices = layout(graph('invoices', [invoice, customer, yearly]), { keys: yearlyKeys })
    const g = await open(invoices, memory())
    for (const id of ['1', '2']) await g.invoice.put({ id })
    await g.customer.put({ id: 'a' })
    const first = { invoice: '1', customer: 'a', year: 1 }
    await g.billed.put(first)
    await g.billed.put({ ...first, invoice: '2' })
    await expect(g.billed.put({ ...first, year: 2 })).rejects.toMatchObject({ code: 'edge.one' })
    expect((await verify(g)).faults).toEqual({})
    await g.$transact([g.billed.delete(first), g.billed.put({ ...first, year: 2 })])
    expect((await repair(g)).repaired).toBe(0)
    await expect(g.billed.put(first)).rejects.toMatchObject({ code: 'edge.one' })
  })
})

describe('a facet under raw keys', () => {
  it('a facet finds its node although its raw key does not identify it', async () => {
    const by = { skill: { in: ['skills'], order: ['name'], as: 'item' } } as const
    const person = node('person', { id: string(), name: string(), skills: set(string()) }, { id: 'id', by })
    const g = await open(layout(graph('people', [person]), { raw: { separator: '|' } }), memory())
    const ann = { id: '1', name: 'Ann', skills: new Set(['go', 'sql']) }
    const bob = { id: '2', name: 'Bob', skills: new Set(['go']) }
    await g.person.put(bob)
    await g.person.put(ann)
    expect(await g.person.by.skill({ skills: 'go' }).all()).toEqual([ann, bob])
    await g.person.delete('1')
    expect(await g.person.by.skill({ skills: 'go' }).all()).toEqual([bob])
  })
})

describe('raw keys of a graph with tenants', () => {
  it('facets and unique values find the nodes of their own tenant', async () => {
    const by = { skill: { in: ['skills'], as: 'item' } } as const
    const person = node(
      'person',
      { id: string(), mail: string(), skills: set(string()) },
      { id: 'id', by, unique: ['mail'] },
    )
    const people = layout(graph('people', [person], { tenant: true }), { raw: { separator: '|' } })
    const g = await open(people, memory())
    const rowOf = (name: string) => ({ id: '1', mail: 'm', skills: new Set([name, 'go']) })
    for (const name of ['a', 'b']) await g.$tenant(name).person.put(rowOf(name))
    for (const name of ['a', 'b']) {
      expect(await g.$tenant(name).person.by.skill({ skills: 'go' }).all()).toEqual([rowOf(name)])
      expect(await g.$tenant(name).person.by.mail('m')).toEqual(rowOf(name))
    }
  })

  it('a partition keyed only by the tenant accepts no second type, because reads would return it too', () => {
    const person = node('person', { id: string(), org: string().stored('tenant') }, { id: 'id' })
    expect(() => layout(graph('people', [person], { tenant: true }), { raw: true })).toThrow(
      "'tenant' is stored as 'tenant', which org uses too",
    )
    expect(() => layout(graph('people', [person]), { raw: true })).not.toThrow()
    expect(() => layout(graph('people', [person], { tenant: true }))).not.toThrow()
  })

  it('an attribute cannot be the only key part after the tenant, because reads would not find it', async () => {
    const person = node('person', { id: string(), town: string() }, { id: 'id', by: { town: { in: ['town'] } } })
    const people = graph('people', [person], { tenant: true })
    const raw = { raw: true, indexes: { towns: { keys: ['town', 'id'] } } } as const
    expect(() => layout(people, { ...raw, keys: { person: { town: '{town}', id: '{id}' } } })).toThrow(
      expect.objectContaining({
        code: 'layout.name',
        message: expect.stringContaining(
          "'town' is stored as 'town', which the layout uses too; rename one, or make it a raw key '{town}'.",
        ),
      }),
    )
    const names = { person: { town: 'city' } } as const
    const g = await open(layout(people, { ...raw, names, keys: { person: { town: '{town}', id: '{id}' } } }), memory())
    await g.$tenant('a').person.put({ id: '1', town: 'Rome' })
    expect(await g.$tenant('a').person.by.town({ town: 'Rome' }).all()).toEqual([{ id: '1', town: 'Rome' }])
    expect(await g.$tenant('b').person.by.town({ town: 'Rome' }).all()).toEqual([])
  })
})

describe('an index that holds keys only', () => {
  const movie = node('movie', { name: string() }, { id: 'name' })
  const actor = node('actor', { name: string(), born: integer() }, { id: 'name' })
  const indexes = { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: 'keys' } } as const

  it('a keys-only index leads to the nodes at the other end although raw keys do not contain them', async () => {
    const role = edge('role', { movie, actor }, { character: string() })
    const g = await open(layout(graph('cinema', [movie, actor, role]), { raw: true, indexes }), memory())
    await g.movie.put({ name: 'Big' })
    await g.actor.put({ name: 'Tom Hanks', born: 1956 })
    const josh = { movie: 'Big', actor: 'Tom Hanks', character: 'Josh' }
    await g.role.put(josh)
    const roles = g.role.by.actor('Tom Hanks')
    expect(await roles.all()).toEqual([josh])
    expect(await roles.nodes().all()).toEqual([{ name: 'Big' }])
    expect(await roles.withNodes().all()).toEqual([{ edge: josh, node: { name: 'Big' } }])
    const { value, requests } = await g.actor.collect('Tom Hanks', { movies: id => g.role.by.actor(id).nodes() }).run()
    expect([value.movies, requests]).toEqual([[{ name: 'Big' }], 4])
  })

  it('a keys-only index leads to the node of an only edge, which the key does not contain', async () => {
    const by = { actor: { order: ['since'] } } as const
    const stars = edge('stars', { actor, movie }, { since: integer() }, { one: 'actor', by })
    const g = await open(layout(graph('cinema', [movie, actor, stars]), { indexes }), memory())
    await g.movie.put({ name: 'Big' })
    await g.stars.put({ actor: 'Tom Hanks', movie: 'Big', since: 1988 })
    expect(await g.stars.by.actor('Tom Hanks').nodes().all()).toEqual([{ name: 'Big' }])
  })
})

describe('a custom key without an index', () => {
  it('a custom key follows its parts, also by an update that gives only some of them', async () => {
    const movie = node('movie', { name: string(), year: integer(), studio: string().optional() }, { id: 'name' })
    const keys = { movie: { PK: 'M#{name}', SK: '#', label: '{year}#{studio}' } } as const
    const store = memory()
    const g = await open(layout(graph('cinema', [movie]), { keys, raw: true }), store)
    const labelOf = async (name: string) => {
      const { Item } = await store.getItem({ TableName: 'cinema', Key: g.movie.keyOf(name) })
      return Item?.label?.S
    }
    await g.movie.create({ name: 'Toy Story', year: 1995, studio: 'Pixar' })
    await g.movie.update('Toy Story', { year: 1996 })
    expect(await labelOf('Toy Story')).toBe('1996#Pixar')
    await g.movie.update('Toy Story', { studio: remove() })
    expect(await labelOf('Toy Story')).toBeUndefined()
  })
})

describe('a custom key that two indexes share', () => {
  it('a shared key remains for one index when an update removes a part that only the other needs', async () => {
    const by = { cast: { in: ['studio'], order: ['star'] }, dated: { in: ['studio'], order: ['day'] } } as const
    const attributes = { studio: string(), no: integer(), star: string().optional(), day: string().optional() }
    const movie = node('movie', attributes, { id: ['studio', 'no'], by })
    const indexes = { cast: { keys: ['house', 'star_'] }, dated: { keys: ['house', 'day_'] } } as const
    const keys = {
      movie: { PK: 'movie#{studio}#{no}', SK: '#', house: 'house#{studio}', star_: '{star}#{no}', day_: '{day}#{no}' },
    } as const
    const g = await open(layout(graph('cinema', [movie]), { keys, indexes }), memory())
    const id = { studio: 'Pixar', no: 1 }
    await g.movie.put({ ...id, star: 'Hanks', day: '1995-11-22' })
    await g.movie.update(id, { star: remove() })
    expect(await g.movie.by.cast({ studio: 'Pixar' }).all()).toEqual([])
    expect(await g.movie.by.dated({ studio: 'Pixar' }).all()).toEqual([{ ...id, day: '1995-11-22' }])
    await g.movie.update(id, { day: remove() })
    expect(await g.movie.by.dated({ studio: 'Pixar' }).all()).toEqual([])
    await g.movie.update(id, { star: 'Allen' })
    expect(await g.movie.by.cast({ studio: 'Pixar' }).all()).toEqual([{ ...id, star: 'Allen' }])
  })
})

describe('a stream-counted mirror under a custom key', () => {
  const user = node('user', { id: string(), born: integer().immutable(), fans: counter() }, { id: 'id' })
  const carry = { born: 'fan.born' } as const
  const count = { star: { into: 'fans', by: 'stream' } } as const
  const likes = edge('likes', { fan: user, star: user }, { note: string().optional() }, { carry, count })
  const mirrorsIn = async (store: ReturnType<typeof memory>) =>
    (await store.scan({ TableName: 'likes' })).Items!.flatMap(({ SK }) => SK?.S?.match(/^liked#.*/) ?? [])
  const openLikes = async (SK: string) => {
    const store = memory()
    const keys = { likes: { mirror: { PK: 'user#{star}', SK } } } as const
    const g = await open(layout(graph('likes', [user, likes]), { keys }), store, { follow: false })
    for (const id of ['a', 'b']) await g.user.put({ id, born: 1990 })
    return { g, store }
  }

  it("a put that omits a part of the mirror's key removes the mirror", async () => {
    const { g, store } = await openLikes('liked#{fan}#{note}')
    await g.likes.put({ fan: 'a', star: 'b', note: 'x' })
    await g.likes.put({ fan: 'a', star: 'b', note: 'y' })
    expect(await mirrorsIn(store)).toEqual(['liked#a#y'])
    await g.likes.put({ fan: 'a', star: 'b' })
    expect(await mirrorsIn(store)).toEqual([])
  })

  it('a mirror moves when its carried attribute comes from a node that was created again', async () => {
    const { g, store } = await openLikes('liked#{fan}#{born}')
    await g.likes.put({ fan: 'a', star: 'b' })
    await g.user.delete('a')
    await g.user.put({ id: 'a', born: 2000 })
    await g.likes.put({ fan: 'a', star: 'b' })
    expect(await mirrorsIn(store)).toEqual(['liked#a#d2000'])
  })
})

describe('an attribute that is an index key itself', () => {
  const raw = { separator: '|' } as const

  it('a key attribute can be changed and removed', async () => {
    const by = { genre: { in: ['genre'], order: ['title'] } } as const
    const movie = node('movie', { title: string(), genre: string().optional() }, { id: 'title', by })
    const keys = { movie: { PK: 'M|{title}', SK: 'M', genre: '{genre}', title: '{title}' } } as const
    const indexes = { genres: { keys: ['genre', 'title'] } } as const
    const g = await open(layout(graph('cinema', [movie]), { raw, keys, indexes }), memory())
    const found = (genre: string) => g.movie.by.genre({ genre }).all()
    await g.movie.put({ title: 'Big', genre: 'drama' })
    await g.movie.update('Big', { genre: 'comedy' })
    expect([await found('drama'), await found('comedy')]).toEqual([[], [{ title: 'Big', genre: 'comedy' }]])
    await g.movie.update('Big', { genre: remove() })
    expect(await found('comedy')).toEqual([])
    expect(await g.movie.get('Big')).toEqual({ title: 'Big' })
  })

  it('a key attribute follows the node that it is carried from', async () => {
    const actor = node('actor', { id: string(), name: string() }, { id: 'id' })
    const carry = { who: { from: 'actor.name', sync: 'eventual' } } as const
    const role = edge('role', { actor, movie: actor }, {}, { carry, by: { movie: { as: 'index' } } })
    const plain = { movie: '{movie}', actor: '{actor}', who: '{who}' } as const
    const keys = { role: { PK: 'A|{actor}', SK: 'R|{movie}', ...plain } } as const
    // The second is read by another program.
    const indexes = { cast: { keys: ['movie', 'actor'] }, named: { keys: ['who', 'actor'] } } as const
    const g = await open(layout(graph('cinema', [actor, role]), { raw, keys, indexes }), memory())
    await g.actor.put({ id: '1', name: 'Tom' })
    await g.role.put({ actor: '1', movie: 'Big' })
    await g.actor.update('1', { name: 'Thomas' })
    await g.$settled()
    expect(await g.role.by.movie('Big').all()).toEqual([{ actor: '1', movie: 'Big', who: 'Thomas' }])
  })
})

it('an item without an etag is read again after a concurrent write, under every kind of condition', async () => {
  const by = { tag: { in: ['tags'], order: ['id'], as: 'item' } } as const
  const note = node('note', { id: string(), views: integer(), tags: set(string()).optional() }, { id: 'id', by })
  const store = memory()
  const other = await open(graph('notes', [note]), store)
  let raced = true
  const racing = wrap(store, async (operation, request, call, send) => {
    const answer = await send(request, call)
    if (operation === 'getItem' && !raced) {
      raced = true
      await other.note.update('a', { views: 2 })
    }
    return answer
  })
  const g = await open(graph('notes', [note]), racing)
  const Item = { ...g.note.keyOf('a'), _type: { S: 'note' }, views: { N: '1' } }
  await store.putItem({ TableName: 'notes', Item })
  raced = false
  await g.note.update('a', { tags: include('x') }).if(r => r.views.above(0))
  expect(await g.note.by.tag({ tags: 'x' }).all()).toEqual([{ id: 'a', views: 2, tags: new Set(['x']) }])
  expect(raced).toBe(true)
})

it('a filter on a key attribute of the table is rejected with a message', async () => {
  const movie = node('movie', { title: string() }, { id: 'title' })
  const actor = node('actor', { name: string() }, { id: 'name' })
  const role = edge('role', { movie, actor }, {}, { by: { actor: { as: 'inverted' } } })
  const keys = {
    movie: { movie: '{title}', actor: '-' },
    actor: { movie: '-', actor: '{name}' },
    role: { movie: '{movie}', actor: '{actor}' },
  } as const
  const made = layout(graph('cinema', [movie, actor, role]), { raw: true, table: { keys: ['movie', 'actor'] }, keys })
  const g = await open(made, memory())
  await g.role.put({ movie: 'Big', actor: 'Tom' })
  const code = expect.objectContaining({ code: 'condition.key' })
  expect(() => g.role.by.movie('Big').filter(r => r.actor.startsWith('T'))).toThrow(code)
  const scanned = g.role.scan().filter(r => r.actor.startsWith('T'))
  expect(await scanned.all()).toEqual([{ movie: 'Big', actor: 'Tom' }])
})
