import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, node, open, string, type TraceListener, wrap } from '../../../src/index.js'
import { faulty } from '../../../src/store/faulty.js'
import { distances, listOf, opened, type PlainGraph, people, plainGraph } from './example-graphs.js'

/** n0 leads to n1 … n5, and each of them to n6 … n9. */
const FAN: PlainGraph = {
  nodes: Array.from({ length: 10 }, (_, i) => `n${i}`),
  edges: [1, 2, 3, 4, 5].flatMap(i => [
    ['n0', `n${i}`, 1] as const,
    ...[6, 7, 8, 9].map(j => [`n${i}`, `n${j}`, 1] as const),
  ]),
}

test('under faults a traversal is right or fails', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), fc.integer(), async (plain, seed) => {
      const store = memory()
      await opened(plain, store)
      const clock = { now: () => 0, sleep: async () => {} }
      const flawed = faulty(store, {
        seed,
        rates: { throttled: 0.2, unprocessed: 0.3, failed: 0.1, disordered: 0.3, lost: 0.1 },
      })
      const g = await open(people, flawed, { retry: { attempts: 2, clock } }).catch(() => undefined)
      if (!g) return
      const all = g.person
        .from('n0')
        .repeat(g.follow.by.follower, { depth: 4, minDepth: 0, nodes: each => each.salary.above(0) })
      try {
        const rows = await all.nodes()
        expect(rows.map(({ id }) => id).sort()).toEqual([...distances(plain, 'n0', 4).keys()].sort())
        const route = await g.person.shortestPath('n0', plain.nodes.at(-1)!, g.follow.by.follower)
        expect(route?.weight).toBe(distances(plain, 'n0', 6).get(plain.nodes.at(-1)!))
      } catch (error) {
        expect(error).toMatchObject({ name: 'GraphError', code: expect.stringMatching(/^store\./) })
      }
    }),
    { numRuns: 100 },
  )
})

test('the listener sees one call and all of its requests', async () => {
  const seen: string[] = []
  const listener: TraceListener = ({ kind, name, call }) => {
    seen.push(call ? `${call.name}: ${name}` : `${kind} ${name}`)
  }
  const store = memory()
  await opened(FAN, store)
  const g = await open(people, store, { listener })
  seen.length = 0
  await g.person.from('n0').hop(g.follow.by.follower).nodes()
  expect(seen).toEqual(['call person.from.nodes', 'person.from.nodes: query', 'person.from.nodes: batchGetItem'])
})

test('a signal, a deadline and a cap end a traversal', async () => {
  const g = await opened(FAN)
  const two = g.person.from('n0').hop(g.follow.by.follower).hop(g.follow.by.follower)
  await expect(two.ids().run({ caps: { requests: 3 } })).rejects.toMatchObject({ code: 'call.cap' })
  const reason = new Error('enough')
  await expect(two.ids().run({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  const slow = wrap(memory(), async (operation, request, call, send) => {
    if (operation === 'query') await new Promise(resolve => setTimeout(resolve, 20))
    return send(request, call)
  })
  const h = await opened(FAN, slow)
  const late = h.person.from('n0').repeat(h.follow.by.follower, { depth: 4 })
  await expect(late.ids().run({ deadlineMs: 10 })).rejects.toMatchObject({ code: 'call.deadline' })
})

test('no more than eight requests are in flight', async () => {
  let inFlight = 0
  let most = 0
  const store = wrap(memory(), async (_, request, call, send) => {
    most = Math.max(most, ++inFlight)
    await new Promise(resolve => setTimeout(resolve, 1))
    try {
      return await send(request, call)
    } finally {
      inFlight--
    }
  })
  const nodes = ['n0', ...Array.from({ length: 30 }, (_, i) => `m${i}`)]
  const g = await opened({ nodes, edges: nodes.slice(1).map(id => ['n0', id, 1] as const) }, store)
  most = 0
  await g.person.from('n0').repeat(g.follow.by.follower, { depth: 2 }).ids()
  expect(most).toBe(8)
})

test('rows stream wave by wave, and a loop that is left sends nothing more', async () => {
  let queries = 0
  const store = wrap(memory(), (operation, request, call, send) => {
    if (operation === 'query') queries++
    return send(request, call)
  })
  const g = await opened(FAN, store)
  queries = 0
  const all = g.person.from('n0').repeat(g.follow.by.follower, { depth: 3 })
  const seen: [string, number][] = []
  for await (const { id } of all) seen.push([id, queries])
  expect(seen.map(([id]) => id)).toEqual([...distances(FAN, 'n0').keys()].slice(1))
  // The nodes of the first wave come before the second is sent.
  expect(seen.slice(0, 5).map(([, count]) => count)).toEqual([1, 1, 1, 1, 1])
  queries = 0
  for await (const { id } of all) if (id === 'n2') break
  await new Promise(resolve => setTimeout(resolve, 5))
  expect(queries).toBe(1)
  await expect(async () => {
    for await (const _ of all.budget({ requests: 2 })) queries++
  }).rejects.toMatchObject({ code: 'traverse.budget' })
})

test('a mistake that only a compiler sees is refused in JavaScript too, before anything is sent', async () => {
  const g = await opened(FAN)
  const from = g.person.from('n0') as never as Record<string, (...given: unknown[]) => unknown>
  expect(() => (g.person.from as (...ids: string[]) => unknown)()).toThrow(/the call has no ids; give the ids/)
  expect(() => from.hop!('follow')).toThrow(/the argument is not a path/)
  expect(() => from.hop!(() => 3)).toThrow(/not a read by a path/)
  expect(() => from.hop!(g.follow.by.follower, (read: { nodes(): object }) => read.nodes())).toThrow(/whole edges/)
  expect(() => from.repeat!(g.follow.by.follower, {})).toThrow(
    /depth: undefined is out of range; give a whole number from 1\./,
  )
  expect(() => from.repeat!(g.follow.by.follower, { depth: 2, depht: 3 })).toThrow(/there is no option 'depht'/)
  expect(() => from.except!('some')).toThrow(/'visited' or 'start'/)
  expect(() => from.budget!({ requests: 0 })).toThrow(/requests: 0 is out of range; give a whole number from 1\./)
  expect(() => from.rank!({ weight: 'weight' })).toThrow(/no hop yet/)
  expect(() =>
    from.filter!((each: { salary: { above(n: number): unknown } }) => each.salary.above(1) && each.salary.above(2)),
  ).toThrow(/joined|join/)
  await expect(
    (from.resume!('nonsense') as typeof g.person.from extends (...ids: never) => infer T ? T : never).ids(),
  ).rejects.toMatchObject({ code: 'cursor.invalid' })
  expect(() =>
    (g.person.shortestPath as never as (...given: unknown[]) => unknown)('a', 'b', g.follow.by.follower, {
      maxDepth: 0,
    }),
  ).toThrow(/maxDepth: .* is out of range; give a whole number from 1\./)
})

test('a sample has the mean number of edges of each path, within its requests', async () => {
  const g = await opened(FAN)
  const { value, requests } = await g.$sample().run()
  expect(value['follow.by.follower']).toEqual({ mean: 2.5, sampled: 10, largest: 5 })
  expect(value['follow.by.followee']).toEqual({ mean: 2.5, sampled: 10, largest: 5 })
  expect(requests).toBe(1 + 4 * 10)
  expect((await g.$sample({ requests: 5 }).run()).requests).toBeLessThanOrEqual(5)
  const { waves } = g.person
    .from('n0')
    .hop(g.follow.by.follower)
    .hop(g.follow.by.follower)
    .ids()
    .explain({ degrees: value })
  expect(waves.map(({ count }) => count.expected)).toEqual([1, 2.5])
})

test('a traversal consumes at most the explained maximum, which follows from the largest degree', async () => {
  await fc.assert(
    fc.asyncProperty(plainGraph(), async plain => {
      const g = await opened(plain)
      const lists = plain.nodes.map(id => listOf(plain, id).length)
      const degrees = { 'follow.by.follower': { mean: lists[0]!, max: Math.max(...lists) } }
      const call = g.person.from('n0').hop(g.follow.by.follower).hop(g.follow.by.follower).ids()
      const { requests, units, waves } = call.explain({ degrees })
      const report = await call.run()
      expect(report.requests).toBeLessThanOrEqual(requests.maximum)
      expect(report.consumed.total).toBeLessThanOrEqual(units.maximum)
      expect(waves[1]!.count.maximum).toBe(Math.max(...lists))
    }),
    { numRuns: 40 },
  )
})

test('an end that has at most one edge is explained with one', async () => {
  const staff = node('staff', { id: string() }, { id: 'id' })
  const reports = edge('reports', { report: staff, manager: staff }, {}, { one: 'report' })
  const g = await open(graph('company', [staff, reports]), memory())
  const { waves } = g.staff.from('dev').repeat(g.reports.by.report, { depth: 3 }).ids().explain()
  expect(waves.map(({ count }) => count)).toEqual([1, 1, 1].map(one => ({ expected: one, maximum: one })))
})

test('a traversal is data that JSON and structuredClone keep', async () => {
  const g = await opened(FAN)
  const some = g.person
    .from('n0')
    .hop(g.follow.by.follower, read => read.filter(each => each.weight.above(0)).limit(3))
    .repeat(g.follow.by.follower, { depth: 2, until: each => each.team.is('odd') })
    .except('visited')
  expect(structuredClone(some.data())).toEqual(some.data())
  expect(JSON.parse(JSON.stringify(some.data())).steps.map((step: { kind: string }) => step.kind)).toEqual([
    'hop',
    'repeat',
    'except',
  ])
})
