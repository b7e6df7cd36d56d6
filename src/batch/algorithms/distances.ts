import { sqlText } from '../sql-text.js'
import { graphTables, type LinkOptions, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** From where distances are measured. */
export interface DistanceOptions extends LinkOptions {
  /** The ids of the nodes that have distance 0. */
  readonly sources: readonly (string | number)[]
  /** Follows links from their beginning to their end only; by default both ways. */
  readonly directed?: boolean | undefined
}

const ROUNDS = 100_000

/** The shortest distance of each vertex to the nearest source as `distance`; absent for a vertex that no source reaches. */
export function distancesProgram(context: ProgramContext, options: DistanceOptions): SqlProgram {
  const { sources, directed = false } = options
  const ids = sources.map(id => sqlText(String(id))).join(', ')
  const both = directed ? '' : 'UNION ALL SELECT dst, src, weight FROM links'
  return {
    steps: [
      ...graphTables(context, options),
      create(
        'near',
        `SELECT a, b, min(weight) AS weight FROM (SELECT src AS a, dst AS b, weight FROM links ${both}) GROUP BY a, b`,
      ),
      create('distances', `SELECT v, CAST(0 AS DOUBLE) AS distance FROM vertices WHERE id IN (${ids || "''"})`),
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
        unfinished: 'job: distances get shorter without end; remove negative weights.',
      },
    ],
    result: vertexValues('SELECT v, distance FROM distances', { distance: undefined }),
  }
}
