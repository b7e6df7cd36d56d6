import { expect, test } from 'vitest'
import { changes } from '../../../src/derive/index.js'
import { memory } from '../../../src/embedded.js'
import {
  boolean,
  edge,
  type GraphError,
  graph,
  integer,
  layout,
  metered,
  node,
  open,
  type Store,
  string,
} from '../../../src/index.js'
import { backfill, deploy, moveSubtree, repair, verify } from '../../../src/jobs/index.js'
import { recordsOf } from '../../derive/stream-records.js'
import { closureFaultsOf } from './company.js'

const person = node('person', { id: string() }, { id: 'id' })
const ends = { manager: person, report: person }
const reports = edge('reports', ends, { note: string().optional() }, { one: 'report', tree: true })
const below = edge('below', ends, { depth: integer() }, { closureOf: reports })
const company = graph('company', [person, reports, below])

const CHAIN = ['ceo', 'cto', 'lead', 'dev'] as const

/** A table in which each of these people reports to the one before, without a consumer. */
async function chained(g: object, ids: readonly string[] = CHAIN) {
  for (const [at, manager] of ids.slice(0, -1).entries())
    await moveSubtree(g, 'reports', { report: ids[at + 1]!, manager })
}

const writeUnitsOf = async (meter: ReturnType<typeof metered>['meter'], work: () => Promise<unknown>) => {
  meter.reset()
  await work()
  return meter.snapshot().tables.company!.write
}

const enableStream = (store: Store) =>
  store.updateTable({
    TableName: 'company',
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })

test('a backfill gives the items of a closure the attributes that are added to it', async () => {
  const store = memory()
  const plain = edge('below', ends, {}, { closureOf: reports })
  const old = await open(graph('company', [person, reports, plain]), store, { follow: false })
  await chained(old)
  const options = { closureOf: reports, by: { manager: { order: ['depth', 'report'] } } } as const
  const next = graph('company', [person, reports, edge('below', ends, { depth: integer(), path: string() }, options)])
  await deploy(next, store)
  await expect(open(next, store)).rejects.toMatchObject({
    code: 'layout.drift',
    message: expect.stringContaining("type 'below': closure was"),
  })
  await backfill(next, store)
  const g = await open(next, store)
  expect(await g.below.by.manager('ceo').all()).toEqual([
    { manager: 'ceo', report: 'cto', depth: 1, path: 'cto' },
    { manager: 'ceo', report: 'lead', depth: 2, path: 'cto#lead' },
    { manager: 'ceo', report: 'dev', depth: 3, path: 'cto#lead#dev' },
  ])
  expect(await closureFaultsOf(g)).toEqual([])
})

test('the repair of one item writes the closure of one node, and a backfill writes each item once', async () => {
  const { store, meter } = metered(memory())
  const ids = Array.from({ length: 31 }, (_, i) => `p${i}`)
  const old = await open(graph('company', [person, reports]), store, { create: true })
  for (const [at, manager] of ids.slice(0, -1).entries()) await old.reports.put({ report: ids[at + 1]!, manager })
  await enableStream(store)
  const rows = (30 * 31) / 2
  const added = await writeUnitsOf(meter, () => backfill(company, store))
  // Each item takes two units and one of the index. The rest is for the edges, their new mirrors and the job itself.
  expect(added).toBeLessThan(2 * 3 * rows)
  const g = await open(company, store, { follow: false })
  expect(await g.below.scan().count()).toBe(rows)
  await store.deleteItem({ TableName: 'company', Key: { PK: { S: 'person#p0' }, SK: { S: 'below#p30' } } })
  expect(await writeUnitsOf(meter, () => repair(g))).toBeLessThan(3 * 30 + 10)
  expect(await closureFaultsOf(g)).toEqual([])
})

test('a tree edge without its parent, which another program wrote, stops neither verify nor repair', async () => {
  const store = memory()
  const g = await open(company, store, { follow: false })
  await chained(g)
  await store.putItem({
    TableName: 'company',
    Item: { PK: { S: 'person#lead' }, SK: { S: 'reports' }, _type: { S: 'reports' }, _etag: { S: 'z' } },
  })
  expect((await verify(g)).read).toBeGreaterThan(6)
  await repair(g)
  await g.reports.put({ report: 'lead', manager: 'cto' })
  await repair(g)
  expect(await closureFaultsOf(g)).toEqual([])
  expect(await g.below.by.manager('ceo').count()).toBe(3)
})

test('paths that are too long for a key leave the closure of their nodes out, and stop no backfill', async () => {
  const store = memory()
  const ids = Array.from({ length: 24 }, (_, i) => `${'x'.repeat(48)}${i}`)
  const old = await open(graph('company', [person, reports]), store, { create: true })
  for (const [at, manager] of ids.slice(0, -1).entries()) await old.reports.put({ report: ids[at + 1]!, manager })
  await enableStream(store)
  const options = { closureOf: reports, by: { manager: { order: ['path'] } } } as const
  const next = graph('company', [person, reports, edge('below', ends, { path: string() }, options)])
  await deploy(next, store)
  await backfill(next, store)
  const g = await open(next, store, { follow: false })
  expect(await g.below.by.report(ids[12]!).count()).toBe(12)
  expect(await g.below.by.report(ids[23]!).count()).toBe(0)
  expect(await closureFaultsOf(g)).toContain('closure.stale')
})

test('a depth beyond its declared range leaves the closure of the node out, and stops neither verify nor repair', async () => {
  const shallow = edge('below', ends, { depth: integer({ min: 1, max: 2 }) }, { closureOf: reports })
  const g = await open(graph('company', [person, reports, shallow]), memory())
  for (const [at, manager] of CHAIN.slice(0, -1).entries()) await g.reports.put({ report: CHAIN[at + 1]!, manager })
  await g.$settled()
  expect(await g.below.by.manager('ceo').count()).toBe(2)
  expect((await verify(g)).read).toBeGreaterThan(5)
  expect((await repair(g)).repaired).toBe(0)
  expect(await g.below.by.manager('ceo').count()).toBe(2)
})

test('a put is rejected if the path to its child is too long for a key of the closure', async () => {
  const options = { closureOf: reports, by: { manager: { as: 'mirror', order: ['path'] } } } as const
  const byPath = edge('below', ends, { path: string() }, options)
  const g = await open(graph('company', [person, reports, byPath]), memory())
  const ids = Array.from({ length: 24 }, (_, i) => `${'x'.repeat(48)}${i}`)
  const put = (at: number) => g.reports.put({ report: ids[at + 1]!, manager: ids[at]! })
  let edges = 0
  for (let at = 0; at < ids.length - 1; at++) {
    await g.$settled()
    const error = await put(at).then(
      () => undefined,
      (thrown: GraphError) => thrown,
    )
    if (error) {
      expect(error.code).toBe('key.long')
      break
    }
    edges++
  }
  expect(edges).toBeGreaterThan(15)
  expect(edges).toBeLessThan(ids.length - 1)
  expect(await g.below.by.report(ids[edges]!).count()).toBe(edges)
  expect(await g.reports.scan().count()).toBe(edges)
  expect(await closureFaultsOf(g)).toEqual([])
})

test('a node that moves below its former descendant is never above itself', async () => {
  const options = { closureOf: reports, by: { manager: { as: 'mirror', order: ['depth', 'report'] } } } as const
  const ordered = graph('company', [person, reports, edge('below', ends, { depth: integer() }, options)])
  const store = memory()
  const g = await open(ordered, store, { follow: false })
  for (const [report, manager] of [
    ['a', 'r'],
    ['b', 'a'],
    ['c', 'a'],
  ] as const)
    await moveSubtree(g, 'reports', { report, manager })
  // The consumer has not processed the first move when the second begins.
  await g.reports.put({ report: 'b', manager: 'r' })
  await moveSubtree(g, 'reports', { report: 'a', manager: 'b' })
  const rows = await g.below.by.manager('r').all()
  expect(rows.map(({ report, depth }) => `${report} ${depth}`)).toEqual(['b 1', 'a 2', 'c 3'])
  expect(await g.below.by.manager('a').all()).toEqual([{ manager: 'a', report: 'c', depth: 1 }])
  const settled = await open(ordered, store)
  await settled.$settled()
  expect(await closureFaultsOf(settled)).toEqual([])
})

test('the changes of a closure are marked as derived', async () => {
  const store = memory()
  const g = await open(company, store)
  await g.reports.put({ report: 'cto', manager: 'ceo' })
  await g.$settled()
  await g.reports.delete({ report: 'cto', manager: 'ceo' })
  await g.$settled()
  const found = changes(company, await recordsOf(store, 'company'))
  expect(found.map(({ type, change, derived }) => `${type} ${change} ${derived}`)).toEqual([
    'reports created false',
    'below created true',
    'reports deleted false',
    'below deleted true',
  ])
})

test.each([
  ['of a tree with shards', { by: { manager: { shards: 4 } } }, CHAIN, {}],
  ['that takes several transactions', {}, Array.from({ length: 51 }, (_, i) => `p${i}`), {}],
  ['with an edge of many bytes', {}, CHAIN, { note: 'n'.repeat(3000) }],
])('the price of a move %s is exact', async (_, treeOptions, ids, attributes) => {
  const tree = edge('reports', ends, { note: string().optional() }, { one: 'report', tree: true, ...treeOptions })
  const types = [person, tree, edge('below', ends, { depth: integer() }, { closureOf: tree })]
  const { store, meter } = metered(memory())
  const g = await open(graph('company', types), store, { create: true, follow: false })
  await chained(g, ids)
  const others = ids.map(id => `${id}'`)
  await chained(g, others)
  const [last] = ids.slice(-1)
  const row = { report: last!, manager: others.at(-2)!, ...attributes }
  const usage = async (options: object) => {
    meter.reset()
    const price = await moveSubtree(g, 'reports', row, options)
    const { requests, tables } = meter.snapshot()
    const sum = Object.values(requests).reduce((total, count) => total + (count ?? 0), 0)
    return { price, requests: sum, read: tables.company!.read, write: tables.company!.write }
  }
  const dry = await usage({ dryRun: true })
  const { price, requests, read, write } = await usage({})
  expect(price).toMatchObject({
    nodes: 1,
    requests: requests - dry.requests,
    readUnits: read - dry.read,
    writeUnits: write,
  })
})

test('a path has ids of every kind that keys can have', async () => {
  const answer = node('answer', { yes: boolean() }, { id: 'yes' })
  const follows = edge('follows', { one: answer, other: answer }, {}, { one: 'one', tree: true })
  const above = edge('above', { one: answer, other: answer }, { path: string() }, { closureOf: follows })
  const g = await open(graph('answers', [answer, follows, above]), memory())
  await g.follows.put({ one: true, other: false })
  await g.$settled()
  expect(await g.above.by.one(true).all()).toEqual([{ one: true, other: false, path: 'true' }])
})

const KEYS = {
  person: { PK: 'P#{id}', SK: 'PROFILE' },
  reports: { PK: 'P#{report}', SK: 'MANAGER', mirror: { PK: 'P#{manager}', SK: 'REPORT#{report}' } },
} as const

test('where keys fold case, the closure takes the spelling of the last put', async () => {
  const folded = layout(company, {
    raw: { fold: 'lower' },
    keys: {
      ...KEYS,
      below: { PK: 'P#{manager}', SK: 'BELOW#{report}', GSI1PK: 'P#{report}', GSI1SK: 'BELOW#{manager}' },
    },
  })
  const g = await open(folded, memory())
  await g.reports.put({ report: 'cto', manager: 'ceo' })
  await g.reports.put({ report: 'dev', manager: 'cto' })
  await g.$settled()
  await g.reports.put({ report: 'CTO', manager: 'ceo' })
  await g.$settled()
  expect(await g.below.by.manager('ceo').all()).toEqual([
    { manager: 'ceo', report: 'CTO', depth: 1 },
    { manager: 'ceo', report: 'dev', depth: 2 },
  ])
  expect(await closureFaultsOf(g)).toEqual([])
})

test('a raw key that would end the path of a closure is rejected', () => {
  const byPath = edge('below', ends, { path: string() }, { closureOf: reports, by: { manager: { order: ['path'] } } })
  const types = graph('company', [person, reports, byPath])
  const withSort = (GSI1SK: string) =>
    layout(types, {
      raw: true,
      keys: {
        ...KEYS,
        below: {
          PK: 'P#{manager}',
          SK: 'BELOW#{report}',
          GSI1PK: 'P#{manager}',
          GSI1SK,
          GSI2PK: 'P#{report}',
          GSI2SK: 'B#{manager}',
        },
      },
    })
  expect(() => withSort('BELOW#{path}#{report}')).toThrow(
    "below: 'path' contains '#', which ends it in the raw key 'BELOW#{path}#{report}'; put {path} last, or choose another separator.",
  )
})

test('a closure is rejected with another tree of the same name', () => {
  const other = edge('reports', { worker: person, boss: person }, {}, { one: 'worker', tree: true })
  expect(() => graph('company', [person, other, below])).toThrow(
    "below: it is the closure of 'reports', which is not in the graph; add that tree to the graph.",
  )
})

test('a cycle among other edges of a transaction is reported as a cycle', async () => {
  const g = await open(company, memory())
  const put = (report: string, manager: string) => g.reports.put({ report, manager })
  await expect(g.$transact([put('x', 'a'), put('a', 'b'), put('b', 'a')])).rejects.toMatchObject({ code: 'tree.cycle' })
})
