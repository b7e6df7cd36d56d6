import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../src/embedded.js'
import { counter, edge, graph, integer, node, open, string } from '../../src/index.js'
import { verify } from '../../src/jobs/index.js'
import { proveLayout } from '../../src/layout/index.js'

const SHARDS = 4
const player = node(
  'player',
  { id: string(), country: string(), wins: counter(), points: counter() },
  {
    id: 'id',
    by: {
      top: { order: ['wins'], shards: SHARDS },
      local: { in: ['country'], order: ['points'], shards: SHARDS },
    },
  },
)
const match = node('match', { id: string() }, { id: 'id' })
const won = edge(
  'won',
  { match, player },
  { points: integer() },
  { count: { player: { into: 'wins', by: 'stream' } }, sum: { player: { into: 'points', of: 'points' } } },
)
const league = graph('league', [player, match, won])

test('the top of a ranking in shards is that of all nodes, page by page, from either end', async () => {
  const game = fc.record({ player: fc.integer({ min: 0, max: 11 }), points: fc.integer({ min: 0, max: 30 }) })
  await fc.assert(
    fc.asyncProperty(fc.array(game, { maxLength: 40 }), fc.integer({ min: 1, max: 5 }), async (games, limit) => {
      const g = await open(league, memory())
      expect(proveLayout(g.$layout)).toEqual([])
      const ids = Array.from({ length: 12 }, (_, i) => `p${i}`)
      for (const [i, id] of ids.entries()) await g.player.put({ id, country: i % 2 ? 'NO' : 'SE' })
      for (const i of games.keys()) await g.match.put({ id: `m${i}` })
      for (const [i, { player, points }] of games.entries())
        await g.won.put({ match: `m${i}`, player: `p${player}`, points })
      await g.$settled()
      const winsOf = (id: string) => games.filter(each => `p${each.player}` === id).length
      const pointsOf = (id: string) =>
        games.reduce((sum, each) => sum + (`p${each.player}` === id ? each.points : 0), 0)
      const best = ids.map(winsOf).sort((a, b) => b - a)
      const top = await g.player.by.top().reverse().limit(limit).all().run()
      expect(top.value.map(({ wins }) => wins)).toEqual(best.slice(0, limit))
      expect(top.value.every(({ id, wins }) => wins === winsOf(id))).toBe(true)
      expect(top.requests).toBe(SHARDS)
      const paged: string[] = []
      let cursor: string | undefined
      do {
        const page = await g.player.by.top().page({ limit, cursor })
        paged.push(...page.items.map(({ id }) => id))
        cursor = page.cursor
      } while (cursor)
      expect([...paged].sort()).toEqual([...ids].sort())
      expect(paged.map(winsOf)).toEqual(best.toReversed())
      const swedes = await g.player.by
        .local({ country: 'SE' })
        .where({ points: { from: 10 } })
        .all()
      expect(swedes.map(({ points }) => points)).toEqual(
        ids
          .filter((_, i) => i % 2 === 0)
          .map(pointsOf)
          .filter(points => points >= 10)
          .sort((a, b) => a - b),
      )
      expect((await verify(g)).faults).toEqual({})
      await g.$close()
    }),
    { numRuns: 25 },
  )
})

test('a ranking in shards is explained with one request for each, and a limit reads no more', async () => {
  const g = await open(league, memory())
  const explained = g.player.by.top().reverse().limit(3).all().explain()
  expect(explained.total.requests).toBe(SHARDS)
  expect(explained.toString()).toContain('one of 4 shards, merged in order')
  const index = g.$layout.design.indexes.find(({ name }) => name === 'player_top')
  expect(index).toMatchObject({
    partition: ['_type', 'player_top_shard'],
    sort: ['wins', 'id'],
    serves: expect.anything(),
  })
  await g.$close()
})
