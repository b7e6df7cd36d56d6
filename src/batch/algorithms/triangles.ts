import { graphTables, type LinkOptions, PAIRS, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** How clustering is computed. */
export interface TriangleOptions extends Pick<LinkOptions, 'edge'> {
  /** Counts a link between two neighbors as half of what is possible, unless both are linked to each other. */
  readonly directed?: boolean | undefined
}

/** Each corner of a triangle, and how many of the two directions the opposite side has. */
const CORNERS = [
  ['x', 'yz'],
  ['y', 'xz'],
  ['z', 'xy'],
]

/**
 * The number of triangles of each vertex as `triangles`, and as `clustering` the share of the pairs of its neighbors that
 * are linked. Repeated links are ignored, and by default directions too.
 */
export function trianglesProgram(context: ProgramContext, options: TriangleOptions): SqlProgram {
  const corners = CORNERS.map(([corner, side]) => `SELECT ${corner} AS v, ${side} AS ways FROM found`)
  const ways = options.directed ? 'count(*)' : '2'
  return {
    steps: [
      ...graphTables(context, options),
      PAIRS,
      create(
        'sides',
        `SELECT a, b, ${ways} AS ways FROM
          (SELECT DISTINCT src, least(src, dst) AS a, greatest(src, dst) AS b FROM links WHERE src <> dst) GROUP BY a, b`,
      ),
      create('degrees', 'SELECT a AS v, count(*) AS degree FROM pairs GROUP BY a'),
      // From the vertex with fewer neighbors to the one with more, so that hubs have few outgoing links.
      create(
        'outgoing',
        `SELECT pairs.a, pairs.b, sides.ways FROM pairs
          JOIN degrees AS one ON one.v = pairs.a JOIN degrees AS other ON other.v = pairs.b
          JOIN sides ON sides.a = least(pairs.a, pairs.b) AND sides.b = greatest(pairs.a, pairs.b)
          WHERE one.degree < other.degree OR (one.degree = other.degree AND pairs.a < pairs.b)`,
      ),
      create(
        'found',
        `SELECT one.a AS x, one.b AS y, two.b AS z, one.ways AS xy, two.ways AS yz, three.ways AS xz FROM outgoing AS one
          JOIN outgoing AS two ON two.a = one.b JOIN outgoing AS three ON three.a = one.a AND three.b = two.b`,
      ),
      create(
        'counts',
        `SELECT v, count(*) AS triangles, sum(ways) AS ways FROM (${corners.join(' UNION ALL ')}) GROUP BY v`,
      ),
    ],
    result: vertexValues(
      `SELECT degrees.v, coalesce(counts.triangles, 0) AS triangles,
          CASE WHEN degrees.degree > 1
            THEN CAST(coalesce(counts.ways, 0) AS DOUBLE) / (CAST(degrees.degree AS DOUBLE) * (degrees.degree - 1)) ELSE 0 END AS clustering
        FROM degrees LEFT JOIN counts ON counts.v = degrees.v`,
      { triangles: '0', clustering: '0' },
    ),
  }
}
