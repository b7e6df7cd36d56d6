import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { counter, edge, graph, integer, node, open, string, wrap } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

const user = node('user', { id: string(), email: string(), groups: counter() }, { id: 'id', unique: ['email'] })
const group = node('group', { id: string(), members: counter() }, { id: 'id' })
const member = edge(
  'member',
  { user, group },
  { since: integer() },
  { by: { group: { as: 'mirror' } }, count: { user: 'groups', group: 'members' } },
)
const club = graph('club', [user, group, member])
const KEY = { PK: { S: 'user.email#lost' }, SK: { S: '#' } }

describe('a page of inspected items', () => {
  it('has its side items, owners and end nodes read in batches', async () => {
    const store = memory()
    const g = await open(club, store)
    await g.group.create({ id: 'g' })
    for (let i = 0; i < 150; i++) {
      await g.user.create({ id: `u${i}`, email: `${i}` })
      await g.member.create({ user: `u${i}`, group: 'g', since: i })
    }
    const sent: Record<string, number> = {}
    const counting = wrap(store, (operation, request, options, send) => {
      sent[operation] = (sent[operation] ?? 0) + 1
      return send(request, options)
    })
    const watched = await open(club, counting, { create: false })
    for (const [job, scans] of [
      [verify, 4],
      [repair, 8],
    ] as const) {
      for (const operation of Object.keys(sent)) delete sent[operation]
      expect(await job(watched)).toEqual({ read: 602, repaired: 0, faults: {} })
      // The aggregates of each node are read separately.
      expect(sent).toEqual({ scan: scans, query: 151, batchGetItem: expect.any(Number) })
      expect(sent.batchGetItem).toBeLessThan(20)
    }
  })

  it('an item is repaired if its owner changes before the first attempt', async () => {
    const store = memory()
    const g = await open(club, store)
    await g.user.create({ id: 'ann', email: 'ann' })
    const sentinel = await store.getItem({ TableName: 'club', Key: { ...KEY, PK: { S: 'user.email#ann' } } })
    await store.putItem({ TableName: 'club', Item: { ...sentinel.Item, ...KEY } })
    let tries = 0
    const busy = wrap(store, async (operation, request, options, send) => {
      if (operation === 'transactWriteItems' && tries++ === 0) await g.user.update('ann', { email: 'eve' })
      return send(request, options)
    })
    const watched = await open(club, busy, { create: false })
    expect(await repair(watched)).toMatchObject({ repaired: 1, faults: { 'sentinel.orphan': 1 } })
    expect(tries).toBe(2)
    expect((await verify(g)).faults).toEqual({})
  })
})
