import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { planCreate, planDelete, planPut, planUpdate } from '../../../src/plan/write/operations.js'
import { add, append, remove } from '../../../src/schema/patch-operations.js'
import { date, edge, embedded, graph, node, string } from '../../layout/declarations.js'
import { actor, cinema, fresh, last, movie, opened, options, toyStory, woody } from './cinema.js'

describe('input that is rejected before anything is sent', () => {
  const update =
    (patch: Record<string, unknown>, type = 'actor') =>
    () =>
      planUpdate(cinema, type, type === 'actor' ? 'Tom Hanks' : woody, patch, options)

  it.each([
    ['an update of nothing', update({}), 'write.empty'],
    ['an update with nothing but undefined', update({ email: undefined }), 'write.empty'],
    ['an id', update({ name: 'Tim' }), 'write.key'],
    ['an end', update({ movie: 'Up' }, 'role'), 'write.key'],
    ['an immutable attribute', update({ born: 1 }), 'write.immutable'],
    ['a counter', update({ roles: 1 }), 'write.derived'],
    ['a carried attribute', update({ born: 1 }, 'award'), 'write.derived'],
    ['an unknown attribute', update({ nme: 'Tim' }), 'write.unknown'],
    ['an attribute with a dot', update({ 'email.host': 'x' }), 'write.unknown'],
    ['a value that does not fit', update({ email: 1 }), 'value.type'],
    ['the removal of what is not optional', update({ character: remove() }, 'role'), 'write.missing'],
    ['an addition to a text', update({ email: add(1) }), 'write.operation'],
    ['elements for a set', update({ tags: append('a') }), 'write.operation'],
    ['a row without an attribute', () => planPut(cinema, 'movie', { name: 'Up' }, options), 'write.missing'],
    [
      'a new row with a counter',
      () => planCreate(cinema, 'actor', { name: 'T', born: 1, roles: 1 }, options),
      'write.derived',
    ],
    [
      'an item too large',
      () => planPut(cinema, 'movie', { ...toyStory, studio: 'x'.repeat(410_000) }, options),
      'key.long',
    ],
  ])('%s', (_, plan, code) => {
    expect(plan).toThrow(expect.objectContaining({ code }))
  })

  it('an item that exceeds the size limit of DynamoDB is rejected', () => {
    const large = { ...woody, character: 'x'.repeat(410_000) }
    expect(() => planPut(cinema, 'role', large, options)).toThrow(expect.objectContaining({ code: 'write.size' }))
  })

  it('a transaction with too many items is rejected', () => {
    const tags = new Set(Array.from({ length: 100 }, (_, i) => `tag ${i}`))
    expect(() => planCreate(cinema, 'actor', { name: 'T', born: 1, tags }, options)).toThrow(
      expect.objectContaining({ code: 'write.transaction' }),
    )
  })

  it('deleting a node with cascading edges in one request is rejected', () => {
    const seen = edge('seen', { movie, actor }, {}, { onDelete: { movie: 'cascade' } })
    const made = layout(graph('g', [movie, actor, seen]))
    expect(() => planDelete(made, 'movie', 'Up', options)).toThrow(expect.objectContaining({ code: 'node.cascade' }))
    expect(last(planCreate(made, 'seen', woody && { movie: 'Up', actor: 'Tom' }, options)).TransactItems).toMatchObject(
      [{ Put: {} }, { ConditionCheck: { Key: { PK: { S: 'movie#Up' } } } }],
    )
  })
})

describe('invariants across items', () => {
  it('a sentinel enforces that a node has at most one edge when the key contains the other end', () => {
    const leads = edge('leads', { actor, movie }, {}, { one: 'actor' })
    const keys = { leads: { PK: 'ACTOR#{actor}', SK: 'MOVIE#{movie}' } }
    const made = layout(graph('leads', [movie, actor, leads]), { keys })
    const { TransactItems } = last(planCreate(made, 'leads', { actor: 'Tom', movie: 'Up' }, options))
    expect(TransactItems).toMatchObject([
      { Put: { Item: { PK: { S: 'ACTOR#Tom' }, SK: { S: 'MOVIE#Up' } } } },
      {
        Put: {
          Item: { PK: { S: 'leads.$one#Tom' }, movie: { S: 'Up' } },
          ConditionExpression: expect.stringContaining('attribute_not_exists'),
        },
      },
    ])
  })

  it('an edge keeps the values that it carried when it was put, even when its node is created again with others', async () => {
    const { store, send } = await opened(cinema)
    const made = async (born: number) => send(planCreate(cinema, 'actor', { name: 'Tom', born }, options))
    const award = () => send(planPut(cinema, 'award', { movie: 'Up', actor: 'Tom', prize: 'Oscar' }, options))
    const carried = async () => {
      const { Items } = await store.scan({ TableName: 'cinema' })
      return Items!.find(({ prize }) => prize)?.born
    }
    await made(1956)
    await award()
    // A node with a counted edge cannot be deleted, so the source of a carried value cannot be replaced
    // unnoticed.
    await expect(send(planDelete(cinema, 'actor', 'Tom', options))).rejects.toMatchObject({ code: 'node.edges' })
    await send(planDelete(cinema, 'award', { movie: 'Up', actor: 'Tom' }, options))
    await send(planDelete(cinema, 'actor', 'Tom', options))
    await made(1957)
    await award()
    expect(await carried()).toEqual({ N: '1957' })
  })

  it('an edge keeps the copy of a deleted node until the edge is put again', async () => {
    const plays = edge('plays', { movie, actor }, {}, { carry: { born: 'actor.born' } })
    const made = layout(graph('plays', [movie, actor, plays]))
    const { store, send } = await opened(made)
    const born = (year: number) => send(planCreate(made, 'actor', { name: 'Tom', born: year }, options))
    const put = () => send(planPut(made, 'plays', { movie: 'Up', actor: 'Tom' }, options))
    const Key = { PK: { S: 'movie#Up' }, SK: { S: 'plays#Tom' } }
    const carried = async () => (await store.getItem({ TableName: 'plays', Key })).Item!.born
    await born(1956)
    await put()
    await send(planDelete(made, 'actor', 'Tom', options))
    await born(1957)
    expect(await carried()).toEqual({ N: '1956' })
    await put()
    expect(await carried()).toEqual({ N: '1957' })
  })
})

describe('writes that depend on stored items', () => {
  it('a write rejects a changed value of an immutable attribute', async () => {
    const { send } = await opened(cinema)
    const tom = (born: number) => planPut(cinema, 'actor', { name: 'Tom Hanks', born }, options)
    await send(tom(1956))
    await send(tom(1956))
    await expect(send(tom(1957))).rejects.toMatchObject({ code: 'write.immutable' })
  })

  it('a write rejects an edge that carries from, or is counted in, a missing node', async () => {
    const { send } = await opened(cinema)
    const given = { movie: 'Toy Story', actor: 'Tom Hanks', prize: 'Oscar' }
    await expect(send(planPut(cinema, 'award', given, options))).rejects.toMatchObject({ code: 'edge.carry.absent' })
  })

  it('a write rejects an entry beyond the maximum of an embedded map', async () => {
    const room = node('room', { id: string(), guests: embedded({ name: string() }) }, { id: 'id' })
    const stays = edge('stays', { room, actor }, { name: string() }, { embed: { room: { into: 'guests', max: 1 } } })
    const made = layout(graph('hotel', [room, actor, stays]))
    const { send } = await opened(made)
    const stay = (guest: string, name = 'x') => send(planPut(made, 'stays', { room: '1', actor: guest, name }, options))
    await expect(stay('a')).rejects.toMatchObject({ code: 'edge.end.absent' })
    await send(planPut(made, 'room', { id: '1' }, options))
    await stay('a')
    await stay('a', 'y')
    await expect(stay('b')).rejects.toMatchObject({ code: 'edge.embed.full' })
    await expect(send(planDelete(made, 'room', '1', options))).rejects.toMatchObject({ code: 'node.edges' })
  })
})

describe('an embedded map that changes while an entry is written', () => {
  const room = node('room', { id: string(), guests: embedded({ name: string() }) }, { id: 'id' })
  const stays = edge('stays', { room, actor }, { name: string() }, { embed: { room: { into: 'guests', max: 2 } } })
  const made = layout(graph('hotel', [room, actor, stays]))
  const stay = (guest: string) => planPut(made, 'stays', { room: '1', actor: guest, name: guest }, options)
  const once = (work: () => Promise<unknown>) => {
    let done = false
    return async () => {
      if (!done) await work()
      done = true
    }
  }

  it('a concurrently changed map does not exceed its maximum', async () => {
    const { send } = await opened(made)
    await send(planPut(made, 'room', { id: '1' }, options))
    await send(stay('a'))
    await expect(
      send(
        stay('b'),
        once(() => send(stay('c'))),
      ),
    ).rejects.toMatchObject({ code: 'edge.embed.full' })
  })

  it('a map is created again together with its node', async () => {
    const { store, send } = await opened(made)
    await send(planPut(made, 'room', { id: '1' }, options))
    await send(stay('a'))
    const anew = async () => {
      await send(planDelete(made, 'stays', { room: '1', actor: 'a' }, options))
      await send(planDelete(made, 'room', '1', options))
      await send(planPut(made, 'room', { id: '1' }, options))
    }
    await send(stay('b'), once(anew))
    const { Item } = await store.getItem({ TableName: 'hotel', Key: { PK: { S: 'room#1' }, SK: { S: '#' } } })
    expect(Item!.guests).toEqual({ M: { b: { M: { name: { S: 'b' } } } } })
  })
})

describe('expired items', () => {
  const session = node(
    'session',
    { id: string(), until: date(), note: string().optional() },
    { id: 'id', expires: 'until', by: { note: { in: ['note'], order: ['until'] } } },
  )
  const made = layout(graph('sessions', [session]))
  const at = (seconds: number) => ({ environment: { ...fresh.environment, now: () => seconds * 1000 } })
  const row = (seconds: number) => ({ id: 'a', until: new Date(seconds * 1000) })

  it('writes treat an expired item as missing while DynamoDB still stores it', async () => {
    const { send } = await opened(made)
    await send(planCreate(made, 'session', row(100), at(0)))
    await expect(send(planCreate(made, 'session', row(200), at(99)))).rejects.toMatchObject({ code: 'write.exists' })
    const patches = [{ note: 'x', until: new Date(300_000) }, { note: 'x' }]
    for (const patch of patches)
      await expect(send(planUpdate(made, 'session', 'a', patch, at(100)))).rejects.toMatchObject({
        code: 'write.absent',
      })
    await send(planCreate(made, 'session', row(200), at(100)))
    for (const patch of patches) await send(planUpdate(made, 'session', 'a', patch, at(199)))
  })
})
