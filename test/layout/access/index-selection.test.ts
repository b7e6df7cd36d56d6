import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, layout, node, open, set, string } from '../../../src/index.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'

const attributes = { id: string(), place: string(), note: string().optional() }
const ids = Array.from({ length: 40 }, (_, i) => String(i).padStart(2, '0'))

describe('the choice of an index', () => {
  it('a path is read from its own sharded index, although another index has its parts', async () => {
    const by = { all: { order: ['place'], shards: 8 }, at: { in: ['place'], shards: 2 } } as const
    const g = await open(graph('things', [node('thing', attributes, { id: 'id', by })]), memory())
    await g.$batch(ids.map(id => g.thing.put({ id, place: 'here' })))
    expect((await g.thing.by.at({ place: 'here' }).all()).map(({ id }) => id)).toEqual(ids)
    expect(await g.thing.by.at({ place: 'here' }).all().run()).toMatchObject({ requests: 2 })
  })

  it('a path without shards is not read from a sharded index', async () => {
    const by = { all: { order: ['place'], shards: 8 }, at: { in: ['place'] } } as const
    const g = await open(graph('things', [node('thing', attributes, { id: 'id', by })]), memory())
    await g.$batch(ids.map(id => g.thing.put({ id, place: 'here' })))
    expect((await g.thing.by.at({ place: 'here' }).all()).map(({ id }) => id)).toEqual(ids)
  })

  it('a path is not read from the sparse index of another path', async () => {
    const by = { all: { order: ['place', 'id', 'note'] }, at: { in: ['place'], order: ['id'] } } as const
    const g = await open(graph('things', [node('thing', attributes, { id: 'id', by })]), memory())
    await g.thing.put({ id: '1', place: 'here' })
    expect(await g.thing.by.at({ place: 'here' }).all()).toEqual([{ id: '1', place: 'here' }])
  })

  it('a path is read from a complete index rather than from a sparse one', async () => {
    const by = {
      at: { in: ['place'] },
      byId: { in: ['place'], order: ['id'] },
      noted: { in: ['place', 'note'] },
    } as const
    const things = graph('things', [node('thing', attributes, { id: 'id', by })])
    const sparse = { GSI1PK: 'NOTED#{place}', GSI1SK: '{note}#{id}', GSI2PK: 'BY#{place}', GSI2SK: '{id}#{note}' }
    const keys = { thing: { ...sparse, GSI3PK: 'AT#{place}', GSI3SK: '{id}' } } as const
    const g = await open(layout(things, { keys }), memory())
    await g.thing.put({ id: '1', place: 'here' })
    await g.thing.put({ id: '2', place: 'here', note: 'new' })
    expect((await g.thing.by.at({ place: 'here' }).all()).map(({ id }) => id)).toEqual(['1', '2'])
    expect((await g.thing.by.byId({ place: 'here' }).all()).map(({ id }) => id)).toEqual(['1', '2'])
    expect((await g.thing.by.noted({ place: 'here', note: 'new' }).all()).map(({ id }) => id)).toEqual(['2'])
    expect(g.$layout.accesses.map(({ index }) => index)).toEqual(['GSI3', 'GSI3', 'GSI1'])
  })

  it("an index sorted by the table's key serves the one type that has its partition key", async () => {
    const user = node('user', { id: string(), mail: string() }, { id: 'id', by: { mail: { in: ['mail'] } } })
    const movie = node('movie', { id: string() }, { id: 'id' })
    const line = node('line', { no: string() }, { id: 'no', within: movie })
    const keys = { user: { PK: 'U#{id}', SK: 'U#{id}', mailKey: 'E#{mail}' } } as const
    const made = layout(graph('films', [user, movie, line]), { indexes: { mails: { keys: ['mailKey', 'SK'] } }, keys })
    expect(proveLayout(made)).toEqual([])
    const g = await open(made, memory())
    for (const id of ['a', 'b#']) await g.user.put({ id, mail: 'm' })
    await g.line.put({ movie: 'a', no: '1' })
    expect((await g.user.by.mail({ mail: 'm' }).all()).map(({ id }) => id)).toEqual(['a', 'b#'])
    expect(await g.line.by.movie('a').all()).toEqual([{ movie: 'a', no: '1' }])
  })

  it('a path is read by its declared access method if both the table and an index could serve it', () => {
    const movie = node('movie', { id: string(), mail: string() }, { id: 'id', unique: ['mail'] })
    const actor = node('actor', { id: string() }, { id: 'id' })
    const index = { alike: { keys: ['X', 'Y'] }, other: { keys: ['A', 'B'] } } as const
    const served = (as: 'index' | 'mirror', role: Record<string, string | Record<string, string>>) => {
      const plays = edge('plays', { movie, actor }, {}, { by: { actor: { as } } })
      const keys = { movie: { 'unique.mail': { X: 'mail#{mail}', Y: 'mail' } }, plays: role } as never
      const { accesses } = layout(graph('films', [movie, actor, plays]), { indexes: index, keys })
      return Object.fromEntries(accesses.map(({ name, index: at }) => [name, at]))
    }
    const found = { A: 'M#{movie}', B: 'A#{actor}' }
    const twice = { PK: 'A#{actor}', SK: 'M#{movie}', X: 'A#{actor}', Y: 'M#{movie}' }
    expect(served('index', { ...twice, ...found })).toEqual({ mail: undefined, movie: 'other', actor: 'alike' })
    const beside = { PK: 'M#{movie}', SK: 'A#{actor}', X: 'M#{movie}', Y: 'A#{actor}', A: 'A#{actor}', B: 'M#{movie}' }
    expect(served('index', beside)).toEqual({ mail: undefined, movie: undefined, actor: 'other' })
    expect(served('mirror', { mirror: { ...twice, PK: 'R#{actor}' } })).toMatchObject({ actor: undefined })
  })

  it('a custom key without {shard} is not sharded, even if the path declares shards', async () => {
    const thing = node('thing', attributes, { id: 'id', by: { at: { in: ['place'], shards: 4 } } })
    const keys = { thing: { PK: 'T#{id}', SK: 'T', GSI1PK: 'AT#{place}', GSI1SK: 'T#{id}' } } as const
    const g = await open(layout(graph('things', [thing]), { keys }), memory())
    await g.thing.put({ id: '1', place: 'here' })
    expect(await g.thing.by.at({ place: 'here' }).all()).toEqual([{ id: '1', place: 'here' }])
    expect(await g.thing.by.at({ place: 'here' }).count()).toBe(1)
  })

  it('a custom key may omit a part of the order only if that part breaks ties', () => {
    const by = { at: { in: ['place'], order: ['note', 'id'] } } as const
    const things = graph('things', [node('thing', attributes, { id: 'id', by })])
    const keys = (GSI1SK: string) => ({ thing: { GSI1PK: 'AT#{place}', GSI1SK } }) as never
    expect(layout(things, { keys: keys('{note}') }).accesses[0]).toMatchObject({ index: 'GSI1', sortSlots: ['note'] })
    const code = expect.objectContaining({ code: 'layout.path' })
    expect(() => layout(things, { keys: keys('{id}') })).toThrow(code)
    const dated = { at: { in: ['place'], order: ['id', 'note'] } } as const
    const other = graph('things', [node('thing', attributes, { id: 'id', by: dated })])
    expect(() => layout(other, { keys: keys('{id}') })).toThrow(code)
    const deep = { at: { in: ['place'], order: ['kind', 'note', 'id'] } } as const
    const kinds = graph('things', [node('thing', { ...attributes, kind: string() }, { id: 'id', by: deep })])
    expect(layout(kinds, { keys: keys('{kind}#{note}') }).accesses[0]).toMatchObject({ sortSlots: ['kind', 'note'] })
    expect(() => layout(kinds, { keys: keys('{kind}') })).toThrow(code)
    const plain = { at: { in: ['place'], order: ['id'] } } as const
    const alone = graph('things', [node('thing', attributes, { id: 'id', by: plain })])
    expect(() => layout(alone, { keys: keys('T') })).toThrow(code)
  })

  it('a local order ends with the id, so that no two entries have equal keys', () => {
    const shop = node('shop', { id: string() }, { id: 'id' })
    const by = { place: { order: ['place'], as: 'local' } } as const
    const { kinds } = layout(graph('shops', [shop, node('thing', attributes, { id: 'id', within: shop, by })]))
    expect(kinds.map(({ keys }) => keys.LSI1SK?.source)).toEqual([undefined, 'thing#{place}#{id}'])
  })

  it("a path is read from the table if the table's custom keys serve it", async () => {
    const thing = node('thing', attributes, { id: ['place', 'id'], by: { at: { in: ['place'], order: ['id'] } } })
    const keys = { thing: { PK: 'AT#{place}', SK: 'T#{id}', label: '{note}' } } as const
    const g = await open(layout(graph('things', [thing]), { keys }), memory())
    for (const id of ['2', '1']) await g.thing.put({ id, place: 'here' })
    expect((await g.thing.by.at({ place: 'here' }).consistent().all()).map(({ id }) => id)).toEqual(['1', '2'])
  })
})

describe('the identity in a table key', () => {
  const code = expect.objectContaining({ code: 'key.identity' })
  const user = node('user', { id: string(), age: integer(), skills: set(string()) }, { id: 'id' })
  const team = node('team', { id: string() }, { id: 'id' })
  const member = edge(
    'member',
    { team, user },
    { role: string() },
    { key: ['role'], by: { team: { as: 'none' }, user: { as: 'none' } } },
  )
  const teams = graph('teams', [user, team, member])

  it('a table key without a part of the id is rejected', () => {
    expect(() => layout(teams, { keys: { user: { PK: 'U', SK: 'U' } } })).toThrow(code)
    expect(() => layout(teams, { keys: { member: { PK: 'T#{team}', SK: 'M#{user}' } } })).toThrow(code)
    expect(() => layout(teams, { keys: { member: { PK: 'T#{team}', SK: 'M#{role}' } } })).toThrow(code)
    expect(() => layout(teams, { keys: { member: { PK: 'T#{team}', SK: 'M#{user}#{role}' } } })).not.toThrow()
  })

  it('a table key with attributes beyond the id is rejected', () => {
    expect(() => layout(teams, { keys: { user: { PK: 'U#{id}', SK: '{age}' } } })).toThrow(code)
  })

  it('the key of a facet must contain its node and the member of the set', () => {
    const by = { skill: { in: ['skills'], as: 'item' } } as const
    const attributes = { id: string(), mail: string(), skills: set(string()) }
    const person = node('user', attributes, { id: 'id', by, unique: ['mail'] })
    const people = graph('people', [person])
    const given = (keys: object) => layout(people, { keys: { user: keys } } as never)
    expect(() => given({ 'by.skill': { PK: 'U#{id}', SK: 'skill' } })).toThrow(code)
    expect(() => given({ 'by.skill': { PK: 'U#{id}', SK: 'skill#{skills}' } })).not.toThrow()
  })

  it('the key of a unique value must contain only the value', () => {
    const attributes = { id: string(), mail: string() }
    const people = graph('people', [node('user', attributes, { id: 'id', unique: ['mail'] })])
    const given = (keys: object) => layout(people, { keys: { user: { 'unique.mail': keys } } } as never)
    expect(() => given({ PK: '{mail}', SK: 'taken' })).not.toThrow()
    expect(() => given({ PK: 'taken', SK: '{mail}' })).not.toThrow()
    expect(() => given({ PK: 'MAIL#{mail}', SK: '{id}' })).toThrow(code)
    expect(() => given({ PK: 'MAIL', SK: 'taken' })).toThrow(code)
  })

  it('the key of a one edge may omit the other end', () => {
    const by = { user: { as: 'none' }, team: { as: 'none' } } as const
    const lives = edge('lives', { user, team }, {}, { one: 'user', by })
    const homes = graph('homes', [user, team, lives])
    expect(() => layout(homes, { keys: { lives: { PK: 'U#{user}', SK: 'lives' } } })).not.toThrow()
    expect(() => layout(homes, { keys: { lives: { PK: 'T#{team}', SK: 'lives' } } })).toThrow(code)
  })
})

describe('names and marks of a layout', () => {
  const user = node('user', { id: string(), age: integer() }, { id: 'id' })
  const team = node('team', { id: string() }, { id: 'id' })
  const teams = graph('teams', [user, team])

  it('stored names for unknown attributes are rejected', () => {
    expect(() => layout(teams, { names: { user: { aeg: 'a' } } })).toThrow(
      expect.objectContaining({ code: 'layout.type' }),
    )
    expect(() => layout(teams, { names: { user: { age: 'a' } } })).not.toThrow()
  })

  it('a mark with the name of a key is rejected, unless the key is that constant', () => {
    const code = expect.objectContaining({ code: 'layout.name' })
    expect(() => layout(teams, { type: 'SK' })).toThrow(code)
    expect(() => layout(teams, { marks: { user: { PK: 'x' } } })).toThrow(code)
    expect(() => layout(teams, { marks: { user: { constructor: 'x' } } })).not.toThrow()
    const found = graph('teams', [node('user', { id: string() }, { id: 'id', by: { all: { order: ['id'] } } })])
    expect(() => layout(found, { type: 'GSI1PK' })).toThrow(code)
    expect(() => layout(found, { type: 'GSI1PK', keys: { user: { GSI1PK: 'user' } } })).not.toThrow()
  })

  it('two kinds with the same mark are rejected', () => {
    const type = { attribute: 't', values: { user: 'X', team: 'X' } }
    expect(() => layout(teams, { type })).toThrow(expect.objectContaining({ code: 'name.duplicate' }))
  })
})
