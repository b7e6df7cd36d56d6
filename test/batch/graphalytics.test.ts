import { describe, expect, it } from 'vitest'
import { componentsProgram } from '../../src/batch/algorithms/components.js'
import { distancesProgram } from '../../src/batch/algorithms/distances.js'
import type { ProgramContext } from '../../src/batch/algorithms/graph-tables.js'
import { labelProgram } from '../../src/batch/algorithms/label-propagation.js'
import { pageRankProgram } from '../../src/batch/algorithms/page-rank.js'
import type { SqlProgram } from '../../src/batch/algorithms/program.js'
import { trianglesProgram } from '../../src/batch/algorithms/triangles.js'
import { columnsOf, type NumberedGraph, withGraph } from './run-program.js'

/** The two example graphs of LDBC Graphalytics with the outputs that it published for them, of two iterations. */
const EXAMPLES = [
  {
    directed: true,
    source: 1,
    edges: `1 3 0.5, 1 5 0.3, 2 4 0.1, 2 5 0.3, 2 10 0.12, 3 1 0.53, 3 5 0.62, 3 8 0.21, 3 10 0.52, 5 3 0.69, 5 4 0.53,
      5 8 0.1, 6 3 0.23, 6 4 0.39, 7 4 0.83, 8 1 0.39, 9 4 0.69`,
    BFS: '1 0, 3 1, 4 2, 5 1, 8 2, 10 2',
    SSSP: '1 0, 3 0.5, 4 0.83, 5 0.3, 8 0.4, 10 1.02',
    CDLP: '1 1, 2 2, 3 3, 4 4, 5 1, 6 1, 7 2, 8 3, 9 2, 10 1',
    WCC: '1 1, 2 1, 3 1, 4 1, 5 1, 6 1, 7 1, 8 1, 9 1, 10 1',
    LCC: `1 0.6666666666666666, 2 0.1666666666666667, 3 0.15, 4 0.05, 5 0.25, 6 0, 7 0, 8 0.8333333333333334, 9 0, 10 0`,
    PR: `1 0.1477629166666667, 2 0.04753375, 3 0.1550469444444444, 4 0.1597573611111111, 5 0.14624, 6 0.04753375,
      7 0.04753375, 8 0.1135740277777778, 9 0.04753375, 10 0.08748375`,
  },
  {
    directed: false,
    source: 2,
    edges: `2 3 0.9, 2 4 0.69, 3 4 0.13, 3 5 0.5, 3 8 0.32, 5 6 0.63, 5 8 0.12, 6 7 0.53, 6 8 0.64, 6 9 0.23, 6 10 0.63,
      7 9 0.36`,
    BFS: '2 0, 3 1, 4 1, 5 2, 6 3, 7 4, 8 2, 9 4, 10 4',
    SSSP: '2 0, 3 0.82, 4 0.69, 5 1.26, 6 1.78, 7 2.31, 8 1.14, 9 2.01, 10 2.41',
    CDLP: '2 2, 3 3, 4 2, 5 2, 6 6, 7 5, 8 2, 9 5, 10 5',
    WCC: '2 2, 3 2, 4 2, 5 2, 6 2, 7 2, 8 2, 9 2, 10 2',
    LCC: '2 1, 3 0.3333333333333333, 4 1, 5 0.6666666666666666, 6 0.2, 7 1, 8 0.6666666666666666, 9 1, 10 0',
    PR: `2 0.09084490740740739, 3 0.1424089506172839, 4 0.09084490740740739, 5 0.1249891975308642, 6 0.1686172839506173,
      7 0.09749537037037037, 8 0.1249891975308642, 9 0.09749537037037037, 10 0.06231481481481481`,
  },
] as const

/** The numbers of a text: one list per element. */
const numbersOf = (text: string) => text.split(',').map(part => part.trim().split(' ').map(Number))

function graphOf({ directed, edges }: (typeof EXAMPLES)[number]): NumberedGraph {
  const read = numbersOf(edges) as [number, number, number][]
  const vertices = [...new Set(read.flatMap(ends => ends.slice(0, 2)))]
  return { directed, edges: read, vertices }
}

type Example = (typeof EXAMPLES)[number]

const LINKS = { edge: 'link' } as const
const ALGORITHMS: readonly (readonly [
  name: 'BFS' | 'SSSP' | 'CDLP' | 'WCC' | 'LCC' | 'PR',
  column: string,
  program: (context: ProgramContext, example: Example) => SqlProgram,
])[] = [
  [
    'BFS',
    'distance',
    (context, { source }) => distancesProgram(context, { ...LINKS, sources: [source], directed: true }),
  ],
  [
    'SSSP',
    'distance',
    (context, { source }) =>
      distancesProgram(context, { ...LINKS, sources: [source], directed: true, weight: 'weight' }),
  ],
  ['CDLP', 'community', context => labelProgram(context, { ...LINKS, iterations: 2 })],
  ['WCC', 'component', context => componentsProgram(context, LINKS)],
  ['LCC', 'clustering', context => trianglesProgram(context, { ...LINKS, directed: true })],
  ['PR', 'rank', context => pageRankProgram(context, { ...LINKS, iterations: 2, tolerance: 0 })],
]

describe.each(EXAMPLES.map(example => [example.directed ? 'directed' : 'undirected', example] as const))(
  'on the %s example graph of LDBC Graphalytics',
  (_, example) => {
    it.each(ALGORITHMS)('%s has the published output', (name, column, program) =>
      withGraph(graphOf(example), async data => {
        const rows = await columnsOf(data, context => program(context, example))
        const expected = new Map(numbersOf(example[name]) as [number, number][])
        for (const [vertex, row] of rows) {
          const value = row[column] === null ? undefined : Number(row[column])
          if (value === undefined || !expected.has(vertex)) expect([vertex, value]).toEqual([vertex, undefined])
          else expect(value).toBeCloseTo(expected.get(vertex)!, 12)
        }
        expect(rows.size).toBe(graphOf(example).vertices.length)
      }),
    )
  },
)
