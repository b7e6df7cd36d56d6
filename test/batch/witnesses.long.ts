import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
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
import { trianglesProgram } from '../../src/batch/algorithms/triangles.js'
import { Random } from '../derive/simulator/random.js'
import { columnsOf, type NumberedGraph, withGraph } from './run-program.js'

type Witnessed = Readonly<Record<string, readonly unknown[]>>

/** What igraph and networkx compute for a graph. */
function witness({ vertices, edges, directed }: NumberedGraph): Witnessed {
  const path = process.env.WITNESS_PYTHON
  if (path === undefined)
    throw new Error('WITNESS_PYTHON must name a folder made by: pip install --target <folder> python-igraph networkx')
  const output = execFileSync('python3', [join(import.meta.dirname, 'witness.py')], {
    input: JSON.stringify({ nodes: vertices.length, edges, directed }),
    env: { ...process.env, PYTHONPATH: path },
    maxBuffer: 1024 ** 3,
  })
  return JSON.parse(output.toString()) as Witnessed
}

const LINKS = { edge: 'link' } as const
const PROGRAMS: Readonly<
  Record<string, readonly [columns: Readonly<Record<string, string>>, program: (context: ProgramContext) => SqlProgram]>
> = {
  PageRank: [
    { rank: 'rank' },
    context => pageRankProgram(context, { ...LINKS, weight: 'weight', iterations: 500, tolerance: 1e-13 }),
  ],
  'connected components': [{ component: 'component', size: 'size' }, context => componentsProgram(context, LINKS)],
  'triangles and clustering': [
    { triangles: 'triangles', clustering: 'clustering' },
    context => trianglesProgram(context, LINKS),
  ],
  'distances both ways': [
    { distance: 'near' },
    context => distancesProgram(context, { ...LINKS, weight: 'weight', sources: [0] }),
  ],
  'distances along links': [
    { distance: 'along' },
    context => distancesProgram(context, { ...LINKS, weight: 'weight', sources: [0], directed: true }),
  ],
  'hop counts both ways': [{ reached: 'hops' }, context => hopsProgram(context, { ...LINKS, hops: 2 })],
  'hop counts along links': [
    { reached: 'forward' },
    context => hopsProgram(context, { ...LINKS, hops: 2, directed: true }),
  ],
  'label propagation': [
    { community: 'community' },
    context => labelProgram(context, { ...LINKS, weight: 'weight', iterations: 5 }),
  ],
  recommendations: [{ both: 'common' }, context => recommendationProgram(context, { ...LINKS, top: 3 })],
  'degrees and weighted sums': [
    { degree: 'degree', total: 'total' },
    context => degreeProgram(context, { ...LINKS, weight: 'weight' }),
  ],
}

/** A random graph with loops, repeated links, vertices without outgoing links, and isolated ones. */
function randomGraph(seed: number, nodes: number, links: number, directed: boolean): NumberedGraph {
  const random = new Random(seed)
  const linked = Math.max(1, Math.floor(nodes * 0.9))
  const vertices = Array.from({ length: nodes }, (_, id) => id)
  // The product of two draws favors small numbers, so that some vertices are hubs.
  const end = () => Math.floor(random.next() * random.next() * linked)
  // Weights are sums of powers of two, so that sums in any order are equal.
  const edges = Array.from({ length: links }, () => [end(), end(), (1 + random.below(20)) / 4] as const)
  return { directed, vertices, edges }
}

async function compare(numbered: NumberedGraph, expected: Witnessed, programs: readonly string[]): Promise<void> {
  await withGraph(numbered, async data => {
    for (const name of programs) {
      const [columns, program] = PROGRAMS[name]!
      const rows = await columnsOf(data, program)
      expect(rows.size).toBe(numbered.vertices.length)
      for (const [vertex, row] of rows)
        for (const [column, source] of Object.entries(columns)) {
          const [found, value] = [cellOf(row, column), expected[source]![vertex]]
          const isClose = typeof found === 'number' && Math.abs(found - (value as number)) <= 1e-9
          if (!isClose) expect([name, vertex, found]).toEqual([name, vertex, value])
        }
    }
  })
}

function cellOf(row: Readonly<Record<string, unknown>>, column: string): unknown {
  if (column === 'both') return [(row.recommended as string[]).map(Number), Number(row.common)]
  return row[column] === null ? null : Number(row[column])
}

const ALL = Object.keys(PROGRAMS)

describe.each([true, false])('with directed links: %s', directed => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('all built-ins equal igraph and networkx on a random graph, seed %i', seed => {
    const small = randomGraph(seed, 5 + seed * 12, 4 + seed * 40, directed)
    return compare(small, witness(small), ALL)
  })

  it('all built-ins equal igraph and networkx on 100,000 edges', () => {
    const large = randomGraph(99, 40_000, 100_000, directed)
    return compare(large, witness(large), ALL)
  })
})
