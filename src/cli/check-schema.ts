import { memory } from '../engine/index.js'
import type { Layout } from '../layout/layout.js'
import { proveLayout } from '../layout/proof/layout-proof.js'
import { looseOrders } from '../layout/proof/loose-orders.js'
import { findings } from '../table/findings/findings.js'
import { toCreateTableInput } from '../table/table-definition.js'
import { CommandFailure } from './command-failure.js'
import { loadGraph } from './graph-file/load-graph.js'
import type { SchemaOptions } from './options.js'
import { formatCount, paint, print, printJson } from './terminal/output.js'

interface CheckFinding {
  readonly level: 'error' | 'warning'
  readonly code: string
  readonly message: string
}

/** Prints the findings of a schema; errors make the command fail. */
export async function checkCommand(file: string, options: SchemaOptions): Promise<void> {
  const { layout } = await loadGraph(file, options)
  const checkFindings = await findingsOf(layout)
  if (options.json) printJson({ ...summaryOf(layout), findings: checkFindings })
  else print([...checkFindings.map(formatFinding), formatSummary(layout, checkFindings)].join('\n\n'))
  const errors = checkFindings.filter(({ level }) => level === 'error').length
  if (errors > 0)
    throw new CommandFailure(`${file}: the schema has ${formatCount(errors, 'error')}; correct the schema.`)
}

async function findingsOf(layout: Layout): Promise<CheckFinding[]> {
  const collisions = proveLayout(layout)
  // Warnings about placement are meaningless while keys collide.
  const tableFindings = findings(collisions.length > 0 ? layout.design : layout)
  const all = [
    ...collisions.map(({ code, message }): CheckFinding => ({ level: 'error', code, message: message })),
    ...looseOrders(layout).map(({ code, message }): CheckFinding => ({ level: 'warning', code, message: message })),
    ...tableFindings.map(
      ({ code, rejected, message }): CheckFinding => ({ level: rejected ? 'error' : 'warning', code, message }),
    ),
    ...(tableFindings.some(({ rejected }) => rejected) ? [] : await tableErrorsOf(layout)),
  ]
  return all.sort((a, b) => (a.level < b.level ? -1 : a.level > b.level ? 1 : 0))
}

/** DynamoDB's findings for the table under a placeholder name, because the name may differ at deployment. */
async function tableErrorsOf({ design }: Layout): Promise<CheckFinding[]> {
  const request = toCreateTableInput(design, { table: 'checked' })
  return memory()
    .createTable(request)
    .then(
      () => [],
      ({ message }: Error) => [{ level: 'error', code: 'table.refused', message: message }],
    )
}

function summaryOf({ graph, design }: Layout) {
  const { nodes, edges } = graph.declared
  return {
    graph: graph.name,
    nodes: nodes.map(({ name }) => name),
    edges: edges.map(({ name }) => name),
    table: design.name,
    indexes: design.indexes.map(({ name, serves }) => ({ name, serves })),
  }
}

const formatFinding = ({ level, code, message }: CheckFinding) =>
  `${paint(level === 'error' ? ['red', 'bold'] : ['yellow', 'bold'], level)} ${paint('dim', code)}\n  ${message}`

function formatSummary(layout: Layout, checkFindings: readonly CheckFinding[]): string {
  const { graph, nodes, edges, indexes } = summaryOf(layout)
  const parts = [
    formatCount(nodes.length, 'node'),
    formatCount(edges.length, 'edge'),
    indexes.length === 1 ? '1 index' : `${indexes.length} indexes`,
  ].join(', ')
  const verdict =
    checkFindings.length > 0
      ? `${formatCount(checkFindings.length, 'finding')}.`
      : paint('green', 'No findings: the keys cannot collide, and DynamoDB accepts the table.')
  return `${paint('bold', graph)}: ${parts}. ${verdict}`
}
