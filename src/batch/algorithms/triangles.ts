import { graphTables, type LinkOptions, PAIRS, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/**
 * The number of triangles of each vertex as `triangles`, and as `clustering` the share of the pairs of its neighbors that
 * are linked. Directions and repeated links are ignored.
 */
export function trianglesProgram(context: ProgramContext, options: Pick<LinkOptions, 'edge'>): SqlProgram {
  const corners = ['x', 'y', 'z'].map(corner => `SELECT ${corner} AS v FROM found`).join(' UNION ALL ')
  return {
    steps: [
      ...graphTables(context, options),
      PAIRS,
      create('degrees', 'SELECT a AS v, count(*) AS degree FROM pairs GROUP BY a'),
      // From the vertex with fewer neighbors to the one with more, so that hubs have few outgoing links.
      create(
        'outgoing',
        `SELECT a, b FROM pairs JOIN degrees AS one ON one.v = a JOIN degrees AS other ON other.v = b
          WHERE one.degree < other.degree OR (one.degree = other.degree AND a < b)`,
      ),
      create(
        'found',
        `SELECT one.a AS x, one.b AS y, two.b AS z FROM outgoing AS one
          JOIN outgoing AS two ON two.a = one.b JOIN outgoing AS three ON three.a = one.a AND three.b = two.b`,
      ),
      create('counts', `SELECT v, count(*) AS triangles FROM (${corners}) GROUP BY v`),
    ],
    result: vertexValues(
      `SELECT degrees.v, coalesce(counts.triangles, 0) AS triangles,
          CASE WHEN degrees.degree > 1
            THEN 2e0 * coalesce(counts.triangles, 0) / (CAST(degrees.degree AS DOUBLE) * (degrees.degree - 1)) ELSE 0 END AS clustering
        FROM degrees LEFT JOIN counts ON counts.v = degrees.v`,
      { triangles: '0', clustering: '0' },
    ),
  }
}
