import { ITEMS } from '../sources/item-table.js'
import { sqlText } from '../sql-text.js'
import { graphTables, type LinkOptions, type ProgramContext, vertexValues, viewOf } from './graph-tables.js'
import { assertTrue, create, type SqlProgram } from './program.js'

/** The tree, and the attribute that is summed over it. */
export interface SubtreeSumOptions {
  /** The edge of the tree. */
  readonly edge: LinkOptions['edge']
  /** The end of the parent. */
  readonly parent: string
  /** The attribute of the nodes that is summed; without it nodes are counted. */
  readonly of?: string | undefined
}

/** Each round sums one more level of the tree. */
const ROUNDS = 100_000

/** The sum over each vertex and all below it as `total`. */
export function subtreeProgram(context: ProgramContext, options: SubtreeSumOptions): SqlProgram {
  const { edge, parent, of } = options
  const name = [edge].flat().join(', ')
  return {
    steps: [
      ...graphTables(context, { edge, from: parent }),
      create('own', of === undefined ? 'SELECT v, CAST(1 AS DOUBLE) AS value FROM vertices' : own(context, options)),
      create(
        'totals',
        `SELECT vertices.v, coalesce(own.value, 0) AS value FROM vertices LEFT JOIN own ON own.v = vertices.v
          WHERE NOT EXISTS (SELECT 1 FROM links WHERE links.src = vertices.v)`,
      ),
      create('pending', 'SELECT src, dst FROM links'),
      {
        repeat: [
          // Vertices all of whose children have a total. Those of a cycle never have.
          create(
            'level',
            `SELECT pending.src AS v, sum(totals.value) AS value FROM pending
              LEFT JOIN totals ON totals.v = pending.dst GROUP BY pending.src HAVING count(*) = count(totals.v)`,
          ),
          create(
            'totals',
            `SELECT v, value FROM totals UNION ALL SELECT level.v, level.value + coalesce(own.value, 0) AS value
              FROM level LEFT JOIN own ON own.v = level.v`,
          ),
          create(
            'pending',
            'SELECT src, dst FROM pending WHERE NOT EXISTS (SELECT 1 FROM level WHERE level.v = pending.src)',
          ),
        ],
        times: ROUNDS,
        until: 'SELECT count(*) = 0 FROM level',
        unfinished: `job: subtreeSums(): the tree of '${name}' has more than ${ROUNDS} levels; sum it in a program of your own.`,
      },
      assertTrue(
        'SELECT count(*) = 0 FROM pending',
        `job: subtreeSums(): the edges '${name}' have a cycle; remove one of its edges.`,
      ),
    ],
    result: vertexValues('SELECT v, value AS total FROM totals', { total: '0' }),
  }
}

/** The value of each node whose type has the attribute. */
function own(context: ProgramContext, { edge, of }: SubtreeSumOptions): string {
  const nodes = [edge].flat().flatMap(name => {
    const { type } = viewOf(context, name).kind
    return type.kind === 'edge' ? type.ends.map(({ node }) => node.name) : []
  })
  const values = [...new Set(nodes)].flatMap(name => {
    const view = viewOf(context, name)
    const column = view.columns.find(({ slot }) => slot === of)
    if (!column) return []
    const value = `coalesce(CAST(${column.sql} AS DOUBLE), 0)`
    return `SELECT vertices.v, ${value} AS value FROM vertices JOIN ${ITEMS} USING (pk, sk)
      WHERE vertices.type = ${sqlText(view.kind.type.name)}`
  })
  return values.join(' UNION ALL ') || `SELECT v, CAST(0 AS DOUBLE) AS value FROM vertices`
}
