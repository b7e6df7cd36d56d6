import { edge, graph, integer, node, string } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'

export const person = node('person', { id: string() }, { id: 'id' })
export const reports = edge('reports', { report: person, manager: person }, {}, { one: 'report', tree: true })
export const below = edge(
  'below',
  { manager: person, report: person },
  { depth: integer(), path: string() },
  { closureOf: reports, by: { manager: { order: ['path'] } } },
)
export const ENDS = { report: person, manager: person }
export const company = graph('company', [person, reports, below])

/** Rows as texts, in an order that does not depend on their reads. */
export const sorted = (rows: readonly object[]) => rows.map(row => JSON.stringify(Object.entries(row).sort())).sort()

/** The faults of a table, apart from edges of nodes that the test did not create. */
export const closureFaultsOf = async (g: object) =>
  Object.keys((await verify(g)).faults).filter(code => code !== 'edge.dangling')
