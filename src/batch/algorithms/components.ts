import { graphTables, type LinkOptions, PAIRS, type ProgramContext, vertexValues } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** More rounds than a chain of 2 ** 64 nodes needs. */
const ROUNDS = 10_000

/**
 * The connected component of each vertex: as `component` the id of its first node, as `size` the number of its nodes.
 * Directions are ignored.
 */
export function componentsProgram(context: ProgramContext, options: Pick<LinkOptions, 'edge'>): SqlProgram {
  const lowest = `SELECT labels.v, least(labels.label, coalesce(min(near.label), labels.label)) AS label,
      labels.label AS before
    FROM labels LEFT JOIN pairs ON pairs.a = labels.v LEFT JOIN labels AS near ON near.v = pairs.b
    GROUP BY labels.v, labels.label`
  // The label of the label: chains get shorter by half each round.
  const jumped = `SELECT one.v, other.label, one.before FROM labels AS one JOIN labels AS other ON other.v = one.label`
  return {
    steps: [
      ...graphTables(context, options),
      PAIRS,
      create('labels', 'SELECT v, v AS label, v AS before FROM vertices'),
      {
        repeat: [create('labels', lowest), create('labels', jumped)],
        times: ROUNDS,
        until: 'SELECT count(*) = 0 FROM labels WHERE label <> before',
      },
      create('sizes', 'SELECT label, count(*) AS size FROM labels GROUP BY label'),
    ],
    result: vertexValues(
      `SELECT labels.v, first.label AS component, sizes.size FROM labels
        JOIN vertices AS first ON first.v = labels.label JOIN sizes ON sizes.label = labels.label`,
      { component: undefined, size: undefined },
    ),
  }
}
