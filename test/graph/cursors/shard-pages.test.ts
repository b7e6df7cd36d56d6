import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, integer, layout, node, open, string } from '../../../src/index.js'

const user = node('user', { id: string() }, { id: 'id' })
const shards = 3

/** Writes and deletions after each page, by position in the order. */
const rounds = fc.array(fc.array(fc.tuple(fc.integer({ min: 0, max: 40 }), fc.boolean()), { maxLength: 6 }), {
  minLength: 3,
  maxLength: 3,
})

const post = (as: 'index' | 'item') =>
  graph('feed', [
    node(
      'post',
      { id: string(), topic: string(), at: integer() },
      {
        id: 'id',
        by: { topic: { in: ['topic'], order: ['at'], as, shards } },
      },
    ),
  ])
const follows = (as: 'index' | 'mirror') =>
  graph('feed', [
    user,
    edge('follows', { from: user, to: user }, { at: integer() }, { by: { to: { order: ['at'], as, shards } } }),
  ])

/** A feed with functions to add, remove and read posts. */
async function posts(as: 'index' | 'item') {
  const g = await open(post(as), memory())
  return {
    put: (at: number) => g.post.put({ id: `p${at % 7}-${at}`, topic: 'x', at }),
    take: (at: number) => g.post.delete(`p${at % 7}-${at}`),
    feed: g.post.by.topic({ topic: 'x' }),
  }
}

async function followers(as: 'index' | 'mirror') {
  const g = await open(follows(as), memory())
  return {
    put: (at: number) => g.follows.put({ from: `u${at % 7}-${at}`, to: 'x', at }),
    take: (at: number) => g.follows.delete({ from: `u${at % 7}-${at}`, to: 'x' }),
    feed: g.follows.by.to('x'),
  }
}

it.each([
  ['an index', () => posts('index')],
  ['facets', () => posts('item')],
  ['edges by an index', () => followers('index')],
  ['edges by mirrors', () => followers('mirror')],
] as const)('pages of shards of %s stay in order after any writes between them', async (_, opened) => {
  await fc.assert(
    fc.asyncProperty(rounds, fc.boolean(), fc.integer({ min: 1, max: 5 }), async (changes, isReversed, limit) => {
      const { put, take, feed } = await opened()
      const stayed = new Set(Array.from({ length: 15 }, (_, i) => 10 + i))
      for (const at of stayed) await put(at)
      const seen: number[] = []
      const asked = isReversed ? feed.reverse() : feed
      for (let cursor: string | undefined, round = 0; round === 0 || cursor; round++) {
        const page = await asked.page({ limit, cursor })
        seen.push(...page.items.map(({ at }) => at))
        cursor = page.cursor
        for (const [at, isPut] of changes[round] ?? []) {
          if (isPut) await put(at)
          else await take(at)
          if (!isPut) stayed.delete(at)
        }
      }
      expect(seen).toEqual([...new Set(seen)].sort((a, b) => (isReversed ? b - a : a - b)))
      for (const at of stayed) expect(seen).toContain(at)
    }),
    { numRuns: 25 },
  )
})

it('pages skip no entry when entries of several shards have equal custom keys', async () => {
  const movie = node(
    'movie',
    { id: string(), year: integer() },
    {
      id: 'id',
      by: { year: { order: ['year'], shards } },
    },
  )
  const keys = { movie: { GSI1PK: 'movie.year#{shard}', GSI1SK: '{year}' } } as const
  const g = await open(layout(graph('films', [movie]), { keys }), memory())
  const ids = Array.from({ length: 20 }, (_, i) => `m${i}`)
  for (const [i, id] of ids.entries()) await g.movie.put({ id, year: 1990 + (i % 3) })
  for (const limit of [1, 2, 3, 7]) {
    const found: string[] = []
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
      const page = await g.movie.by.year().page({ limit, cursor })
      found.push(...page.items.map(({ id }) => id))
      cursor = page.cursor
    }
    expect(found.toSorted()).toEqual(ids.toSorted())
  }
})
