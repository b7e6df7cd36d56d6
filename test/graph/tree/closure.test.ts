import { Readable } from 'node:stream'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { edge, type GraphError, graph, integer, node, open, string, wrap } from '../../../src/index.js'
import { backfill, dump, load, moveSubtree, verify } from '../../../src/jobs/index.js'
import { below, closureFaultsOf, company, ENDS, person, reports, sorted } from './company.js'

/** The managers of a company, and what its closure must contain. */
class Company {
  readonly managers = new Map<string, string>()

  /** The ids above a person, the nearest first. */
  above(id: string): string[] {
    const manager = this.managers.get(id)
    return manager === undefined ? [] : [manager, ...this.above(manager)]
  }

  closure() {
    return [...this.managers.keys()].flatMap(report =>
      this.above(report).map((manager, at, all) => ({
        manager,
        report,
        depth: at + 1,
        path: [...all.slice(0, at).reverse(), report].join('#'),
      })),
    )
  }
}

const step = (id: fc.Arbitrary<string>) =>
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('move' as const), report: id, manager: id }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('detach' as const), report: id }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('settle' as const) }) },
  )

test('the closure has an edge from each node to each ancestor, however the nodes are moved', async () => {
  const id = fc.integer({ min: 0, max: 7 }).map(String)
  await fc.assert(
    fc.asyncProperty(fc.array(step(id), { maxLength: 30 }), async steps => {
      const g = await open(company, memory())
      const model = new Company()
      for (const each of steps)
        if (each.kind === 'settle') await g.$settled()
        else if (each.kind === 'detach') {
          const manager = model.managers.get(each.report)
          if (manager !== undefined) await g.reports.delete({ report: each.report, manager })
          model.managers.delete(each.report)
        } else
          try {
            await g.reports.put({ report: each.report, manager: each.manager })
            model.managers.set(each.report, each.manager)
          } catch (error) {
            expect((error as GraphError).code).toBe('tree.cycle')
          }
      await g.$settled()
      expect(sorted(await g.below.scan().all())).toEqual(sorted(model.closure()))
      await g.$close()
    }),
    { numRuns: 100 },
  )
})

test('all descendants are one Query, each node before the nodes below it', async () => {
  const g = await open(company, memory())
  for (const [report, manager] of [
    ['cto', 'ceo'],
    ['dev', 'cto'],
    ['ops', 'cto'],
    ['cfo', 'ceo'],
    ['cto 2', 'ceo'],
  ] as const)
    await g.reports.put({ report, manager })
  await g.$settled()
  expect(await g.below.by.manager('ceo').all()).toEqual([
    { manager: 'ceo', report: 'cfo', depth: 1, path: 'cfo' },
    { manager: 'ceo', report: 'cto', depth: 1, path: 'cto' },
    { manager: 'ceo', report: 'dev', depth: 2, path: 'cto#dev' },
    { manager: 'ceo', report: 'ops', depth: 2, path: 'cto#ops' },
    { manager: 'ceo', report: 'cto 2', depth: 1, path: 'cto%202' },
  ])
  expect((await g.below.by.manager('ceo').all().explain()).steps).toHaveLength(1)
  expect(await g.below.by.report('dev').all()).toMatchObject([{ manager: 'ceo' }, { manager: 'cto' }])
  expect(await g.below.exists({ manager: 'ceo', report: 'dev' })).toBe(true)
  for (const id of ['ceo', 'cto', 'cto 2', 'cfo', 'dev', 'ops']) await g.person.put({ id })
  expect((await verify(g)).faults).toEqual({})
})

test('a closure is read and traversed like any edge', async () => {
  const g = await open(company, memory())
  for (const id of ['ceo', 'cto', 'dev', 'ops']) await g.person.put({ id })
  for (const [report, manager] of [
    ['cto', 'ceo'],
    ['dev', 'cto'],
    ['ops', 'cto'],
  ] as const)
    await g.reports.put({ report, manager })
  await g.$settled()
  const first = await g.below.by.manager('ceo').page({ limit: 2 })
  const rest = await g.below.by.manager('ceo').page({ limit: 2, cursor: first.cursor })
  expect([...first.items, ...rest.items].map(({ report }) => report)).toEqual(['cto', 'dev', 'ops'])
  expect(
    await g.below.by
      .manager('ceo')
      .where({ path: { startsWith: 'cto#' } })
      .nodes()
      .all(),
  ).toEqual([{ id: 'dev' }, { id: 'ops' }])
  expect(await g.person.from('ceo').hop(g.below.by.manager).ids()).toEqual(['cto', 'dev', 'ops'])
  expect(await g.person.from('dev').hop(g.below.by.report).ids()).toEqual(['ceo', 'cto'])
})

test('a change of more items than a transaction holds is written in several', async () => {
  const g = await open(company, memory())
  // Two chains of 49 edges, the most above a new edge; then one moves below the other.
  const [first, second] = ['a', 'b'].map(name => Array.from({ length: 50 }, (_, i) => `${name}${i}`)) as [
    string[],
    string[],
  ]
  for (const chain of [first, second])
    for (const [i, manager] of chain.slice(0, -1).entries()) await g.reports.put({ report: chain[i + 1]!, manager })
  await g.reports.put({ report: second[0]!, manager: first[48]! })
  await g.$settled()
  const last = second.at(-1)!
  expect(await g.below.by.report(last).count()).toBe(98)
  expect(await g.below.get({ manager: first[0]!, report: last })).toMatchObject({ depth: 98 })
  expect(await g.below.by.manager(first[0]!).count()).toBe(49 + 50)
})

test('changes in several transactions that are interrupted are finished by the next one', async () => {
  let transactionsLeft = Number.POSITIVE_INFINITY
  const store = wrap(memory(), (operation, request, call, send) => {
    if (operation === 'transactWriteItems' && transactionsLeft-- <= 0) throw new Error('the process ended')
    return send(request, call)
  })
  const g = await open(company, store, { create: true, follow: false })
  const chain = (name: string) => Array.from({ length: 50 }, (_, i) => `${name}${i}`)
  for (const name of ['a', 'b', 'c'])
    for (const [i, manager] of chain(name).slice(0, -1).entries())
      await moveSubtree(g, 'reports', { report: chain(name)[i + 1]!, manager })
  await moveSubtree(g, 'reports', { report: 'leaf', manager: 'a49' })
  // The put and two of the transactions of the closure, which has 100 items before and after.
  for (const manager of ['b49', 'c49']) {
    transactionsLeft = 3
    await expect(moveSubtree(g, 'reports', { report: 'leaf', manager })).rejects.toThrow('the process ended')
  }
  transactionsLeft = Number.POSITIVE_INFINITY
  await moveSubtree(g, 'reports', { report: 'leaf', manager: 'c49' })
  const managers = (await g.below.by.report('leaf').all()).map(({ manager }) => manager)
  expect(managers.sort()).toEqual(chain('c').sort())
  expect(await closureFaultsOf(g)).toEqual([])
})

test('a backfill adds the closure to a tree that has data', async () => {
  const store = memory()
  const old = await open(graph('company', [person, reports]), store)
  const chain = Array.from({ length: 8 }, (_, i) => `p${i}`)
  for (const [i, manager] of chain.slice(0, -1).entries()) await old.reports.put({ report: chain[i + 1]!, manager })
  await old.$close()
  const above = edge('above', { manager: person, report: person }, { depth: integer() }, { closureOf: reports })
  const next = graph('company', [person, reports, above])
  await expect(open(next, store)).rejects.toMatchObject({ code: 'layout.drift' })
  await backfill(next, store)
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } as const
  await store.updateTable({ TableName: 'company', StreamSpecification })
  const g = await open(next, store)
  expect(await g.above.by.manager('p0').count()).toBe(7)
  expect(await g.above.scan().count()).toBe(28)
  expect(await closureFaultsOf(g)).toEqual([])
  await g.reports.delete({ report: 'p4', manager: 'p3' })
  await g.$settled()
  expect(await g.above.by.manager('p0').count()).toBe(3)
})

test('a closure of owned nodes is read from a mirror in the order of depth', async () => {
  const disk = node('disk', { id: string() }, { id: 'id' })
  const file = node('file', { no: integer() }, { id: 'no', within: disk })
  const ends = { child: file, parent: file }
  const holds = edge('holds', ends, {}, { one: 'child', tree: true })
  const options = { closureOf: holds, by: { parent: { as: 'mirror', order: ['depth', 'child'] } } } as const
  const above = edge('above', ends, { depth: integer() }, options)
  const g = await open(graph('disks', [disk, file, holds, above]), memory())
  const at = (no: number) => ({ disk: 'c', no })
  for (const [child, parent] of [
    [2, 1],
    [3, 2],
    [4, 1],
  ] as const)
    await g.holds.put({ child: at(child), parent: at(parent) })
  await g.$settled()
  const below = await g.above.by.parent(at(1)).where({ depth: 1 }).consistent().all()
  expect(below.map(({ child }) => child.no)).toEqual([2, 4])
  expect(await g.above.by.child(at(3)).all()).toEqual([
    { child: at(3), parent: at(1), depth: 2 },
    { child: at(3), parent: at(2), depth: 1 },
  ])
  expect(await closureFaultsOf(g)).toEqual([])
})

test('a node that is deleted with its edges leaves the closure without their edges', async () => {
  const g = await open(company, memory())
  for (const id of ['ceo', 'cto', 'dev']) await g.person.put({ id })
  for (const [report, manager] of [
    ['cto', 'ceo'],
    ['dev', 'cto'],
  ] as const)
    await g.reports.put({ report, manager })
  await g.$settled()
  await expect(g.person.delete('cto', { edges: 'refuse' })).rejects.toMatchObject({ code: 'node.edges' })
  await g.person.delete('cto', { edges: 'cascade' })
  await g.$settled()
  expect(await g.reports.scan().all()).toEqual([])
  expect(await g.below.scan().all()).toEqual([])
})

test('the explanation of a put names the closure that the consumer updates', async () => {
  const g = await open(company, memory())
  const note = 'the consumer then updates the closure of the child and of every node below it'
  const edge = { report: 'a', manager: 'b' }
  expect(String(await g.reports.put(edge).explain())).toContain(note)
  expect(String(await g.reports.delete(edge).explain())).toContain(note)
  expect(String(await g.person.put({ id: 'a' }).explain())).not.toContain(note)
})

test('an edge of a closure is not written by calls', async () => {
  const g = await open(company, memory())
  const row = { report: 'a', manager: 'b', depth: 1, path: 'a' }
  const identity = { report: 'a', manager: 'b' }
  for (const call of [
    // @ts-expect-error a row of a closure is not an input
    () => g.below.put(row),
    // @ts-expect-error a row of a closure is not an input
    () => g.below.create(row),
    () => g.below.update(identity, { depth: 2 }),
    () => g.below.delete(identity),
    // @ts-expect-error a row of a closure is not an input
    () => g.below.upsert(row, { depth: 2 }),
    () => g.$batch([g.below.put(row as never)]),
    () => g.$transact([g.below.delete(identity)]),
  ])
    await expect((async () => call())()).rejects.toMatchObject({
      code: 'edge.closure',
      message: "below: the stream consumer writes this edge from 'reports'; write 'reports' instead.",
    })
})

test.each<[problem: string, declare: () => unknown, message: string]>([
  [
    'whose tree is not a tree',
    () => edge('above', ENDS, {}, { closureOf: edge('knows', ENDS) }),
    "above: 'closureOf' is not an edge with tree: true; give the tree.",
  ],
  [
    'with other ends',
    () => edge('above', { boss: person, report: person }, {}, { closureOf: reports }),
    "above: its ends differ from those of 'reports'; declare report and manager, both of 'person'.",
  ],
  [
    'with an option that needs writes by users',
    () => edge('above', ENDS, {}, { closureOf: reports, onDelete: { manager: 'cascade' } }),
    "above: the stream consumer writes this edge, so 'onDelete' has no effect; drop it.",
  ],
  [
    'with an attribute that the consumer does not know',
    () => edge('above', ENDS, { since: string() }, { closureOf: reports }),
    "above: the stream consumer has no value for 'since'; declare only depth: integer() and path: string().",
  ],
  [
    'without its tree in the graph',
    () => graph('g', [person, below]),
    "below: it is the closure of 'reports', which is not in the graph; add that tree to the graph.",
  ],
  [
    'of a tree that has another closure',
    () => graph('g', [person, reports, below, edge('above', ENDS, {}, { closureOf: reports })]),
    "above: 'below' is the closure of 'reports' too; drop one of them.",
  ],
])('a closure %s is rejected', (_, declare, message) => {
  expect(declare).toThrow(expect.objectContaining({ code: 'edge.closure', message }))
})

test('the path of a closure is rejected if an id has several parts', () => {
  const disk = node('disk', { id: string() }, { id: 'id' })
  const file = node('file', { no: integer() }, { id: 'no', within: disk })
  const holds = edge('holds', { child: file, parent: file }, {}, { one: 'child', tree: true })
  expect(() => edge('above', { child: file, parent: file }, { path: string() }, { closureOf: holds })).toThrow(
    "above: 'path' joins ids with one part, but 'file' has several; drop 'path'.",
  )
})

test('a dump leaves the closure out, and a load of the dump writes it again', async () => {
  const g = await open(company, memory())
  for (const [report, manager] of [
    ['cto', 'ceo'],
    ['dev', 'cto'],
  ] as const)
    await g.reports.put({ report, manager })
  await g.$settled()
  const rows: object[] = []
  await dump(g, page => void rows.push(...page.rows.map(({ type, row }) => ({ type: type.name, ...row }))))
  expect(rows.map(row => (row as { type: string }).type)).toEqual(['reports', 'reports'])
  const other = await open(company, memory())
  const text = new TextEncoder().encode(rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  await load(other, [{ name: 'rows', format: 'json', open: start => Readable.from([text.slice(start)]) }])
  await other.$settled()
  expect(sorted(await other.below.scan().all())).toEqual(sorted(await g.below.scan().all()))
})
