import fc from 'fast-check'
import { expect, test } from 'vitest'
import { distances, listOf, opened, plainGraph, salaryOf, teamOf, walksOf } from './example-graphs.js'

const RUNS = { numRuns: 60 }

test('a repeated hop reaches each node at its distance, and reads each adjacency list once', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), fc.integer({ min: 1, max: 5 }), async (plain, depth) => {
      const g = await opened(plain)
      const all = g.person.from('n0').repeat(g.follow.by.follower, { depth, minDepth: 0 })
      const found = distances(plain, 'n0', depth)
      const { value: ids, requests } = await all.ids().run()
      expect([...ids].sort()).toEqual([...found.keys()].sort())
      expect(requests).toBe([...found.values()].filter(distance => distance < depth).length)
      const counts = new Map<number, number>()
      for (const distance of found.values()) counts.set(distance, (counts.get(distance) ?? 0) + 1)
      expect(await all.depths()).toEqual([...counts].map(([at, nodes]) => ({ depth: at, nodes })))
    }),
    RUNS,
  )
})

test('two hops rank the nodes by the number of walks that lead to them', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), async plain => {
      const g = await opened(plain)
      const two = g.person.from('n0').hop(g.follow.by.follower).hop(g.follow.by.follower)
      const scores = new Map<string, number>()
      for (const walk of walksOf(plain, 'n0', 2)) scores.set(walk[2]!, (scores.get(walk[2]!) ?? 0) + 1)
      const expected = [...scores].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
      const { value, requests } = await two.rank().run()
      expect(value).toEqual(expected.map(([id, score]) => ({ id, score })))
      expect(requests).toBe(new Set(['n0', ...listOf(plain, 'n0')]).size)
      expect((await two.paths()).map(({ nodes }) => nodes.join(' ')).sort()).toEqual(
        walksOf(plain, 'n0', 2)
          .map(walk => walk.join(' '))
          .sort(),
      )
      const seen = ['n0', ...listOf(plain, 'n0')]
      expect([...(await two.except('visited').ids())].sort()).toEqual(
        [...scores.keys()].filter(id => !seen.includes(id)).sort(),
      )
    }),
    RUNS,
  )
})

test('a rank by weight adds up the weights of the last edges over all walks', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), async plain => {
      const g = await opened(plain)
      const weights = new Map(plain.edges.map(([from, to, weight]) => [`${from} ${to}`, weight]))
      const scores = new Map<string, number>()
      for (const [, from, to] of walksOf(plain, 'n0', 2))
        scores.set(to!, (scores.get(to!) ?? 0) + weights.get(`${from} ${to}`)!)
      const ranked = await g.person
        .from('n0')
        .hop(g.follow.by.follower)
        .hop(g.follow.by.follower)
        .rank({ weight: 'weight', nodes: true })
      expect(new Map(ranked.map(({ id, score }) => [id, score]))).toEqual(scores)
      expect(ranked.every(({ id, node }) => node.id === id && node.salary === salaryOf(id))).toBe(true)
    }),
    RUNS,
  )
})

test('simple paths visit no node twice', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(6), fc.integer({ min: 1, max: 4 }), async (plain, depth) => {
      const g = await opened(plain)
      const paths = await g.person.from('n0').repeat(g.follow.by.follower, { depth, visits: 'simple' }).paths()
      const expected = Array.from({ length: depth }, (_, i) => walksOf(plain, 'n0', i + 1))
        .flat()
        .filter(walk => new Set(walk).size === walk.length)
      expect(paths.map(({ nodes }) => nodes.join(' ')).sort()).toEqual(expected.map(walk => walk.join(' ')).sort())
      expect(paths.every(({ nodes, edges }) => edges.length === nodes.length - 1)).toBe(true)
    }),
    RUNS,
  )
})

test('subtrees add up the sizes and salaries of a hierarchy', async () => {
  const tree = fc
    .integer({ min: 1, max: 10 })
    .chain(size => fc.tuple(...Array.from({ length: size - 1 }, (_, i) => fc.integer({ min: 0, max: i }))))
  await fc.assert(
    fc.asyncProperty(tree, async parents => {
      const nodes = ['n0', ...parents.map((_, i) => `n${i + 1}`)].slice(0, 10)
      const edges = nodes.slice(1).map((id, i) => [`n${parents[i]}`, id, 1] as const)
      const g = await opened({ nodes, edges })
      const found = await g.person.from('n0').repeat(g.follow.by.follower, { depth: 12 }).subtree({ sum: 'salary' })
      const below = (id: string): string[] => [
        id,
        ...edges.filter(([from]) => from === id).flatMap(([, to]) => below(to)),
      ]
      const expected = nodes.map(id => {
        const all = below(id)
        return [id, all.length, all.reduce((sum, each) => sum + salaryOf(each), 0)]
      })
      expect(found.map(({ id, size, sum }) => [id, size, sum.salary]).sort()).toEqual(expected.sort())
    }),
    RUNS,
  )
})

test('an aggregate groups the reached nodes', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), async plain => {
      const g = await opened(plain)
      const groups = await g.person
        .from('n0')
        .repeat(g.follow.by.follower, { depth: 9 })
        .aggregate({ by: 'team', of: 'salary' })
      const ids = [...distances(plain, 'n0').keys()].filter(id => id !== 'n0')
      const expected = ['even', 'odd'].flatMap(team => {
        const salaries = ids.filter(id => teamOf(id) === team).map(salaryOf)
        if (!salaries[0]) return []
        const sum = salaries.reduce((a, b) => a + b, 0)
        const [min, max] = [Math.min(...salaries), Math.max(...salaries)]
        return [{ group: team, count: salaries.length, sum, min, max, avg: sum / salaries.length }]
      })
      expect([...groups].sort((a, b) => (String(a.group) < String(b.group) ? -1 : 1))).toEqual(expected)
    }),
    RUNS,
  )
})

test('a traversal that is resumed until it is complete equals one without a budget', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), fc.integer({ min: 1, max: 3 }), async (plain, requests) => {
      const g = await opened(plain)
      const all = g.person
        .from('n0')
        .repeat(g.follow.by.follower, { depth: 3, minDepth: 0, nodes: each => each.salary.above(20) })
        .hop(g.follow.by.followee)
      const whole = await all.budget({ requests: 1000 }).rank()
      let cursor: string | undefined
      let rounds = 0
      do {
        const {
          value,
          consumed: _,
          requests: sent,
        } = await all.budget({ requests, onBudget: 'partial' }).resume(cursor).rank().run()
        expect(sent).toBeLessThanOrEqual(requests)
        expect(value.complete).toBe(value.cursor === undefined)
        cursor = value.cursor
        if (!cursor) expect(value.value).toEqual(whole)
        expect(++rounds).toBeLessThan(60)
      } while (cursor)
    }),
    RUNS,
  )
})

test('no traversal passes its budget', async () => {
  const budgets = fc.record(
    {
      requests: fc.integer({ min: 1, max: 6 }),
      units: fc.integer({ min: 1, max: 6 }),
      nodes: fc.integer({ min: 1, max: 6 }),
      edges: fc.integer({ min: 1, max: 6 }),
    },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(plainGraph(), budgets, fc.constantFrom('error', 'partial'), async (plain, budget, onBudget) => {
      const g = await opened(plain)
      const some = g.person.from('n0').repeat(g.follow.by.follower, { depth: 4 })
      const call = some.budget({ ...budget, onBudget: onBudget as 'partial' }).edges()
      const { requests, units } = call.explain()
      try {
        const { value, requests: sent, consumed } = await call.run()
        const edges = onBudget === 'partial' ? value.value : (value as never as typeof value.value)
        expect(sent).toBeLessThanOrEqual(Math.min(budget.requests ?? 100, requests.maximum))
        expect(consumed.total).toBeLessThanOrEqual(Math.min(budget.units ?? 100, units.maximum))
        expect(edges.length).toBeLessThanOrEqual(budget.edges ?? 100)
        expect(new Set(edges.map(each => each.followee)).size).toBeLessThanOrEqual(budget.nodes ?? 100)
      } catch (error) {
        expect(error).toMatchObject({ code: 'traverse.budget' })
      }
    }),
    { numRuns: 300 },
  )
})
