import { describe, expect, it } from 'vitest'
import {
  connectedComponents,
  distances,
  labelPropagation,
  openBatch,
  pageRank,
  recommendations,
  runJob,
  type SummaryJob,
  subtreeSums,
} from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { edge, graph, integer, list, node, open, string, summary } from '../../src/index.js'

const idsAndNumbers = { component: summary(string()), near: summary(list(string())), value: summary() }

/** Runs a job over the items of a store, whose graph is opened. */
async function runOver(opened: { readonly $layout: unknown }, store: ReturnType<typeof memory>, job: SummaryJob) {
  await using data = await openBatch(opened.$layout as never, { from: { store }, threads: 1 })
  return await runJob(opened, data, job)
}

describe('in a graph with tenants', () => {
  const user = node('user', { id: string(), ...idsAndNumbers }, { id: 'id' })
  const follow = edge('follow', { a: user, b: user }, {})

  /** The second tenant has a node more, without links. */
  async function tenants() {
    const store = memory()
    const all = await open(graph('shared', [user, follow], { tenant: true }), store)
    for (const tenant of ['acme', 'bee']) {
      const g = all.$tenant(tenant)
      for (const id of ['x', 'y', 'z']) await g.user.put({ id })
      await g.follow.put({ a: 'x', b: 'y' })
      await g.follow.put({ a: 'y', b: 'z' })
    }
    await all.$tenant('bee').user.put({ id: 'lone' })
    const rows = async (tenant: string) => {
      const found = await all.$tenant(tenant).user.scan().all()
      return found.sort((one, other) => (one.id < other.id ? -1 : 1))
    }
    return { store, all, rows, run: (job: SummaryJob) => runOver(all, store, job) }
  }

  it('the ranks of each tenant add up to 1 and are those that the tenant has alone', async () => {
    const { rows, run } = await tenants()
    await run(pageRank({ edge: 'follow', node: 'user', into: 'value', tolerance: 1e-12 }))
    const alone = memory()
    const g = await open(graph('alone', [user, follow]), alone)
    for (const id of ['x', 'y', 'z']) await g.user.put({ id })
    await g.follow.put({ a: 'x', b: 'y' })
    await g.follow.put({ a: 'y', b: 'z' })
    await runOver(g, alone, pageRank({ edge: 'follow', node: 'user', into: 'value', tolerance: 1e-12 }))
    for (const tenant of ['acme', 'bee'])
      expect((await rows(tenant)).reduce((sum, { value }) => sum + value!, 0)).toBeCloseTo(1, 9)
    for (const { id, value } of await rows('acme')) expect(value).toBeCloseTo((await g.user.get(id))!.value!, 9)
  })

  it('components and recommendations are ids without the tenant', async () => {
    const { rows, run } = await tenants()
    await run(connectedComponents({ edge: 'follow', node: 'user', into: 'component' }))
    await run(recommendations({ edge: 'follow', node: 'user', into: 'near' }))
    const own = [
      { id: 'x', component: 'x', near: ['z'] },
      { id: 'y', component: 'x', near: [] },
      { id: 'z', component: 'x', near: ['x'] },
    ]
    expect(await rows('acme')).toEqual(own)
    expect(await rows('bee')).toEqual([{ id: 'lone', component: 'lone', near: [] }, ...own])
  })

  it('a source of distances is a node of every tenant, or of one that is named', async () => {
    const { rows, run } = await tenants()
    const measured = async (source: string | object) => {
      const job = distances({ edge: 'follow', node: 'user', into: 'value', sources: [source as string] })
      await run({ ...job, name: JSON.stringify(source) })
      return [...(await rows('acme')), ...(await rows('bee'))].map(({ value }) => value)
    }
    expect(await measured({ tenant: 'bee', id: 'x' })).toEqual([undefined, undefined, undefined, undefined, 0, 1, 2])
    const { rows: again, run: rerun } = await tenants()
    await rerun(distances({ edge: 'follow', node: 'user', into: 'value', sources: ['x'] }))
    expect((await again('acme')).map(({ value }) => value)).toEqual([0, 1, 2])
    await expect(measured({ tenant: 'other', id: 'x' })).rejects.toThrow(
      'the data has no node {"tenant":"other","id":"x"}',
    )
  })
})

describe('ids of several parts', () => {
  const movie = node('movie', { name: string(), year: integer(), ...idsAndNumbers }, { id: ['name', 'year'] })
  const sequel = edge('sequel', { of: movie, next: movie }, {})

  it('ids of several parts are texts with # between their parts, and are sources by their parts', async () => {
    const store = memory()
    const g = await open(graph('movies', [movie, sequel]), store)
    const first = { name: 'a#$b', year: -5 }
    const second = { name: 'B', year: 1990 }
    const third = { name: 'C', year: 2000 }
    for (const id of [first, second, third]) await g.movie.put(id)
    await g.sequel.put({ of: first, next: second })
    await g.sequel.put({ of: second, next: third })
    await runOver(g, store, recommendations({ edge: 'sequel', node: 'movie', into: 'near' }))
    await runOver(g, store, distances({ edge: 'sequel', node: 'movie', into: 'value', sources: [first] }))
    expect(await g.movie.get(third)).toEqual({ ...third, near: ['a$#$$b#-5'], value: 2 })
    expect(await g.movie.get(first)).toEqual({ ...first, near: ['C#2000'], value: 0 })
  })
})

describe('integer ids', () => {
  const place = node(
    'place',
    { no: integer(), component: summary(integer()), near: summary(list(integer())), value: summary() },
    { id: 'no' },
  )
  const road = edge('road', { a: place, b: place }, {}, { undirected: true })

  it('integer ids are numbers in summaries of integers', async () => {
    const store = memory()
    const g = await open(graph('roads', [place, road]), store)
    for (const no of [1, 2, 10]) await g.place.put({ no })
    await g.road.put({ a: 1, b: 2 })
    await g.road.put({ a: 2, b: 10 })
    await runOver(g, store, connectedComponents({ edge: 'road', node: 'place', into: 'component' }))
    await runOver(g, store, recommendations({ edge: 'road', node: 'place', into: 'near' }))
    await runOver(g, store, distances({ edge: 'road', node: 'place', into: 'value', sources: [1] }))
    expect(await g.place.get(10)).toEqual({ no: 10, component: 1, near: [1], value: 2 })
    expect(await g.place.get(1)).toEqual({ no: 1, component: 1, near: [10], value: 0 })
  })
})

describe('nodes of two types with equal ids', () => {
  const user = node('user', { id: string(), ...idsAndNumbers }, { id: 'id' })
  const team = node('team', { id: string(), ...idsAndNumbers }, { id: 'id' })
  const likes = edge('likes', { user, team }, {})
  const follow = edge('follow', { a: user, b: user }, {})

  async function mixed() {
    const store = memory()
    const g = await open(graph('mixed', [user, team, likes, follow]), store)
    for (const id of ['n0', 'n1', 'n2']) await g.user.put({ id })
    for (const id of ['n0', 'n1']) await g.team.put({ id })
    await g.likes.put({ user: 'n1', team: 'n1' })
    await g.likes.put({ user: 'n2', team: 'n1' })
    return { store, g }
  }

  it.each([
    ['components', connectedComponents],
    ['communities', labelPropagation],
  ])('nodes of two types have %s with the type before the id', async (_, job) => {
    const { store, g } = await mixed()
    await runOver(g, store, job({ edge: 'likes', node: 'user', into: 'component' }))
    await runOver(g, store, job({ edge: 'likes', node: 'team', into: 'component' }))
    const lone = [(await g.user.get('n0'))!.component, (await g.team.get('n0'))!.component]
    expect(lone).toEqual(['user#n0', 'team#n0'])
    expect((await g.user.get('n1'))!.component).toMatch(/^(user|team)#n1$/)
  })

  it('nodes of two types are recommended by id where all recommendations are of one type, else with the type', async () => {
    const { store, g } = await mixed()
    await runOver(g, store, recommendations({ edge: 'likes', node: 'user', into: 'near' }))
    expect((await g.user.get('n1'))!.near).toEqual(['n2'])
    await g.follow.put({ a: 'n0', b: 'n1' })
    await runOver(g, store, recommendations({ edge: ['likes', 'follow'], node: 'user', into: 'near' }))
    expect((await g.user.get('n0'))!.near).toEqual(['team#n1'])
  })
})

describe('a built-in rejects', () => {
  const user = node('user', { id: string(), value: summary() }, { id: 'id' })
  const follow = edge('follow', { a: user, b: user }, { w: integer().optional() })

  async function chain() {
    const store = memory()
    const g = await open(graph('chain', [user, follow]), store)
    for (const id of ['x', 'y', 'z']) await g.user.put({ id })
    await g.follow.put({ a: 'x', b: 'y', w: 1 })
    await g.follow.put({ a: 'y', b: 'z', w: 2 })
    return { store, g }
  }

  it('sources that are not nodes, by name', async () => {
    const { store, g } = await chain()
    const from = (...sources: (string | number)[]) =>
      runOver(g, store, distances({ edge: 'follow', node: 'user', into: 'value', sources }))
    await expect(from('x', 'nobody')).rejects.toThrow("job: distances(): the data has no node 'nobody'")
    await expect(from(3)).rejects.toThrow("job: distances(): '3' is not an id of user; correct 'sources'.")
    const many = Array.from({ length: 40 }, (_, at) => (at === 30 ? 'nobody' : 'x'))
    await expect(from(...many)).rejects.toThrow("'nobody'")
    expect(await from('x')).toMatchObject({ written: 3 })
  })

  it('negative weights at once', async () => {
    const { store, g } = await chain()
    await g.follow.put({ a: 'z', b: 'x', w: -1 })
    const job = distances({ edge: 'follow', weight: 'w', sources: ['x'], node: 'user', into: 'value' })
    await expect(runOver(g, store, job)).rejects.toThrow(
      "'w' of 'follow' is negative in some edges; use weights from 0.",
    )
  })

  it('a tree with a cycle, after as many rounds as it has levels', async () => {
    const { store, g } = await chain()
    const job = subtreeSums({ edge: 'follow', parent: 'a', node: 'user', into: 'value' })
    await runOver(g, store, job)
    expect(await Promise.all(['x', 'y', 'z'].map(async id => (await g.user.get(id))!.value))).toEqual([3, 2, 1])
    await g.follow.put({ a: 'z', b: 'y' })
    await expect(runOver(g, store, job)).rejects.toThrow("the edges 'follow' have a cycle; remove one of its edges.")
  })
})
