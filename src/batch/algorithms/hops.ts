import { graphTables, type LinkOptions, PAIRS, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** How far is counted. */
export interface HopOptions extends Pick<LinkOptions, 'edge' | 'from'> {
  /** The number of hops. */
  readonly hops: number
  /** Follows links from their beginning to their end only; by default both ways. */
  readonly directed?: boolean | undefined
}

/** The number of other vertices within so many hops of each vertex as `reached`. */
export function hopsProgram(context: ProgramContext, options: HopOptions): SqlProgram {
  const { hops, directed = false } = options
  const near = directed ? 'SELECT DISTINCT src AS a, dst AS b FROM links WHERE src <> dst' : 'SELECT a, b FROM pairs'
  return {
    steps: [
      ...graphTables(context, options),
      PAIRS,
      create('near', near),
      create('reached', 'SELECT a, b FROM near'),
      create('edge_of_reached', 'SELECT a, b FROM near'),
      {
        repeat: [
          create(
            'edge_of_reached',
            `SELECT DISTINCT one.a, near.b FROM edge_of_reached AS one JOIN near ON near.a = one.b
              WHERE near.b <> one.a
              AND NOT EXISTS (SELECT 1 FROM reached WHERE reached.a = one.a AND reached.b = near.b)`,
          ),
          create('reached', 'SELECT a, b FROM reached UNION ALL SELECT a, b FROM edge_of_reached'),
        ],
        times: hops - 1,
        until: 'SELECT count(*) = 0 FROM edge_of_reached',
      },
    ],
    result: vertexValues('SELECT a AS v, count(*) AS reached FROM reached GROUP BY a', { reached: '0' }),
  }
}
