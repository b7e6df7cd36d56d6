import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, node, open, string, wrap } from '../../../src/index.js'

const person = node('person', { id: string() }, { id: 'id' })
const reports = edge(
  'reports',
  { report: person, manager: person },
  { since: string().optional() },
  { one: 'report', tree: true },
)
const company = graph('company', [person, reports])

/** Whether somebody is above themselves. */
const hasCycle = (parents: ReadonlyMap<string, string>): boolean =>
  [...parents.keys()].some(start => {
    const seen = new Set<string>()
    for (let at: string | undefined = start; at !== undefined; at = parents.get(at)) {
      if (seen.has(at)) return true
      seen.add(at)
    }
    return false
  })

test('a put that would put a node below itself is refused, and every other is done', async () => {
  const id = fc.integer({ min: 0, max: 6 }).map(String)
  const moves = fc.array(fc.record({ report: id, manager: id, remove: fc.boolean() }), { maxLength: 25 })
  await fc.assert(
    fc.asyncProperty(moves, async all => {
      const g = await open(company, memory())
      const parents = new Map<string, string>()
      for (const { report, manager, remove } of all) {
        const next = new Map(parents).set(report, manager)
        if (remove) {
          const old = parents.get(report)
          if (old !== undefined) await g.reports.delete({ report, manager: old })
          parents.delete(report)
        } else if (hasCycle(next)) {
          await expect(g.reports.put({ report, manager })).rejects.toMatchObject({ code: 'tree.cycle' })
        } else {
          await g.reports.put({ report, manager })
          parents.set(report, manager)
        }
      }
      const rows = await g.reports.scan().all()
      expect(new Map(rows.map(row => [row.report, row.manager]))).toEqual(parents)
    }),
    { numRuns: 60 },
  )
})

test('two moves that together would close a cycle are not both done', async () => {
  for (let round = 0; round < 20; round++) {
    const store = wrap(memory({ seed: round }), async (_, request, call, send) => {
      for (let i = 0; i < (round * 7) % 5; i++) await Promise.resolve()
      return send(request, call)
    })
    const g = await open(company, store, { create: true })
    for (const [report, manager] of [
      ['a1', 'a'],
      ['b1', 'b'],
      ['a2', 'a1'],
      ['b2', 'b1'],
    ] as const)
      await g.reports.put({ report, manager })
    const results = await Promise.allSettled([
      g.reports.put({ report: 'a', manager: 'b2' }),
      g.reports.put({ report: 'b', manager: 'a2' }),
    ])
    expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    const refused = results.find(({ status }) => status === 'rejected') as PromiseRejectedResult
    expect(refused.reason).toMatchObject({ code: 'tree.cycle' })
  }
})

test('edges of one transaction are checked together', async () => {
  const g = await open(company, memory())
  await expect(
    g.$transact([g.reports.put({ report: 'a', manager: 'b' }), g.reports.put({ report: 'b', manager: 'a' })]),
  ).rejects.toMatchObject({ code: 'tree.cycle' })
  await g.$transact([g.reports.put({ report: 'a', manager: 'b' }), g.reports.put({ report: 'b', manager: 'c' })])
  // What goes away in the same transaction is no longer above.
  await g.$transact([g.reports.delete({ report: 'b', manager: 'c' }), g.reports.put({ report: 'c', manager: 'a' })])
  expect((await g.reports.scan().all()).map(row => `${row.report} ${row.manager}`).sort()).toEqual(['a b', 'c a'])
})

test('a tree is at most 50 edges deep where it is written, and its price grows by one level at a time', async () => {
  const g = await open(company, memory())
  for (let i = 1; i <= 50; i++) await g.reports.create({ report: `p${i}`, manager: `p${i - 1}` })
  await expect(g.reports.create({ report: 'p51', manager: 'p50' })).rejects.toMatchObject({ code: 'tree.depth' })
  const { requests, consumed } = await g.reports.put({ report: 'x', manager: 'p3' }).run()
  // The edge and the first above it, then one level at a time to the root, and the transaction.
  expect({ requests, read: consumed.read.table, write: consumed.write.table }).toEqual({
    requests: 5,
    read: 5,
    write: 2 * 5,
  })
})
