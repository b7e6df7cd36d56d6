import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, string } from '../../../src/index.js'
import { distances, listOf, opened, type PlainGraph, plainGraph, walksOf } from './example-graphs.js'

const RUNS = { numRuns: 80 }

/** The same edges in both directions. */
const bothWays = ({ nodes, edges }: PlainGraph): PlainGraph => ({
  nodes,
  edges: [...new Set(edges.flatMap(([a, b]) => [`${a} ${b}`, `${b} ${a}`]))].map(text => {
    const [a = '', b = ''] = text.split(' ')
    return [a, b, 1] as const
  }),
})

const shortestIn = (plain: PlainGraph, from: string, to: string, most: number): string[] => {
  const distance = distances(plain, from, most).get(to)
  if (distance === undefined) return []
  return walksOf(plain, from, distance)
    .filter(walk => walk.at(-1) === to)
    .map(walk => walk.join(' '))
    .sort()
}

test('the shortest paths along directed edges are those of a breadth-first search', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), fc.integer({ min: 1, max: 5 }), fc.nat(8), async (plain, maxDepth, at) => {
      const g = await opened(plain)
      const to = plain.nodes[at % plain.nodes.length]!
      const expected = shortestIn(plain, 'n0', to, maxDepth)
      const { value: all, requests } = await g.person.shortestPaths('n0', to, g.follow.by.follower, { maxDepth }).run()
      expect(all.map(({ nodes }) => nodes.join(' ')).sort()).toEqual(expected)
      for (const { nodes, edges, weight } of all) {
        expect(weight).toBe(nodes.length - 1)
        expect(edges.map(each => `${each.follower} ${each.followee}`)).toEqual(
          nodes.slice(1).map((id, i) => `${nodes[i]} ${id}`),
        )
      }
      expect(requests).toBeLessThanOrEqual(2 * plain.nodes.length)
      const one = await g.person.shortestPath('n0', to, g.follow.by.follower, { maxDepth })
      expect(one === undefined ? [] : [one.nodes.length]).toEqual(
        expected.slice(0, 1).map(each => each.split(' ').length),
      )
    }),
    RUNS,
  )
})

test('the shortest paths along undirected edges are found from both ends', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), fc.nat(8), async (plain, at) => {
      const g = await opened({ nodes: plain.nodes, edges: [] })
      for (const [one, other] of plain.edges) await g.knows.put({ one, other, years: 1 })
      const to = plain.nodes[at % plain.nodes.length]!
      const both = bothWays(plain)
      const all = await g.person.shortestPaths('n0', to, g.knows.by.one, { maxDepth: 9 })
      expect(all.map(({ nodes }) => nodes.join(' ')).sort()).toEqual(shortestIn(both, 'n0', to, 9))
      for (const { nodes, edges } of all)
        expect(edges.map(each => `${each.one} ${each.other}`)).toEqual(
          nodes.slice(1).map((id, i) => `${nodes[i]} ${id}`),
        )
    }),
    RUNS,
  )
})

test('the lightest path weighs the least of all walks of at most so many edges', async () => {
  await fc.assert(
    fc.asyncProperty(
      plainGraph(6),
      fc.integer({ min: 1, max: 4 }),
      fc.nat(5),
      fc.option(fc.nat(20)),
      async (plain, maxDepth, at, bound) => {
        const g = await opened(plain)
        const to = plain.nodes[at % plain.nodes.length]!
        const weights = new Map(plain.edges.map(([a, b, weight]) => [`${a} ${b}`, weight]))
        const weightOf = (walk: readonly string[]) =>
          walk.slice(1).reduce((sum, id, i) => sum + weights.get(`${walk[i]} ${id}`)!, 0)
        const walks = Array.from({ length: maxDepth + 1 }, (_, edges) => walksOf(plain, 'n0', edges)).flat()
        const found = walks.filter(walk => walk.at(-1) === to).map(weightOf)
        const least = found.filter(weight => weight <= (bound ?? 1000)).sort((a, b) => a - b)[0]
        const options = { maxDepth, weight: 'weight', ...(bound !== null && { maxWeight: bound }) } as const
        const { value: route, requests } = await g.person.shortestPath('n0', to, g.follow.by.follower, options).run()
        expect(route?.weight).toBe(least)
        if (route) {
          expect(weightOf(route.nodes)).toBe(least)
          expect([route.nodes[0], route.nodes.at(-1)]).toEqual(['n0', to])
          expect(route.edges.length).toBe(route.nodes.length - 1)
        }
        expect(requests).toBeLessThanOrEqual(plain.nodes.length)
      },
    ),
    RUNS,
  )
})

test('a weight that is absent or negative is an error', async () => {
  const place = node('place', { id: string() }, { id: 'id' })
  const road = edge('road', { from: place, to: place }, { toll: integer().optional() })
  const g = await open(graph('roads', [place, road]), memory())
  await g.road.put({ from: 'a', to: 'b', toll: -1 })
  await g.road.put({ from: 'c', to: 'd' })
  for (const from of ['a', 'c'])
    await expect(g.place.shortestPath(from, 'z', g.road.by.from, { weight: 'toll' })).rejects.toMatchObject({
      code: 'traverse.weight',
    })
})

test('common neighbors and similarity are those of the sets of neighbors', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), fc.boolean(), async (plain, known) => {
      const g = await opened(plain)
      const ids = plain.nodes.slice(0, 3)
      fc.pre(ids.length > 1)
      const sets = ids.map(id => new Set(listOf(plain, id)))
      const expected = [...sets[0]!].filter(id => sets.every(set => set.has(id))).sort()
      const degrees = known ? sets.map(({ size }) => size) : undefined
      const { value, requests } = await g.person.common(ids, g.follow.by.follower, { degrees }).run()
      expect([...value].sort()).toEqual(expected)
      expect(requests).toBeLessThanOrEqual(ids.length)
      const [one, other] = [sets[0]!, sets[1]!]
      const common = [...one].filter(id => other.has(id)).length
      const union = new Set([...one, ...other]).size
      expect(await g.person.similarity(ids[0]!, ids[1]!, g.follow.by.follower)).toEqual({
        common,
        union,
        similarity: union === 0 ? 0 : common / union,
      })
    }),
    RUNS,
  )
})

test('common neighbors of a small list and a large one are probed by their keys when counters show the sizes', async () => {
  const user = node('user', { id: string(), following: counter() }, { id: 'id' })
  const follow = edge(
    'follow',
    { follower: user, followee: user },
    { note: string() },
    { count: { follower: 'following' } },
  )
  const g = await open(graph('social', [user, follow]), memory())
  const ids = Array.from({ length: 300 }, (_, i) => `u${i}`)
  await g.$batch([...ids, 'small', 'large'].map(id => g.user.put({ id })))
  const note = 'x'.repeat(900)
  for (const followee of ids) await g.follow.put({ follower: 'large', followee, note })
  for (const followee of ['u1', 'u2', 'none']) {
    await g.user.put({ id: followee })
    await g.follow.put({ follower: 'small', followee, note })
  }
  const { waves, units } = g.user.common(['large', 'small'], g.follow.by.follower).explain()
  expect(waves.map(({ reads, count }) => [reads, count.expected])).toEqual([
    ['nodes', 2],
    ['lists', 2],
  ])
  // Edges that are read one by one come in batches of up to 16 MB.
  expect(units.maximum).toBe(100 * 2_048)
  const { value, requests, consumed } = await g.user.common(['large', 'small'], g.follow.by.follower).run()
  expect(value).toEqual(['u1', 'u2'])
  // The counters, the small list, and its three edges to the large one; the large list alone has 38 units.
  expect({ requests, units: consumed.total }).toEqual({ requests: 3, units: 3 })
  const merged = await g.user
    .common(['large', 'small'], g.follow.by.follower, { edges: read => read.filter(each => each.note.exists()) })
    .run()
  expect(merged.value).toEqual(['u1', 'u2'])
  expect(merged.consumed.total).toBeGreaterThan(30)
})

test('a search passes only nodes that meet its condition, and its edges are refined in both directions', async () => {
  const g = await opened({
    nodes: ['n0', 'n1', 'n2', 'n3'],
    edges: [
      ['n0', 'n1', 1],
      ['n1', 'n3', 9],
      ['n0', 'n2', 9],
      ['n2', 'n3', 9],
    ],
  })
  const found = (options: object) => g.person.shortestPath('n0', 'n3', g.follow.by.follower, options)
  expect((await found({}))?.nodes).toEqual(['n0', 'n1', 'n3'])
  const strong = await g.person.shortestPath('n0', 'n3', g.follow.by.follower, {
    edges: read => read.filter(each => each.weight.above(5)),
  })
  expect(strong?.nodes).toEqual(['n0', 'n2', 'n3'])
  const known = await g.person.shortestPath('n0', 'n3', g.follow.by.follower, { nodes: each => each.id.not('n1') })
  expect(known?.nodes).toEqual(['n0', 'n2', 'n3'])
  expect(await g.person.shortestPath('n0', 'n3', g.follow.by.follower, { maxDepth: 1 })).toBeUndefined()
  await expect(
    g.person.shortestPath('n0', 'n3', g.follow.by.follower, { budget: { requests: 1 } }),
  ).rejects.toMatchObject({ code: 'traverse.budget' })
})
