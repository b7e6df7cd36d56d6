import { graphTables, type LinkOptions, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** How label propagation runs. */
export interface LabelOptions extends LinkOptions {
  /** The most iterations; 10 by default. */
  readonly iterations?: number | undefined
}

/**
 * The community of each vertex as `community`: the id of one of its nodes. In each iteration all vertices together take
 * the label with the greatest weight among their neighbors; of equals, the one that comes first.
 */
export function labelProgram(context: ProgramContext, options: LabelOptions): SqlProgram {
  const { iterations = 10 } = options
  return {
    steps: [
      ...graphTables(context, options),
      create(
        'near',
        `SELECT a, b, sum(weight) AS weight FROM
          (SELECT src AS a, dst AS b, weight FROM links UNION ALL SELECT dst, src, weight FROM links)
          WHERE a <> b GROUP BY a, b`,
      ),
      create('labels', 'SELECT v, v AS label, v AS before FROM vertices'),
      {
        repeat: [
          create(
            'votes',
            `SELECT near.a AS v, labels.label, sum(near.weight) AS weight FROM near
              JOIN labels ON labels.v = near.b GROUP BY near.a, labels.label`,
          ),
          create(
            'chosen',
            `SELECT v, min(label) AS label FROM votes JOIN
              (SELECT v AS voter, max(weight) AS most FROM votes GROUP BY v) AS best
              ON best.voter = votes.v AND best.most = votes.weight GROUP BY v`,
          ),
          create(
            'labels',
            `SELECT labels.v, coalesce(chosen.label, labels.label) AS label, labels.label AS before
              FROM labels LEFT JOIN chosen ON chosen.v = labels.v`,
          ),
        ],
        times: iterations,
        until: 'SELECT count(*) = 0 FROM labels WHERE label <> before',
      },
    ],
    result: vertexValues(
      'SELECT labels.v, named.label AS community FROM labels JOIN vertices AS named ON named.v = labels.label',
      { community: undefined },
    ),
  }
}
