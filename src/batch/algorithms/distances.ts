import { graphTables, type LinkOptions, type ProgramContext, vertexValues } from './graph-tables.js'
import { assertTrue, create, type SqlProgram } from './program.js'
import { sourceSteps } from './source-vertices.js'

/** An id as calls take it: one value, or an object with the parts of the id. */
export type SourceId = string | number | Readonly<Record<string, unknown>>

/** From where distances are measured. */
export interface DistanceOptions extends LinkOptions {
  /**
   * The ids of the nodes that have distance 0, such as `'ann'` or `{ name: 'Big', year: 1988 }`. In a graph with tenants,
   * an id is that of a node of each tenant, unless it is an object with `tenant`.
   */
  readonly sources: readonly SourceId[]
  /** Follows links from their beginning to their end only; by default both ways. */
  readonly directed?: boolean | undefined
}

/** Without negative weights, the rounds end after as many as the longest of the shortest paths has links. */
const ROUNDS = 100_000

const assertWeights = ({ edge, weight }: DistanceOptions) =>
  assertTrue(
    'SELECT count(*) = 0 FROM links WHERE weight < 0',
    `job: distances(): '${weight}' of '${[edge].flat().join(', ')}' is negative in some edges; use weights from 0.`,
  )

/** The shortest distance of each vertex to the nearest source as `distance`; absent for a vertex that no source reaches. */
export function distancesProgram(context: ProgramContext, options: DistanceOptions): SqlProgram {
  const { sources, directed = false } = options
  const both = directed ? '' : 'UNION ALL SELECT dst, src, weight FROM links'
  return {
    steps: [
      ...graphTables(context, options),
      ...(options.weight === undefined ? [] : [assertWeights(options)]),
      ...sourceSteps(context, options.edge, sources),
      create(
        'near',
        `SELECT a, b, min(weight) AS weight FROM (SELECT src AS a, dst AS b, weight FROM links ${both}) GROUP BY a, b`,
      ),
      create('distances', 'SELECT v, CAST(0 AS DOUBLE) AS distance FROM sources'),
      create('changed', 'SELECT v, distance FROM distances'),
      {
        repeat: [
          create(
            'changed',
            `SELECT near.b AS v, min(changed.distance + near.weight) AS distance FROM changed
              JOIN near ON near.a = changed.v LEFT JOIN distances ON distances.v = near.b
              GROUP BY near.b HAVING min(changed.distance + near.weight) < coalesce(min(distances.distance), 1e308)`,
          ),
          create(
            'distances',
            'SELECT v, min(distance) AS distance FROM (SELECT v, distance FROM distances UNION ALL SELECT v, distance FROM changed) GROUP BY v',
          ),
        ],
        times: ROUNDS,
        until: 'SELECT count(*) = 0 FROM changed',
        unfinished: `job: distances(): a path has more than ${ROUNDS} links; compute them in a program of your own.`,
      },
    ],
    result: vertexValues('SELECT v, distance FROM distances', { distance: undefined }),
  }
}
