import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { GraphError, wrap } from '../../../src/index.js'
import { opened, type People, type PlainGraph, plainGraph } from './example-graphs.js'

/** TRAVERSAL_RUNS=… tries more plans. */
const PLANS = Number(process.env.TRAVERSAL_RUNS ?? 400)
const PLANS_A_GRAPH = 20

type Step = (at: Traversal, g: People) => Traversal
const followed = (g: People) => g.person.from('n0').hop(g.follow.by.follower)
type Traversal = ReturnType<typeof followed>

const path = fc.constantFrom(
  (g: People) => g.follow.by.follower,
  (g: People) => g.follow.by.followee,
)

/** Steps of every kind, each with options of its own. */
const step: fc.Arbitrary<Step> = fc.oneof(
  path.map(
    (by): Step =>
      (at, g) =>
        at.hop(by(g) as typeof g.follow.by.follower),
  ),
  fc.tuple(path, fc.integer({ min: 1, max: 3 }), fc.boolean()).map(
    ([by, limit, reverse]): Step =>
      (at, g) =>
        at.hop(by(g) as typeof g.follow.by.follower, read => (reverse ? read.reverse() : read).limit(limit)),
  ),
  fc
    .record({
      by: path,
      depth: fc.integer({ min: 1, max: 3 }),
      visits: fc.constantFrom('once' as const, 'simple' as const),
      isStartIn: fc.boolean(),
      above: fc.option(fc.integer({ min: 0, max: 60 }), { nil: undefined }),
      endsAbove: fc.option(fc.integer({ min: 20, max: 90 }), { nil: undefined }),
    })
    .map(
      ({ by, depth, visits, isStartIn, above, endsAbove }): Step =>
        (at, g) =>
          at.repeat(by(g) as typeof g.follow.by.follower, {
            depth,
            visits,
            minDepth: isStartIn ? 0 : 1,
            ...(above !== undefined && { nodes: each => each.salary.above(above) }),
            ...(endsAbove !== undefined && { until: each => each.salary.above(endsAbove) }),
          }),
    ),
  fc.constantFrom('visited' as const, 'start' as const).map(
    (nodes): Step =>
      at =>
        at.except(nodes),
  ),
  fc.constant<Step>(at => at.existing()),
  fc.integer({ min: 10, max: 80 }).map(
    (below): Step =>
      at =>
        at.filter(each => each.salary.below(below)),
  ),
  fc.integer({ min: 1, max: 5 }).map(
    (nodes): Step =>
      at =>
        at.limit(nodes),
  ),
)

const result = fc.constantFrom(
  (at: Traversal) => at.ids(),
  (at: Traversal) => at.nodes(),
  (at: Traversal) => at.count(),
  (at: Traversal) => at.depths(),
  (at: Traversal) => at.aggregate({ by: 'team', of: 'salary' }),
  (at: Traversal) => at.rank({ nodes: true, limit: 2 }),
  (at: Traversal) => at.subtree({ sum: 'salary' }),
)

const plan = fc.record({
  starts: fc.uniqueArray(fc.constantFrom('n0', 'n1', 'n2', 'none'), { minLength: 1, maxLength: 3 }),
  steps: fc.array(step, { minLength: 1, maxLength: 4 }),
  result,
  budget: fc.record(
    {
      requests: fc.integer({ min: 1, max: 8 }),
      units: fc.integer({ min: 1, max: 12 }),
      nodes: fc.integer({ min: 1, max: 8 }),
      edges: fc.integer({ min: 1, max: 12 }),
    },
    { requiredKeys: [] },
  ),
})

/** A partial result with nothing that is new: no further call would come further. */
const isStuck = (error: unknown): boolean => error instanceof GraphError && error.code === 'traverse.budget'

test('no plan passes its budget or what was explained, and parts of it add up to the whole', async () => {
  const cases = fc.tuple(plainGraph(), fc.array(plan, { minLength: PLANS_A_GRAPH, maxLength: PLANS_A_GRAPH }))
  await fc.assert(
    fc.asyncProperty(cases, async ([plain, plans]) => {
      const read = new Set<string>()
      let isTwice = false
      const store = wrap(memory(), (operation, request, options, send) => {
        if (operation === 'query') {
          const text = JSON.stringify(request)
          isTwice ||= read.has(text)
          read.add(text)
        }
        return send(request, options)
      })
      const g = await opened(plain, store)
      for (const { starts, steps, result, budget } of plans) {
        const [first = '', ...rest] = starts
        const traversal = steps.reduce((at, next) => next(at, g), g.person.from(first, ...rest) as never as Traversal)
        const whole = result(traversal.budget({ requests: 10_000 }))
        const explained = whole.explain({ degrees: largestDegrees(plain) })
        expect(JSON.stringify(explained.waves)).not.toContain('null')
        read.clear()
        isTwice = false
        const { value: expected, requests, consumed } = await whole.run()
        // Each adjacency list is read once, which is the least possible.
        expect(isTwice).toBe(false)
        expect(requests).toBeLessThanOrEqual(explained.requests.maximum)
        expect(consumed.total).toBeLessThanOrEqual(explained.units.maximum)
        let cursor: string | undefined
        for (let round = 0; round < 40; round++) {
          const call = result(traversal.budget({ ...budget, onBudget: 'partial' }).resume(cursor) as never)
          const most = call.explain({ degrees: largestDegrees(plain) })
          try {
            const part = (await call.run()) as unknown as Part
            expect(part.requests).toBeLessThanOrEqual(Math.min(budget.requests ?? 100, most.requests.maximum))
            expect(part.consumed.total).toBeLessThanOrEqual(Math.min(budget.units ?? 1_000, most.units.maximum))
            if (part.value.complete) expect(part.value.value).toEqual(expected)
            cursor = part.value.cursor
            if (!cursor) break
          } catch (error) {
            if (!isStuck(error)) throw error
            break
          }
        }
      }
    }),
    { numRuns: Math.ceil(PLANS / PLANS_A_GRAPH) },
  )
})

/** The largest number of edges of a node in each direction. */
function largestDegrees({ nodes, edges }: PlainGraph) {
  const largest = (end: 0 | 1) => Math.max(...nodes.map(id => edges.filter(each => each[end] === id).length))
  const of = (end: 0 | 1) => ({ mean: largest(end) / 2, max: largest(end) })
  return { 'follow.by.follower': of(0), 'follow.by.followee': of(1) }
}

interface Part {
  readonly value: { readonly value: unknown; readonly complete: boolean; readonly cursor: string | undefined }
  readonly requests: number
  readonly consumed: { readonly total: number }
}
