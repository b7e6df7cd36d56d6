import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { MultiDirectedGraph, UndirectedGraph } from 'graphology'
import { connectedComponents } from 'graphology-components'
import pagerankModule from 'graphology-metrics/centrality/pagerank.js'
import { describe, expect, it } from 'vitest'
import { componentsProgram } from '../../src/batch/algorithms/components.js'
import { degreeProgram } from '../../src/batch/algorithms/degree.js'
import { distancesProgram } from '../../src/batch/algorithms/distances.js'
import type { ProgramContext } from '../../src/batch/algorithms/graph-tables.js'
import { hopsProgram } from '../../src/batch/algorithms/hops.js'
import { labelProgram } from '../../src/batch/algorithms/label-propagation.js'
import { pageRankProgram } from '../../src/batch/algorithms/page-rank.js'
import type { SqlProgram } from '../../src/batch/algorithms/program.js'
import { recommendationProgram } from '../../src/batch/algorithms/recommendations.js'
import { runSteps } from '../../src/batch/algorithms/run-program.js'
import { subtreeProgram } from '../../src/batch/algorithms/subtree.js'
import { trianglesProgram } from '../../src/batch/algorithms/triangles.js'
import { openBatch } from '../../src/batch/index.js'
import type { BatchData } from '../../src/batch/open-batch.js'
import { edge, graph, integer, node, string } from '../../src/index.js'
import { runs } from '../graph/model/suite.js'

/** A CommonJS module, whose types say that its default export is in a member of that name. */
const pagerank = pagerankModule as unknown as typeof pagerankModule.default

const user = node('user', { id: string(), size: integer().optional() }, { id: 'id' })
const follow = edge('follow', { a: user, b: user }, { no: integer(), weight: integer() }, { key: ['no'] })
const social = graph('social', [user, follow])

/** The ends of a link and its weight. */
type Link = readonly [from: number, to: number, weight: number]

interface Sample {
  readonly nodes: number
  readonly links: readonly Link[]
}

const anySample: fc.Arbitrary<Sample> = fc.integer({ min: 1, max: 14 }).chain(nodes => {
  const end = fc.nat({ max: nodes - 1 })
  const link = fc.tuple(end, end, fc.integer({ min: 1, max: 5 }))
  return fc.record({ nodes: fc.constant(nodes), links: fc.array(link, { maxLength: 40, size: 'max' }) })
})

const idOf = (at: number) => `u${String(at).padStart(3, '0')}`

/** Works on the views of a graph that was dumped as rows. */
async function withSample<T>({ nodes, links }: Sample, work: (data: BatchData) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'edgewise-algorithms-'))
  const lines = (rows: readonly object[]) => rows.map(row => `${JSON.stringify(row)}\n`).join('')
  const users = Array.from({ length: nodes }, (_, at) => ({ id: idOf(at), size: at + 1 }))
  const follows = links.map(([a, b, weight], no) => ({ a: idOf(a), b: idOf(b), no, weight }))
  writeFileSync(join(folder, 'user.jsonl'), lines(users))
  writeFileSync(join(folder, 'follow.jsonl'), lines(follows))
  const data = await openBatch(social, { from: folder, threads: 1 })
  try {
    return await work(data)
  } finally {
    data.close()
    rmSync(folder, { recursive: true })
  }
}

/** The values of each node by its number. */
async function valuesOf(
  data: BatchData,
  program: (context: ProgramContext) => SqlProgram,
): Promise<Readonly<Record<string, unknown>>[]> {
  const { layout, dialect, views } = data
  const { steps, result } = program({ layout, dialect, views, momentMs: data.moment.getTime() })
  await runSteps(data.database, steps)
  const rows = await data.rows(`SELECT * FROM (${result}) ORDER BY pk`)
  return rows.map(({ pk: _, sk: _sk, type: _type, ...values }) => values)
}

const forAny = (holds: (sample: Sample, data: BatchData) => Promise<void>) =>
  fc.assert(
    fc.asyncProperty(anySample, sample => withSample(sample, data => holds(sample, data))),
    { numRuns: runs(25) },
  )

const FOLLOWS = { edge: 'follow' } as const
const numbers = ({ nodes }: Sample) => Array.from({ length: nodes }, (_, at) => at)

/** Neighbors by both directions, without loops. */
function neighbors(sample: Sample, directed = false): Set<number>[] {
  const near = numbers(sample).map(() => new Set<number>())
  for (const [a, b] of sample.links) {
    if (a === b) continue
    near[a]!.add(b)
    if (!directed) near[b]!.add(a)
  }
  return near
}

describe('on any graph', () => {
  it('degrees and weighted sums equal those of its links', () =>
    forAny(async (sample, data) => {
      const found = await valuesOf(data, context => degreeProgram(context, { ...FOLLOWS, from: 'b', weight: 'weight' }))
      expect(found).toEqual(
        numbers(sample).map(at => {
          const own = sample.links.filter(([, b]) => b === at)
          return { degree: own.length, total: own.reduce((sum, [, , weight]) => sum + weight, 0) }
        }),
      )
    }))

  it('PageRank equals that of graphology', () =>
    forAny(async (sample, data) => {
      const options = { ...FOLLOWS, weight: 'weight', iterations: 500, tolerance: 1e-14 }
      const found = await valuesOf(data, context => pageRankProgram(context, options))
      const other = new MultiDirectedGraph()
      for (const at of numbers(sample)) other.addNode(at)
      for (const [a, b, weight] of sample.links) other.addEdge(a, b, { weight })
      const ranks = pagerank(other, { maxIterations: 1_000, tolerance: 1e-15, getEdgeWeight: 'weight' })
      for (const at of numbers(sample)) expect(found[at]!.rank).toBeCloseTo(ranks[at]!, 9)
      expect(found.reduce((sum, { rank }) => sum + (rank as number), 0)).toBeCloseTo(1, 9)
    }))

  it('connected components equal those of graphology', () =>
    forAny(async (sample, data) => {
      const found = await valuesOf(data, context => componentsProgram(context, FOLLOWS))
      const other = new UndirectedGraph()
      for (const at of numbers(sample)) other.addNode(at)
      for (const [a, b] of sample.links) other.mergeEdge(a, b)
      for (const component of connectedComponents(other)) {
        const [first] = component.map(Number).sort((one, two) => one - two)
        for (const at of component)
          expect(found[Number(at)]).toEqual({ component: idOf(first!), size: component.length })
      }
    }))

  it('triangles and clustering equal those that are counted by pairs of neighbors', () =>
    forAny(async (sample, data) => {
      const near = neighbors(sample)
      const expected = near.map(own => {
        const pairs = [...own].flatMap(one => [...own].filter(two => one < two && near[one]!.has(two)))
        const all = (own.size * (own.size - 1)) / 2
        return { triangles: pairs.length, clustering: all === 0 ? 0 : pairs.length / all }
      })
      const found = await valuesOf(data, context => trianglesProgram(context, FOLLOWS))
      for (const at of numbers(sample)) {
        expect(found[at]!.triangles).toBe(expected[at]!.triangles)
        expect(found[at]!.clustering).toBeCloseTo(expected[at]!.clustering, 9)
      }
    }))

  it('label propagation equals one in a loop', () =>
    forAny(async (sample, data) => {
      const found = await valuesOf(data, context => labelProgram(context, { ...FOLLOWS, weight: 'weight' }))
      let labels = numbers(sample)
      for (let round = 0; round < 10; round++) labels = propagated(sample, labels)
      expect(found).toEqual(labels.map(label => ({ community: idOf(label) })))
    }))

  it.each([true, false])('recommendations are the best by common neighbors (directed: %s)', directed =>
    forAny(async (sample, data) => {
      const near = neighbors(sample, directed)
      const expected = near.map((own, at) => {
        const scores = new Map<number, number>()
        for (const one of own)
          for (const two of near[one]!) if (two !== at && !own.has(two)) scores.set(two, (scores.get(two) ?? 0) + 1)
        const best = [...scores].sort(([a, x], [b, y]) => y - x || a - b).slice(0, 3)
        return { recommended: best.map(([id]) => idOf(id)), common: best[0]?.[1] ?? 0 }
      })
      const options = { ...FOLLOWS, top: 3, directed }
      expect(await valuesOf(data, context => recommendationProgram(context, options))).toEqual(expected)
    }),
  )

  it.each([true, false])('nodes within hops equal those of a search (directed: %s)', directed =>
    forAny(async (sample, data) => {
      const near = neighbors(sample, directed)
      const expected = numbers(sample).map(at => {
        let reached = new Set([at])
        for (let hop = 0; hop < 3; hop++) reached = new Set([...reached].flatMap(each => [each, ...near[each]!]))
        return { reached: reached.size - 1 }
      })
      expect(await valuesOf(data, context => hopsProgram(context, { ...FOLLOWS, hops: 3, directed }))).toEqual(expected)
    }),
  )

  it.each([true, false])('distances equal those of relaxation (directed: %s)', directed =>
    forAny(async (sample, data) => {
      const distance = numbers(sample).map(at => (at === 0 ? 0 : Number.POSITIVE_INFINITY))
      for (const _ of numbers(sample))
        for (const [a, b, weight] of sample.links) {
          distance[b] = Math.min(distance[b]!, distance[a]! + weight)
          if (!directed) distance[a] = Math.min(distance[a]!, distance[b]! + weight)
        }
      const options = { ...FOLLOWS, weight: 'weight', sources: [idOf(0)], directed }
      expect(await valuesOf(data, context => distancesProgram(context, options))).toEqual(
        distance.map(each => ({ distance: Number.isFinite(each) ? each : null })),
      )
    }),
  )

  it('sums over subtrees equal those of recursion', async () => {
    const anyTree = fc.array(fc.nat(), { minLength: 1, maxLength: 20, size: 'max' }).map(
      (draws): Sample => ({
        nodes: draws.length + 1,
        links: draws.map((draw, at): Link => [draw % (at + 1), at + 1, 1]),
      }),
    )
    const holds = (sample: Sample) =>
      withSample(sample, async data => {
        const sum = (at: number): number =>
          sample.links.filter(([parent]) => parent === at).reduce((total, [, child]) => total + sum(child), at + 1)
        const found = await valuesOf(data, context => subtreeProgram(context, { ...FOLLOWS, parent: 'a', of: 'size' }))
        expect(found).toEqual(numbers(sample).map(at => ({ total: sum(at) })))
      })
    await fc.assert(fc.asyncProperty(anyTree, holds), { numRuns: runs(15) })
  })
})

it('a chain of 300 nodes is one component, and its distances are found', async () => {
  const links = Array.from({ length: 299 }, (_, at): Link => [at, at + 1, 2])
  await withSample({ nodes: 300, links }, async data => {
    const components = await valuesOf(data, context => componentsProgram(context, FOLLOWS))
    expect(new Set(components.map(({ component }) => component))).toEqual(new Set([idOf(0)]))
    const options = { ...FOLLOWS, weight: 'weight', sources: [idOf(0)] }
    expect((await valuesOf(data, context => distancesProgram(context, options)))[299]).toEqual({ distance: 598 })
  })
}, 240_000)

function propagated(sample: Sample, labels: readonly number[]): number[] {
  return labels.map((own, at) => {
    const votes = new Map<number, number>()
    for (const [a, b, weight] of sample.links) {
      if (a === b) continue
      const other = a === at ? b : b === at ? a : undefined
      if (other !== undefined) votes.set(labels[other]!, (votes.get(labels[other]!) ?? 0) + weight)
    }
    const best = [...votes].sort(([a, x], [b, y]) => y - x || a - b)[0]
    return best ? best[0] : own
  })
}
