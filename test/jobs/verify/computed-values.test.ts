import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  binary,
  counter,
  edge,
  embedded,
  etagOf,
  graph,
  integer,
  layout,
  node,
  open,
  string,
} from '../../../src/index.js'
import { backfill, deploy, repair, verify } from '../../../src/jobs/index.js'
import { computed, encrypted, mapped } from '../../../src/schema/transformed/index.js'

const name = string()
const year = integer()
const plain = node('film', { id: string(), name, year }, { id: 'id' })
const film = (keyOf: (name: string) => string) =>
  node(
    'film',
    {
      id: string(),
      name,
      year,
      key: computed(string(), { name }, row => keyOf(row.name)),
      old: computed(string().optional(), { year }, row => (row.year < 1950 ? 'yes' : undefined)),
    },
    { id: 'id', unique: ['key'], by: { old: { in: ['old'], order: ['key'] } } },
  )
const lower = (text: string) => text.toLowerCase()
const upper = (text: string) => text.toUpperCase()

describe('a computed attribute', () => {
  it('a computed attribute is added to items that were written before its declaration', async () => {
    const store = memory()
    const was = await open(graph('films', [plain]), store)
    await was.film.create({ id: '1', name: 'Metropolis', year: 1927 })
    await was.film.create({ id: '2', name: 'Alien', year: 1979 })
    const after = graph('films', [film(lower)])
    await deploy(layout(after), store)
    await backfill(after, store)
    const g = await open(after, store)
    expect(await g.film.by.old({ old: 'yes' }).all()).toEqual([
      { id: '1', name: 'Metropolis', year: 1927, key: 'metropolis', old: 'yes' },
    ])
    expect(await g.film.by.key('alien')).toMatchObject({ id: '2' })
    expect((await verify(g)).faults).toEqual({})
  })

  it('a stale computed attribute is found and repaired after a changed computation or a foreign write', async () => {
    const store = memory()
    const was = await open(graph('films', [film(lower)]), store)
    await was.film.create({ id: '1', name: 'Metropolis', year: 1927 })
    await was.film.create({ id: '2', name: 'Alien', year: 1979 })
    const g = await open(graph('films', [film(upper)]), store)
    await store.updateItem({
      TableName: 'films',
      Key: { PK: { S: 'film#2' }, SK: { S: '#' } },
      UpdateExpression: 'SET #y = :y REMOVE #k',
      ExpressionAttributeNames: { '#y': 'year', '#k': 'key' },
      ExpressionAttributeValues: { ':y': { N: '1949' } },
    })
    const { faults } = await verify(g)
    expect(faults).toEqual({ 'computed.stale': 3, 'sentinel.orphan': 1 })
    await repair(g)
    expect((await verify(g)).faults).toEqual({})
    expect((await g.film.by.old({ old: 'yes' }).all()).map(row => row.key)).toEqual(['ALIEN', 'METROPOLIS'])
    expect(await g.film.by.key('METROPOLIS')).toMatchObject({ id: '1' })
    expect(await g.film.by.key('metropolis')).toBeUndefined()
  })

  it('a computed attribute is correct if its bytes have another class, and so is an entry in a node', async () => {
    const keys = { one: new Uint8Array(32).fill(1) }
    const packed = mapped(binary(), {
      write: (text: string) => Buffer.from(text),
      read: bytes => Buffer.from(bytes).toString(),
    })
    const secret = encrypted(string(), { keys, current: 'one', context: 'secret' })
    const thing = node(
      'thing',
      { id: string(), name, key: computed(packed, { name }, row => row.name), has: embedded({ secret, packed }) },
      { id: 'id' },
    )
    const likes = edge(
      'likes',
      { one: thing, other: thing },
      { secret, packed },
      { embed: { one: { into: 'has', max: 3 } } },
    )
    const g = await open(graph('things', [thing, likes]), memory())
    await g.thing.create({ id: '1', name: 'a' })
    await g.likes.create({ one: '1', other: '1', secret: 'hush', packed: 'b' })
    expect((await verify(g)).faults).toEqual({})
  })

  it('a computed attribute is repaired with its copies and the other faults of its item, and gets a new etag', async () => {
    const year = integer()
    const made = (keyOf: (name: string) => string, times: number) => {
      const thing = node(
        'thing',
        { id: string(), name, key: computed(string(), { name }, row => keyOf(row.name)), seen: counter() },
        { id: 'id' },
      )
      const sees = edge(
        'sees',
        { one: thing, other: thing },
        { year, double: computed(integer(), { year }, row => row.year * times) },
        {
          by: { other: { order: ['double'], as: 'mirror' } },
          carry: { key: { from: 'other.key', sync: 'eventual' } },
          sum: { one: { into: 'seen', of: 'double', by: 'stream' } },
        },
      )
      return graph('things', [thing, sees])
    }
    const store = memory()
    const was = await open(made(lower, 2), store)
    for (const id of ['1', '2', '3']) await was.thing.create({ id, name: `N${id}` })
    for (const [one, other] of [
      ['1', '2'],
      ['2', '3'],
      ['3', '1'],
    ] as const)
      await was.sees.create({ one, other, year: 1 })
    await repair(was)
    const g = await open(made(upper, 3), store)
    const etag = etagOf((await g.thing.get('1'))!)!
    await repair(g)
    expect((await verify(g)).faults).toEqual({})
    expect((await g.sees.scan().all()).map(row => [row.key, row.double]).sort()).toEqual([
      ['N1', 3],
      ['N2', 3],
      ['N3', 3],
    ])
    await expect(g.thing.update('1', { name: 'x' }).ifEtag(etag)).rejects.toMatchObject({ code: 'write.condition' })
  })
})
