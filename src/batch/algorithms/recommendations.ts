import { graphTables, type LinkOptions, PAIRS, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** Which recommendations are made. */
export interface RecommendationOptions extends Pick<LinkOptions, 'edge' | 'from'> {
  /** The number of recommendations of a node; 10 by default. */
  readonly top?: number | undefined
  /** Follows links from their beginning to their end only; by default both ways. */
  readonly directed?: boolean | undefined
}

/**
 * The nodes that share the most neighbors with each vertex and are not linked to it: as `recommended` their ids, best
 * first, and as `common` the number of neighbors that it shares with the best one.
 */
export function recommendationProgram(context: ProgramContext, options: RecommendationOptions): SqlProgram {
  const { top = 10, directed = false, edge } = options
  // Two links of one edge lead back to nodes of the same type.
  const name = [edge].flat().length > 1 ? 'label' : 'id'
  const near = directed ? 'SELECT DISTINCT src AS a, dst AS b FROM links WHERE src <> dst' : 'SELECT a, b FROM pairs'
  return {
    steps: [
      ...graphTables(context, options),
      PAIRS,
      create('near', near),
      create(
        'scores',
        `SELECT one.a, two.b, count(*) AS score FROM near AS one JOIN near AS two ON two.a = one.b
          WHERE one.a <> two.b AND NOT EXISTS (SELECT 1 FROM near WHERE near.a = one.a AND near.b = two.b)
          GROUP BY one.a, two.b`,
      ),
      create(
        'best',
        `SELECT a AS v, vertices.${name} AS id, score, row_number() OVER (PARTITION BY a ORDER BY score DESC, b) AS place
          FROM scores JOIN vertices ON vertices.v = scores.b`,
      ),
    ],
    result: vertexValues(
      `SELECT v, ${context.dialect.sortedTexts('id', 'place')} AS recommended, max(score) AS common
        FROM best WHERE place <= ${top} GROUP BY v`,
      { recommended: context.dialect.asJson("'[]'"), common: '0' },
    ),
  }
}
