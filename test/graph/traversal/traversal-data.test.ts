import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { bigint, boolean, date, edge, graph, integer, list, node, open, string } from '../../../src/index.js'

const page = node('page', { id: bigint(), name: string(), rank: integer(), tags: list(string()) }, { id: 'id' })
const link = edge(
  'link',
  { from: page, to: page },
  { at: date(), note: string(), isDead: boolean() },
  { by: { from: { order: ['at'] } } },
)
const site = graph('site', [page, link])

async function openedSite() {
  const g = await open(site, memory())
  for (const id of [1n, 2n, 3n, 4n]) await g.page.put({ id, name: `p${id}`, rank: Number(id), tags: ['x'] })
  for (const [from, to, ms] of [
    [1n, 2n, 10],
    [2n, 3n, 20],
    [3n, 4n, 30],
    [1n, 4n, 5],
  ] as const)
    await g.link.put({ from, to, at: new Date(ms), note: 'n', isDead: false })
  return g
}

test('a traversal that went through JSON runs, is priced and continues like the original', async () => {
  const g = await openedSite()
  const from = g.page.from(1n)
  const all = [
    from.hop(g.link.by.from, links =>
      links
        .where({ at: { from: new Date(6) } })
        .reverse()
        .limit(3),
    ),
    from.repeat(g.link.by.from, {
      depth: 3,
      minDepth: 0,
      edges: links => links.filter(each => each.note.is('n').and(each.isDead.is(false))),
      nodes: each => each.rank.below(4).or(each.tags.size().above(9)),
      until: each => each.name.in('p3', 'p9'),
    }),
    from.hop(g.link.by.from).existing().except('start').limit(1),
  ]
  for (const traversal of all) {
    const data: unknown = JSON.parse(JSON.stringify(traversal.data()))
    const restored = g.$traversal(data)
    expect(restored.data()).toEqual(traversal.data())
    expect(await restored.ids()).toEqual(await traversal.ids())
    expect(restored.ids().explain().waves).toEqual(traversal.ids().explain().waves)
    const part = await traversal.budget({ requests: 1, onBudget: 'partial' }).ids()
    const rest = await restored.resume(part.cursor).ids()
    expect(rest.value).toEqual(await traversal.ids())
    expect(await restored.hop(g.link.by.from as never).ids()).toEqual(await traversal.hop(g.link.by.from).ids())
  }
})

test('data that is not a traversal of the graph is refused', async () => {
  const g = await openedSite()
  const data = g.page
    .from(1n)
    .repeat(g.link.by.from, { depth: 2, nodes: each => each.rank.above(0) })
    .data()
  const [step] = data.steps
  const refused: unknown[] = [
    undefined,
    'x',
    [],
    {},
    { ...data, type: 'nope' },
    { ...data, type: 'link' },
    { ...data, start: [] },
    { ...data, start: [{ id: 'text' }] },
    { ...data, steps: 'x' },
    { ...data, steps: [{ kind: 'jump' }] },
    { ...data, steps: [{ kind: 'limit', nodes: -1 }] },
    { ...data, steps: [{ kind: 'except', nodes: 'all' }] },
    { ...data, steps: [{ ...step, maxDepth: 0 }] },
    { ...data, steps: [{ ...step, visits: 'often' }] },
    { ...data, steps: [{ ...step, hop: { type: 'link', path: 'nope', read: {} } }] },
    { ...data, steps: [{ ...step, hop: { type: 'link', path: 'from', read: { limit: 0.5 } } }] },
    { ...data, steps: [{ ...step, hop: { type: 'link', path: 'from', read: { where: { nope: 1 } } } }] },
    { ...data, steps: [{ ...step, hop: { type: 'link', path: 'from', read: { filter: { expression: 3 } } } }] },
    { ...data, steps: [{ ...step, check: { test: { test: '=', operand: { attribute: 'nope', at: [] } } } }] },
    { ...data, steps: [{ ...step, check: { test: { test: 'like' } } }] },
    { ...data, steps: [{ ...step, until: { test: '=', operand: { attribute: 'rank', at: [] }, value: { N: 'x' } } }] },
  ]
  for (const each of refused) expect(() => g.$traversal(each), JSON.stringify(each)).toThrow(/./)
  for (const each of refused) expect(() => g.$traversal(each)).not.toThrow(TypeError)
})

test('conditions that DynamoDB refuses as a filter are refused on nodes too', async () => {
  const g = await openedSite()
  const from = g.page.from(1n).hop(g.link.by.from)
  const filter = (condition: (each: never) => unknown) => () => from.filter(condition as never)
  type Subjects = Record<string, Record<string, (...operands: unknown[]) => unknown>>
  for (const condition of [
    (each: Subjects) => each.rank!.size!(),
    (each: Subjects) => each.rank!.startsWith!('1'),
    (each: Subjects) => each.rank!.contains!(1),
    (each: Subjects) => each.rank!.in!(),
    (each: Subjects) => each.rank!.between!(3, 1),
    (each: Subjects) => each.tags!.above!(['x']),
    (each: Subjects) => each.tags!.between!(['x'], ['y']),
  ]) {
    expect(filter(condition as never)).toThrow(/number|no values|range|no order/)
    expect(() => g.page.scan().filter(condition as never)).toThrow(/number|no values|range|no order/)
  }
})
