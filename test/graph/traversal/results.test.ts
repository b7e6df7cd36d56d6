import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  bigint,
  decimal,
  edge,
  encrypted,
  graph,
  integer,
  mapped,
  node,
  open,
  string,
  type TraceListener,
} from '../../../src/index.js'
import { walkedPathsOf } from '../../../src/traverse/results/nodes-and-paths.js'
import { startVisitOf } from '../../../src/traverse/visit.js'

const page = node('page', { id: string() }, { id: 'id' })
const link = edge('link', { from: page, to: page }, { weight: integer() })
const site = graph('site', [page, link])

async function openedSite(links: readonly string[]) {
  const g = await open(site, memory())
  for (const [i, text] of links.entries()) {
    const [from = '', to = ''] = text.split(' ')
    await g.link.put({ from, to, weight: i + 1 })
  }
  return g
}

/** The complete directed graph of nine nodes has 109,600 simple paths from a node. */
const COMPLETE = Array.from({ length: 81 }, (_, i) => [Math.floor(i / 9), i % 9] as const)
  .filter(([a, b]) => a !== b)
  .map(([a, b]) => `n${a} n${b}`)

test('simple paths end at the budget of paths, at the maximum of paths(), and at a deadline', async () => {
  const g = await openedSite(COMPLETE)
  const all = g.page.from('n0').repeat(g.link.by.from, { depth: 8, visits: 'simple' })
  await expect(all.ids()).rejects.toMatchObject({
    code: 'traverse.budget',
    message: /100000 paths through link.by.from/,
  })
  expect(await all.budget({ paths: 110_000 }).count()).toBe(8)
  const { value, complete, leftOut } = await all.budget({ paths: 2_000, onBudget: 'partial' }).ids()
  expect([value.length, complete, leftOut]).toEqual([8, false, [{ of: 'link.by.from', count: 1 }]])
  await expect(all.paths({ max: 10 })).rejects.toMatchObject({ code: 'read.max' })
  await expect(all.budget({ paths: 1_000_000 }).ids().run({ deadlineMs: 5 })).rejects.toMatchObject({
    code: 'call.deadline',
  })
  const reason = new Error('enough')
  const abort = new AbortController()
  setTimeout(() => abort.abort(reason), 5)
  await expect(all.budget({ paths: 1_000_000 }).ids().run({ signal: abort.signal })).rejects.toBe(reason)
})

test('a path of 50,000 edges does not overflow the stack', () => {
  const length = 50_000
  let visit = startVisitOf({ type: 'page', id: 0, key: '0' })
  const start = [visit]
  for (let i = 1; i <= length; i++) {
    const arrivals = [{ from: visit, row: { edge: i }, type: 'link' }]
    visit = { node: { type: 'page', id: i, key: String(i) }, depth: i, paths: 1, arrivals }
  }
  const [path, more] = walkedPathsOf({ start, last: [visit], origins: new Set() }, 10)
  expect([path?.nodes.length, path?.nodes.at(-1), path?.edges[0], more]).toEqual([
    length + 1,
    length,
    { edge: 1 },
    undefined,
  ])
})

test('with minDepth 0, edges, their aggregates and weighted ranks leave the edges of the earlier hop out', async () => {
  const g = await openedSite(['a b', 'b c'])
  const both = g.page.from('a').hop(g.link.by.from).repeat(g.link.by.from, { depth: 2, minDepth: 0 })
  expect(await both.ids()).toEqual(['b', 'c'])
  expect(await both.edges()).toEqual([{ from: 'b', to: 'c', weight: 2 }])
  expect(await both.aggregate({ over: 'edges', of: 'weight' })).toMatchObject([{ count: 1, sum: 2 }])
  expect(await both.rank({ weight: 'weight' })).toEqual([
    { id: 'c', score: 2 },
    { id: 'b', score: 0 },
  ])
  expect((await both.paths()).map(({ nodes }) => nodes)).toEqual([
    ['a', 'b'],
    ['a', 'b', 'c'],
  ])
})

test('a node that an earlier step reached and dropped is left out by except(visited)', async () => {
  const g = await openedSite(['a b', 'a c', 'b c', 'b d', 'c e', 'e b', 'e f'])
  for (const id of 'abcdef') await g.page.put({ id })
  const near = g.page.from('a').hop(g.link.by.from)
  const seen = (at: typeof near) => at.hop(g.link.by.from).except('visited').ids()
  expect(await seen(near.filter(each => each.id.is('b')))).toEqual(['d'])
  expect(await seen(near.limit(1))).toEqual(['d'])
  const around = { depth: 2, minDepth: 2, nodes: (each: { id: { not(id: string): never } }) => each.id.not('d') }
  // The repeated hop passes b and c, and its condition drops d.
  expect(await seen(g.page.from('a').repeat(g.link.by.from, around as never))).toEqual(['f'])
})

test('a limit after a hop merges the lists in the order of the path', async () => {
  const post = node('post', { id: string() }, { id: 'id' })
  const wrote = edge('wrote', { author: page, post }, { at: integer() }, { by: { author: { order: ['at'] } } })
  const g = await open(graph('blog', [page, post, link, wrote]), memory())
  for (const [author, id, at] of [
    ['b', 'p1', 1],
    ['b', 'p2', 50],
    ['c', 'p3', 4],
    ['c', 'p4', 9],
    ['d', 'p5', -7],
    ['d', 'p6', 100],
  ] as const)
    await g.wrote.put({ author, post: id, at })
  for (const to of ['b', 'c', 'd']) await g.link.put({ from: 'a', to, weight: 1 })
  const friends = g.page.from('a').hop(g.link.by.from)
  const latest = friends.hop(g.wrote.by.author, posts => posts.reverse().limit(3)).limit(3)
  expect((await latest.edges()).map(({ post: id, at }) => [id, at])).toEqual([
    ['p6', 100],
    ['p2', 50],
    ['p4', 9],
  ])
  expect(await latest.ids()).toEqual(['p6', 'p2', 'p4'])
  expect(await friends.hop(g.wrote.by.author).limit(2).ids()).toEqual(['p5', 'p1'])
})

test('groups are values that DynamoDB stores, not texts that look alike', async () => {
  class Money {
    readonly #text: string
    constructor(text: string) {
      this.#text = text
    }
    get text() {
      return this.#text
    }
  }
  const money = mapped(string(), { write: (value: Money) => value.text, read: text => new Money(text) })
  const secret = encrypted(string(), { keys: { k1: new Uint8Array(32).fill(1) }, current: 'k1', context: 'page.iban' })
  const account = node('account', { id: string(), money, iban: secret }, { id: 'id' })
  const owes = edge('owes', { from: account, to: account }, {})
  const g = await open(graph('bank', [account, owes]), memory())
  for (const [id, text] of ['a x', 'b x', 'c y', 'd y'].map(each => each.split(' ')))
    await g.account.put({ id: id!, money: new Money(text!), iban: text! })
  for (const to of 'bcd') await g.owes.put({ from: 'a', to })
  const all = g.account.from('a').hop(g.owes.by.from)
  const byMoney = await all.aggregate({ by: 'money' })
  expect(byMoney.map(({ group, count }) => [(group as Money).text, count])).toEqual([
    ['x', 1],
    ['y', 2],
  ])
  const bySecret = await all.aggregate({ by: 'iban' })
  expect(bySecret.map(({ group, count }) => [(group as { value: string }).value, count])).toEqual([
    ['x', 1],
    ['y', 2],
  ])
})

test('sums of decimals, bigints and fractions are exact, and have the form of their attribute', async () => {
  const item = node('item', { id: string(), price: decimal(), stock: bigint() }, { id: 'id' })
  const part = edge('part', { of: item, item }, { price: decimal(), factor: integer() })
  const g = await open(graph('shop', [item, part]), memory())
  const stock = 2n ** 60n + 1n
  for (const id of ['a', 'b', 'c', 'd']) await g.item.put({ id, price: '0.1', stock })
  for (const id of ['b', 'c', 'd']) await g.part.put({ of: 'a', item: id, price: '0.1', factor: 2 })
  const parts = g.item.from('a').hop(g.part.by.of)
  expect(await parts.aggregate({ of: 'price' })).toEqual([
    { group: undefined, count: 3, sum: '0.3', min: '0.1', max: '0.1', avg: 0.1 },
  ])
  const [{ sum, min, max } = { sum: 0n, min: 0n, max: 0n }] = await parts.aggregate({ of: 'stock' })
  expect([sum, min, max]).toEqual([3n * stock, stock, stock])
  expect(await parts.aggregate({ over: 'edges', of: 'price' })).toMatchObject([{ sum: '0.3' }])
  const [root] = await parts.subtree({ sum: ['price', 'stock'] })
  expect(root?.sum).toEqual({ price: '0.4', stock: 4n * stock })
  expect((await g.item.from('a').hop(g.part.by.of).hop(g.part.by.item).rank({ weight: 'price' }))[0]?.score).toBe(0.3)
})

test('an aggregate over nodes counts those that exist, with or without groups', async () => {
  const g = await openedSite(['a b', 'a ghost'])
  await g.page.put({ id: 'b' })
  const all = g.page.from('a').hop(g.link.by.from)
  expect(await all.aggregate()).toMatchObject([{ count: 1 }])
  expect(await all.aggregate({ by: 'id' })).toMatchObject([{ group: 'b', count: 1 }])
  expect(await all.aggregate({ over: 'edges' })).toMatchObject([{ count: 2 }])
  expect(await all.count()).toBe(2)
})

test('the first row of three hops comes before the second wave ends', async () => {
  const ids = Array.from({ length: 40 }, (_, i) => i)
  let lists = 0
  const listener: TraceListener = ({ name }) => {
    if (name === 'query') lists++
  }
  const g = await open(site, memory(), { listener })
  const links = ids.flatMap(i => [`a b${i}`, `b${i} c${i}`, `c${i} d${i}`]).map(text => text.split(' '))
  await g.$batch(links.map(([from = '', to = '']) => g.link.put({ from, to, weight: 1 })))
  await g.$batch(ids.map(i => g.page.put({ id: `d${i}` })))
  const seen: string[] = []
  let first = 0
  const three = g.page.from('a').hop(g.link.by.from).hop(g.link.by.from).hop(g.link.by.from)
  for await (const { id } of three) {
    first ||= lists
    seen.push(id)
  }
  expect(first).toBe(1 + 8 + 8)
  expect(lists).toBe(1 + 40 + 40)
  expect(seen.toSorted()).toEqual(ids.map(i => `d${i}`).toSorted())
})
