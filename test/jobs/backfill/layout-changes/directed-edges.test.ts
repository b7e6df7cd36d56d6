import { describe, expect, it } from 'vitest'
import { memory } from '../../../../src/embedded.js'
import { edge, graph, node, open, string } from '../../../../src/index.js'
import { backfill } from '../../../../src/jobs/backfill/backfill.js'
import { verify } from '../../../../src/jobs/verify/verify.js'

const user = node('user', { id: string() }, { id: 'id' })
const attributes = { since: string() }
const directed = graph('social', [user, edge('friend', { one: user, other: user }, attributes)])

async function written() {
  const store = memory()
  const g = await open(directed, store)
  for (const id of ['ann', 'bob', 'eve']) await g.user.put({ id })
  await g.friend.put({ one: 'eve', other: 'ann', since: '2001' })
  await g.friend.put({ one: 'ann', other: 'bob', since: '2002' })
  await g.friend.put({ one: 'bob', other: 'ann', since: '2003' })
  return store
}

describe('edges that become undirected', () => {
  it.each(['index', 'mirror'] as const)('a backfill makes edges undirected, found from both ends by %s', async as => {
    const by = { one: { as } }
    const undirected = graph('social', [
      user,
      edge('friend', { one: user, other: user }, attributes, { undirected: true, by }),
    ])
    for (const from of [undefined, directed]) {
      const store = await written()
      await expect(open(undirected, store)).rejects.toMatchObject({ code: 'layout.drift' })
      await backfill(undirected, store, { from })
      const g = await open(undirected, store)
      expect(await g.friend.get({ one: 'ann', other: 'eve' })).toEqual({ one: 'ann', other: 'eve', since: '2001' })
      expect(await g.friend.by.one('eve').all()).toEqual([{ one: 'eve', other: 'ann', since: '2001' }])
      // Two edges that are the same undirected edge now become one.
      expect((await g.friend.by.one('ann').all()).map(({ other }) => other)).toEqual(['bob', 'eve'])
      expect((await verify(g)).faults).toEqual({})
      await g.friend.delete({ one: 'ann', other: 'eve' })
      await g.friend.delete({ one: 'bob', other: 'ann' })
      expect(await g.friend.scan().all()).toEqual([])
    }
  })

  it('edges that become undirected and are stored in order need only the old layout', async () => {
    const lone = { undirected: true, by: { one: { as: 'none' } } } as const
    const undirected = graph('social', [user, edge('friend', { one: user, other: user }, attributes, lone)])
    const store = memory()
    const g = await open(undirected, store)
    await g.friend.put({ one: 'eve', other: 'ann', since: '2001' })
    expect(await backfill(undirected, store)).toMatchObject({ changed: 0 })
    const told = graph('social', [
      user,
      edge('friend', { one: user, other: user }, attributes, { by: { one: { as: 'none' }, other: { as: 'none' } } }),
    ])
    await expect(open(told, store)).rejects.toThrow("type 'friend': undirected was true, is nothing")
  })
})

it.each(['from', 'to'] as const)(
  'an edge that was unique at its end %s keeps both ends if it becomes unique at the other end',
  async end => {
    const person = node('person', { id: string() }, { id: 'id' })
    const likes = (one: 'from' | 'to') =>
      graph('people', [person, edge('likes', { from: person, to: person }, {}, { one })])
    const [before, after] = [likes(end), likes(end === 'from' ? 'to' : 'from')]
    const store = memory()
    const g = await open(before, store)
    const ids = Array.from({ length: 8 }, (_, i) => `p${i}`)
    const rows = ids.map((from, i) => ({ from, to: ids[(3 * i + 1) % 8]! }))
    for (const row of rows) await g.likes.put(row)
    for (const _ of ['first', 'again']) {
      await backfill(after, store, { from: before })
      const h = await open(after, store)
      const found = await h.likes.scan().all()
      expect(found.toSorted((one, other) => (one.from < other.from ? -1 : 1))).toEqual(rows)
      expect(Object.keys((await verify(h)).faults)).toEqual(['edge.dangling'])
    }
  },
)
