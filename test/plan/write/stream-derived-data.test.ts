import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { planTransaction } from '../../../src/plan/write/multi-write.js'
import { planCreate, planDelete, planPut, planUpdate } from '../../../src/plan/write/operations.js'
import { counter, date, edge, graph, node, string } from '../../layout/declarations.js'
import { fresh } from './cinema.js'
import { counted, identity, JUNE, MAY, mirrorAt, OWN, rating, streamed, streaming } from './stream-graph.js'

const put = (row: object, made = streamed) => planPut(made, 'rates', row as never, fresh)
const gone = (id: object = identity) => planDelete(streamed, 'rates', id, fresh)

async function rated() {
  const table = await streaming(streamed)
  await table.send(planPut(streamed, 'user', { id: 'ann', name: 'Ann' }, fresh))
  await table.send(planPut(streamed, 'movie', { id: 'jaws', title: 'Jaws' }, fresh))
  await table.send(put(rating))
  return table
}

async function countedOnBoth() {
  const table = await rated()
  await table.set(OWN, '_counted', counted('own'))
  await table.set(mirrorAt(MAY), '_counted', counted('mirror', { fans: 1 }))
  return table
}

describe('stream data on an edge', () => {
  it('stream data remains on an edge and its mirror after every write', async () => {
    const { send, at } = await countedOnBoth()
    await send(put({ ...rating, stars: 1 }))
    await send(planUpdate(streamed, 'rates', identity, { stars: 2 }, fresh))
    expect(await at(OWN)).toMatchObject({ _counted: counted('own'), stars: { N: '2' }, name: { S: 'Ann' } })
    expect(await at(mirrorAt(MAY))).toMatchObject({ _counted: counted('mirror', { fans: 1 }), stars: { N: '2' } })
  })

  it('stream data remains on a mirror that was not known, and the mirror becomes complete', async () => {
    const { send, at, set, remove } = await rated()
    const whole = await at(mirrorAt(MAY))
    await remove(OWN)
    await remove(mirrorAt(MAY))
    await set(mirrorAt(MAY), '_counted', counted('stray'))
    await send(put(rating))
    expect(await at(mirrorAt(MAY))).toMatchObject({
      ...whole,
      _counted: counted('stray'),
      _etag: (await at(OWN))!._etag,
    })
  })

  it('stream data does not prevent the repair of a mirror that another program deleted', async () => {
    const { send, at, remove } = await rated()
    const whole = await at(mirrorAt(MAY))
    await remove(mirrorAt(MAY))
    await send(planUpdate(streamed, 'rates', identity, { stars: 4 }, fresh))
    expect(await at(mirrorAt(MAY))).toEqual({ ...whole, stars: { N: '4' }, _etag: (await at(OWN))!._etag })
  })
})

it('an attribute removed from an edge is removed from its mirror too', async () => {
  const { send, at } = await rated()
  expect(await at(mirrorAt(MAY))).toMatchObject({ title: { S: 'Jaws' } })
  await send(planPut(streamed, 'movie', { id: 'jaws' }, fresh))
  await send(put(rating))
  for (const key of [OWN, mirrorAt(MAY)]) expect(await at(key)).not.toHaveProperty('title')
})

describe('a deleted edge', () => {
  it('a deleted edge and its mirror leave their counted contributions for the stream to subtract', async () => {
    const { send, at, tombstones } = await countedOnBoth()
    await send(gone())
    expect(await at(OWN)).toBeUndefined()
    expect(await at(mirrorAt(MAY))).toBeUndefined()
    const left = await tombstones()
    expect(left.map(({ PK, _of, _node, _counted }) => ({ PK, _of, _node, _counted }))).toEqual(
      expect.arrayContaining([
        {
          PK: { S: '$gone#user$#ann##' },
          _of: { M: OWN },
          _node: { M: { PK: { S: 'user#ann' }, SK: { S: '#' } } },
          _counted: counted('own'),
        },
        {
          PK: { S: '$gone#movie$#jaws##' },
          _of: { M: mirrorAt(MAY) },
          _node: { M: { PK: { S: 'movie#jaws' }, SK: { S: '#' } } },
          _counted: counted('mirror', { fans: 1 }),
        },
      ]),
    )
    expect(left).toHaveLength(2)
  })

  it('a deleted edge that was not counted leaves nothing', async () => {
    const { send, all } = await rated()
    await send(gone())
    expect((await all()).map(item => item._type!.S).sort()).toEqual(['movie', 'user'])
  })

  it('a deleted edge is read again when it was counted meanwhile, so that no contribution is lost', async () => {
    const { send, set, tombstones } = await countedOnBoth()
    let times = 0
    await send(gone(), async () => {
      times++
      if (times === 1) await set(OWN, '_counted', counted('later', { rated: 1, stars: 5 }))
      if (times === 2) await set(mirrorAt(MAY), '_counted', counted('later', { fans: 1 }))
    })
    expect(times).toBe(3)
    expect((await tombstones()).map(({ _counted }) => _counted!.M!.tag!.S)).toEqual(['later', 'later'])
  })

  it('a deleted edge is read again when its missing mirror appears meanwhile', async () => {
    const { send, at, set, remove } = await rated()
    await remove(mirrorAt(MAY))
    let times = 0
    await send(gone(), async () => {
      if (times++ === 0) await set(mirrorAt(MAY), 'stars', { N: '1' })
    })
    expect(times).toBe(2)
    expect(await at(mirrorAt(MAY))).toBeUndefined()
  })

  it('a conditional deletion is not refused because the edge was counted meanwhile', async () => {
    const { send, at, set } = await countedOnBoth()
    const condition = { expression: '#s = :s', names: { '#s': 'stars' }, values: { ':s': { N: '5' } } }
    let times = 0
    await send(planDelete(streamed, 'rates', identity, { ...fresh, condition }), async () => {
      if (times++ === 0) await set(OWN, '_counted', counted('later'))
    })
    expect(await at(OWN)).toBeUndefined()
  })

  it('deleting an edge, putting it and deleting it again leaves two tombstones under one key', async () => {
    const { send, set, tombstones } = await countedOnBoth()
    await send(gone())
    await send(put(rating))
    await set(OWN, '_counted', counted('own'))
    await send(gone())
    expect((await tombstones()).filter(({ _of }) => _of!.M!.PK!.S === 'user#ann')).toHaveLength(2)
  })
})

describe('a mirror that moves', () => {
  it('a moved mirror is not counted yet, and the previous one leaves its contribution', async () => {
    const { send, at, tombstones } = await countedOnBoth()
    await send(planUpdate(streamed, 'rates', identity, { at: JUNE }, fresh))
    expect(await at(mirrorAt(MAY))).toBeUndefined()
    const moved = await at(mirrorAt(JUNE))
    expect(moved).toMatchObject({ stars: { N: '5' }, title: { S: 'Jaws' } })
    expect(moved).not.toHaveProperty('_counted')
    expect(await at(OWN)).toHaveProperty('_counted')
    expect((await tombstones()).map(({ _of }) => _of)).toEqual([{ M: mirrorAt(MAY) }])
  })

  it('a mirror leaves its contribution when the only edge of its node leads to another node', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const team = node('team', { id: string(), members: counter() }, { id: 'id' })
    const count = { team: { into: 'members', by: 'stream' } } as const
    const made = layout(graph('teams', [user, team, edge('plays', { user, team }, {}, { one: 'user', count })]))
    const { send, at, set, tombstones } = await streaming(made)
    const mirror = (of: string) => ({ PK: { S: `team#${of}` }, SK: { S: 'plays.team#ann' } })
    await send(planPut(made, 'plays', { user: 'ann', team: 'reds' }, fresh))
    await set(mirror('reds'), '_counted', counted('t', { members: 1 }))
    await send(planPut(made, 'plays', { user: 'ann', team: 'blues' }, fresh))
    expect(await at(mirror('reds'))).toBeUndefined()
    expect(await at(mirror('blues'))).toMatchObject({ _type: { S: 'plays.team' } })
    expect(await tombstones()).toMatchObject([{ PK: { S: '$gone#team$#reds##' }, _of: { M: mirror('reds') } }])
  })
})

describe('tombstones', () => {
  it('tombstones of a tenant are stored in the partitions of the tenant', async () => {
    const user = node('user', { id: string(), n: counter() }, { id: 'id' })
    const knows = edge('knows', { one: user, other: user }, {}, { count: { one: { into: 'n', by: 'stream' } } })
    const made = layout(graph('tenants', [user, knows], { tenant: true }))
    const { send, set, tombstones } = await streaming(made)
    const options = { ...fresh, tenant: 'a#b' }
    await send(planPut(made, 'knows', { one: 'x', other: 'y' }, options))
    await set({ PK: { S: 'a$#b#user#x' }, SK: { S: 'knows#y' } }, '_counted', counted('t', { n: 1 }))
    await send(planDelete(made, 'knows', { one: 'x', other: 'y' }, options))
    expect(await tombstones()).toMatchObject([{ PK: { S: expect.stringMatching(/^a\$#b#\$gone#/) } }])
  })

  it('an undirected self-loop leaves one tombstone for both ends', async () => {
    const user = node('user', { id: string(), n: counter() }, { id: 'id' })
    const knows = edge(
      'knows',
      { one: user, other: user },
      {},
      { undirected: true, count: { one: { into: 'n', by: 'stream' } } },
    )
    const made = layout(graph('loops', [user, knows]))
    const { send, all, set, tombstones } = await streaming(made)
    await send(planPut(made, 'knows', { one: 'x', other: 'x' }, fresh))
    const [item] = await all()
    await set({ PK: item!.PK!, SK: item!.SK! }, '_counted', counted('t', { n: 2 }))
    await send(planDelete(made, 'knows', { one: 'x', other: 'x' }, fresh))
    expect(await tombstones()).toHaveLength(1)
    expect(await all()).toHaveLength(1)
  })

  it('several deletions in one transaction leave separate tombstones', async () => {
    const { send, set, tombstones } = await countedOnBoth()
    await send(planPut(streamed, 'movie', { id: 'alien' }, fresh))
    await send(put({ ...rating, movie: 'alien' }))
    await set({ PK: { S: 'user#ann' }, SK: { S: 'rates#alien' } }, '_counted', counted('other'))
    await send(planTransaction(streamed, [gone(), gone({ user: 'ann', movie: 'alien' })]))
    expect((await tombstones()).map(({ _counted }) => _counted!.M!.tag!.S).sort()).toEqual(['mirror', 'other', 'own'])
  })
})

describe('an edge that expires', () => {
  const user = node('user', { id: string(), n: counter() }, { id: 'id' })
  const place = node('place', { id: string(), n: counter() }, { id: 'id' })
  const count = { user: { into: 'n', by: 'stream' }, place: { into: 'n', by: 'stream' } } as const
  const visits = edge('visits', { user, place }, { until: date() }, { expires: 'until', count })
  const made = layout(graph('visiting', [user, place, visits]))
  const row = (until: string) => ({ user: 'x', place: 'y', until: new Date(until) })
  const own = { PK: { S: 'user#x' }, SK: { S: 'visits#y' } }

  it('an expired edge that is created again keeps the contribution that the stream had counted', async () => {
    const { send, at, set } = await streaming(made)
    const after = { environment: { ...fresh.environment, now: () => Date.parse('2026-02-01') } }
    await send(planCreate(made, 'visits', row('2026-01-01'), fresh))
    await set(own, '_counted', counted('t', { n: 1 }))
    await expect(send(planCreate(made, 'visits', row('2026-03-01'), fresh))).rejects.toMatchObject({
      code: 'write.exists',
    })
    await send(planCreate(made, 'visits', row('2026-03-01'), after))
    expect(await at(own)).toMatchObject({ _counted: counted('t', { n: 1 }), until: { S: '2026-03-01T00:00:00.000Z' } })
  })
})
