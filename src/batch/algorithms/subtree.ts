import { ITEMS } from '../sources/item-table.js'
import { sqlText } from '../sql-text.js'
import { graphTables, type LinkOptions, type ProgramContext, vertexValues, viewOf } from './graph-tables.js'
import { create, type SqlProgram } from './program.js'

/** The tree, and the attribute that is summed over it. */
export interface SubtreeSumOptions {
  /** The edge of the tree. */
  readonly edge: LinkOptions['edge']
  /** The end of the parent. */
  readonly parent: string
  /** The attribute of the nodes that is summed; without it nodes are counted. */
  readonly of?: string | undefined
}

const ROUNDS = 10_000

/** The sum over each vertex and all below it as `total`. */
export function subtreeProgram(context: ProgramContext, options: SubtreeSumOptions): SqlProgram {
  const { edge, parent, of } = options
  const steps = graphTables(context, { edge, from: parent })
  const summed = `SELECT links.src AS v, sum(carried.value) AS value FROM links
    JOIN carried ON carried.v = links.dst GROUP BY links.src`
  return {
    steps: [
      ...steps,
      create(
        'carried',
        of === undefined ? 'SELECT v, CAST(1 AS DOUBLE) AS value FROM vertices' : own(context, options),
      ),
      create('totals', 'SELECT v, value FROM carried'),
      {
        repeat: [
          create('carried', summed),
          create(
            'totals',
            'SELECT v, sum(value) AS value FROM (SELECT v, value FROM totals UNION ALL SELECT v, value FROM carried) GROUP BY v',
          ),
        ],
        times: ROUNDS,
        until: 'SELECT count(*) = 0 FROM carried',
        unfinished: `job: the edges '${[edge].flat().join(', ')}' have a cycle or are too deep; remove the cycle.`,
      },
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
