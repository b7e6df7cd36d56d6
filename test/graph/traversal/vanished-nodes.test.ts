import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { date, edge, graph, layout, node, open, type Store, string, wrap } from '../../../src/index.js'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)

const page = node('page', { id: string() }, { id: 'id' })
const section = node('section', { no: string() }, { id: 'no', within: page, onDelete: 'cascade' })
const link = edge('link', { from: page, to: page }, {})
const book = graph('book', [page, section, link])

/** A store whose transactions fail on demand, so that a deletion stops after its node was marked. */
function crashing(store: Store) {
  const switches = { fails: false }
  const wrapped = wrap(store, (operation, request, options, send) => {
    if (switches.fails && operation.startsWith('transact')) throw new Error('crash')
    return send(request, options)
  })
  return { store: wrapped, switches }
}

test('a node that owns nodes and is being deleted is not traversed', async () => {
  const { store, switches } = crashing(memory())
  const g = await open(book, store, { create: true })
  for (const id of ['a', 'b', 'c']) await g.page.put({ id })
  await g.section.put({ page: 'b', no: '1' })
  await g.link.put({ from: 'a', to: 'b' })
  await g.link.put({ from: 'b', to: 'c' })
  const all = g.page.from('a').repeat(g.link.by.from, { depth: 3 })
  expect(await all.ids()).toEqual(['b', 'c'])
  switches.fails = true
  await expect(g.page.delete('b')).rejects.toThrow()
  switches.fails = false
  expect(await g.page.get('b')).toBeUndefined()
  expect(await all.ids()).toEqual([])
  expect(await g.page.from('b').hop(g.section.by.page).ids()).toEqual([])
  expect(await g.page.shortestPath('a', 'c', g.link.by.from)).toBeUndefined()
})

test('existing() leaves out a node whose edges a call deletes although they are declared to stay', async () => {
  const { store, switches } = crashing(memory())
  const g = await open(graph('site', [page, link]), store, { create: true })
  for (const id of ['a', 'b', 'c']) await g.page.put({ id })
  await g.link.put({ from: 'a', to: 'b' })
  await g.link.put({ from: 'b', to: 'c' })
  switches.fails = true
  await expect(g.page.delete('b', { edges: 'cascade' })).rejects.toThrow()
  switches.fails = false
  const next = g.page.from('a').hop(g.link.by.from)
  expect(await next.ids()).toEqual(['b'])
  expect(await next.existing().hop(g.link.by.from).ids()).toEqual([])
  await g.page.delete('b', { edges: 'cascade' })
  expect(await next.ids()).toEqual([])
})

test('common neighbors and similarity ignore nodes that have expired, and explain the reads that this takes', async () => {
  const session = node('session', { id: string(), until: date() }, { id: 'id', expires: 'until' })
  const knows = edge('knows', { from: session, to: session }, {})
  let nowMs = START_MS
  const g = await open(graph('sessions', [session, knows]), memory(), { clock: () => nowMs })
  for (const [id, hours] of Object.entries({ a: 9, b: 9, x: 1, c: 1, d: 9 }))
    await g.session.put({ id, until: new Date(START_MS + hours * HOUR_MS) })
  for (const text of ['ac', 'bc', 'xc', 'ad', 'bd', 'xd']) await g.knows.put({ from: text[0]!, to: text[1]! })
  const by = g.knows.by.from
  expect(await g.session.common(['a', 'b'], by)).toEqual(['c', 'd'])
  nowMs += 2 * HOUR_MS
  expect(await g.session.common(['a', 'b'], by)).toEqual(['d'])
  expect(await g.session.common(['a', 'b'], by, { degrees: [2, 2] })).toEqual(['d'])
  expect(await g.session.common(['a', 'x'], by)).toEqual([])
  expect(await g.session.similarity('a', 'b', by)).toEqual({ common: 1, union: 1, similarity: 1 })
  expect(await g.session.similarity('a', 'x', by)).toEqual({ common: 0, union: 1, similarity: 0 })
  for (const call of [g.session.common(['a', 'b'], by), g.session.similarity('a', 'b', by)]) {
    const { waves, requests } = call.explain({ degrees: { 'knows.by.from': 2 } })
    expect(waves.map(({ reads }) => reads)).toEqual(['nodes', 'lists', 'nodes'])
    expect((await call.run()).requests).toBe(requests.expected)
  }
})

test('a search explains the reads of its ends', async () => {
  const g = await open(book, memory())
  for (const id of ['a', 'b']) await g.page.put({ id })
  await g.link.put({ from: 'a', to: 'b' })
  const { waves } = g.page.shortestPath('a', 'b', g.link.by.from, { maxDepth: 1 }).explain()
  expect(waves.slice(0, 2).map(({ reads, count }) => [reads, count.expected])).toEqual([
    ['nodes', 2],
    ['lists', 2],
  ])
})

test('the path from a node to itself exists only if the node does', async () => {
  const g = await open(graph('site', [page, link]), memory())
  await g.page.put({ id: 'a' })
  expect(await g.page.shortestPath('a', 'a', g.link.by.from)).toEqual({ nodes: ['a'], edges: [], weight: 0 })
  expect(await g.page.shortestPath('ghost', 'ghost', g.link.by.from)).toBeUndefined()
  expect(await g.page.shortestPaths('ghost', 'ghost', g.link.by.from)).toEqual([])
  const call = g.page.shortestPath('a', 'a', g.link.by.from)
  expect(call.explain().waves.map(({ reads }) => reads)).toEqual(['nodes'])
  expect((await call.run()).requests).toBe(1)
})

test('where keys fold case, ids that differ only in case are one node', async () => {
  const keys = { page: { PK: 'P#{id}', SK: 'P#{id}' }, link: { PK: 'P#{from}', SK: 'L#{to}' } }
  const g = await open(layout(graph('site', [page, link]), { raw: { fold: 'lower' }, keys }), memory())
  for (const id of ['Ann', 'Bob', 'Zoe']) await g.page.put({ id })
  for (const [from, to] of [
    ['Ann', 'bob'],
    ['Bob', 'zoe'],
    ['Bob', 'ANN'],
    ['Cy', 'Bob'],
  ] as const)
    await g.link.put({ from, to })
  expect((await g.page.shortestPath('Ann', 'Zoe', g.link.by.from))?.nodes).toEqual(['Ann', 'bob', 'zoe'])
  expect(await g.page.from('Ann').repeat(g.link.by.from, { depth: 5 }).ids()).toEqual(['bob', 'zoe'])
  expect(await g.page.from('ann', 'ANN').hop(g.link.by.from).rank()).toEqual([{ id: 'bob', score: 1 }])
  expect(await g.page.common(['Ann', 'Cy'], g.link.by.from)).toEqual(['bob'])
})
