import { describe, expect, it } from 'vitest'
import { layout } from '../../../src/layout/layout.js'
import { planDelete, planPut } from '../../../src/plan/write/operations.js'
import { maxCopiesPerCall, planCopies } from '../../../src/plan/write/plan-copies.js'
import { edge, graph, node, string } from '../../layout/declarations.js'
import { fresh } from './cinema.js'
import { MAY, mirrorAt, OWN, rating, streamed, streaming } from './stream-graph.js'

const slots = (user: string, movie: string) => ({ user: { S: user }, movie: { S: movie } })
const edgeOf = (user = 'ann', movie = 'jaws') => ({ type: 'rates', identity: slots(user, movie) })
const copies = (...edges: ReturnType<typeof edgeOf>[]) => planCopies(streamed, edges.length > 0 ? edges : [edgeOf()])
const ANN = { PK: { S: 'user#ann' }, SK: { S: '#' } }
const JAWS = { PK: { S: 'movie#jaws' }, SK: { S: '#' } }

type Table = Awaited<ReturnType<typeof streaming>>

async function rated() {
  const table = await streaming(streamed)
  await table.send(planPut(streamed, 'user', { id: 'ann', name: 'Ann' }, fresh))
  await table.send(planPut(streamed, 'movie', { id: 'jaws', title: 'Jaws' }, fresh))
  await table.send(planPut(streamed, 'rates', rating, fresh))
  return table
}

describe('updated copies', () => {
  it('copies are written to the edge, its mirror and its entry, and the etags do not change', async () => {
    const { send, at, set } = await rated()
    const before = { own: await at(OWN), mirror: await at(mirrorAt(MAY)), jaws: await at(JAWS) }
    await set(ANN, 'name', { S: 'Anna' })
    await send(copies())
    expect(await at(OWN)).toEqual({ ...before.own, name: { S: 'Anna' } })
    expect(await at(mirrorAt(MAY))).toEqual({ ...before.mirror, name: { S: 'Anna' } })
    expect(await at(JAWS)).toEqual({
      ...before.jaws,
      cast: { M: { ann: { M: { stars: { N: '5' }, name: { S: 'Anna' } } } } },
    })
  })

  it('copies that equal their sources are not written', async () => {
    const { send } = await rated()
    expect(await send(copies())).toBeUndefined()
  })

  it('copies of a missing edge are not written', async () => {
    const { send, all } = await rated()
    await send(planDelete(streamed, 'rates', { user: 'ann', movie: 'jaws' }, fresh))
    const before = await all()
    expect(await send(copies())).toBeUndefined()
    expect(await all()).toEqual(before)
  })

  it('copies are written when only the mirror, or only the entry, is stale', async () => {
    const { send, at, set } = await rated()
    const [own, mirror, jaws] = [await at(OWN), await at(mirrorAt(MAY)), await at(JAWS)]
    await set(mirrorAt(MAY), 'name', { S: 'other' })
    await send(copies())
    await set(JAWS, 'cast', { M: { ann: { M: { stars: { N: '5' }, name: { S: 'other' } } } } })
    await send(copies())
    expect([await at(OWN), await at(mirrorAt(MAY)), await at(JAWS)]).toEqual([own, mirror, jaws])
  })

  it('copies are not written to a missing mirror or entry', async () => {
    const { send, at, set, remove } = await rated()
    await remove(mirrorAt(MAY))
    await set(JAWS, 'cast', { M: {} })
    await set(ANN, 'name', { S: 'Anna' })
    await send(copies())
    expect(await at(OWN)).toMatchObject({ name: { S: 'Anna' } })
    expect(await at(mirrorAt(MAY))).toBeUndefined()
    expect(await at(JAWS)).toMatchObject({ cast: { M: {} } })
  })

  it('copies follow the declaration when their source does not exist', async () => {
    const { send, at, remove } = await rated()
    await remove(ANN)
    await remove(JAWS)
    await send(copies())
    for (const key of [OWN, mirrorAt(MAY)]) {
      expect(await at(key)).toMatchObject({ name: { S: 'Ann' } })
      expect(await at(key)).not.toHaveProperty('title')
    }
  })

  it('copies are removed when the source no longer has a value', async () => {
    const { send, at } = await rated()
    await send(planPut(streamed, 'movie', { id: 'jaws' }, fresh))
    await send(copies())
    expect(await at(OWN)).not.toHaveProperty('title')
    expect(await at(mirrorAt(MAY))).not.toHaveProperty('title')
  })

  it('copies are read again after a concurrent change of the source, the edge, another copy or a mirror', async () => {
    const { send, at, set, remove } = await rated()
    await set(ANN, 'name', { S: 'b' })
    const changes = [
      () => set(ANN, 'name', { S: 'c' }),
      () => set(OWN, '_etag', { S: 'x' }),
      () => set(OWN, 'title', { S: 'Jaws 2' }),
      () => remove(mirrorAt(MAY)),
    ]
    let times = 0
    await send(copies(), async () => {
      await changes[times++]?.()
    })
    expect(times).toBe(5)
    expect(await at(OWN)).toMatchObject({ name: { S: 'c' }, title: { S: 'Jaws' }, _etag: { S: 'x' } })
    expect(await at(mirrorAt(MAY))).toBeUndefined()
  })

  it.each([
    ['only the mirror', 'name', (table: Table) => table.set(mirrorAt(MAY), 'name', { S: 'other' })],
    ['only the entry', 'name', (table: Table) => table.set(JAWS, 'cast', { M: { ann: { M: { name: { S: 'x' } } } } })],
    [
      'what had none',
      'title',
      async ({ send, set }: Table) => {
        await send(planPut(streamed, 'movie', { id: 'jaws' }, fresh))
        await send(copies())
        await set(JAWS, 'title', { S: 'Jaws' })
      },
    ],
  ])('copies depend on an unchanged source even when only %s is written', async (_, name, differ) => {
    const table = await rated()
    await differ(table)
    let times = 0
    await table.send(copies(), async () => {
      if (times++ === 0) await table.set(name === 'name' ? ANN : JAWS, name, { S: 'new' })
    })
    const now = { [name]: { S: 'new' } }
    expect([await table.at(OWN), await table.at(mirrorAt(MAY))]).toMatchObject([now, now])
  })

  it('copies do not depend on attributes of the source that are not copied', async () => {
    const { send, at, set } = await rated()
    await set(ANN, 'name', { S: 'b' })
    let times = 0
    await send(copies(), async () => {
      times++
      await set(ANN, '_etag', { S: `${times}` })
      await set(ANN, 'rated', { N: '9' })
    })
    expect(times).toBe(1)
    expect(await at(OWN)).toMatchObject({ name: { S: 'b' } })
  })

  it('copies remain when their source is created again meanwhile', async () => {
    const { send, at, set, remove } = await rated()
    await remove(JAWS)
    let times = 0
    await send(copies(), async () => {
      if (times++ === 0) await set(JAWS, 'title', { S: 'Jaws' })
    })
    expect(times).toBe(1)
    expect(await at(OWN)).toMatchObject({ title: { S: 'Jaws' } })
  })

  it('copies update the index keys that contain them', async () => {
    const user = node('user', { id: string(), name: string() }, { id: 'id' })
    const knows = edge(
      'knows',
      { user, other: user },
      {},
      {
        carry: { name: { from: 'user.name', sync: 'eventual' } },
        by: { other: { as: 'none' } },
      },
    )
    const made = layout(graph('named', [user, knows]), {
      indexes: { names: { keys: ['P', 'S'] } },
      keys: { knows: { P: 'OF#{other}', S: '{name}#{user}' } },
    })
    const { send, at, set } = await streaming(made)
    for (const id of ['x', 'y']) await send(planPut(made, 'user', { id, name: id }, fresh))
    await send(planPut(made, 'knows', { user: 'x', other: 'y' }, fresh))
    await set({ PK: { S: 'user#x' }, SK: { S: '#' } }, 'name', { S: 'z' })
    await send(planCopies(made, [{ type: 'knows', identity: { user: { S: 'x' }, other: { S: 'y' } } }]))
    expect(await at({ PK: { S: 'user#x' }, SK: { S: 'knows#y' } })).toMatchObject({
      name: { S: 'z' },
      S: { S: 'z#x' },
    })
  })
})

describe('the copies of one node', () => {
  it('the maximum number of edges fits into one call, which checks the node only once', async () => {
    const { send, set, all } = await rated()
    const most = maxCopiesPerCall(streamed, 'rates')
    expect(most).toBeGreaterThan(30)
    const movies = Array.from({ length: most }, (_, i) => `m${i}`)
    for (const id of movies) {
      await send(planPut(streamed, 'movie', { id }, fresh))
      await send(planPut(streamed, 'rates', { ...rating, movie: id }, fresh))
    }
    await set(ANN, 'name', { S: 'Anna' })
    await send(copies(...movies.map(id => edgeOf('ann', id)), edgeOf('ann', 'm0')))
    const named = (await all()).filter(item => item._type!.S!.startsWith('rates') && item.name?.S === 'Anna')
    expect(named).toHaveLength(2 * most)
  })
})
