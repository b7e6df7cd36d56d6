import { memory } from '../engine/index.js'
import type { Layout } from '../layout/layout.js'
import { proveLayout } from '../layout/proof/layout-proof.js'
import { looseOrders } from '../layout/proof/loose-orders.js'
import { createTableRequest } from '../table/definition.js'
import { findings } from '../table/findings.js'
import { Failure } from './failure.js'
import type { SchemaOptions } from './options.js'
import { counted, paint, print, printJson } from './output.js'
import { loadGraph } from './schema-file.js'

interface Found {
  readonly level: 'error' | 'warning'
  readonly code: string
  readonly message: string
}

/** Prints the findings of a schema; errors make it fail. */
export async function checkCommand(file: string, options: SchemaOptions): Promise<void> {
  const { layout } = await loadGraph(file, options)
  const found = await findingsOf(layout)
  if (options.json) printJson({ ...summaryOf(layout), findings: found })
  else print([...found.map(textOf), wholeOf(layout, found)].join('\n\n'))
  const errors = found.filter(({ level }) => level === 'error').length
  if (errors > 0) throw new Failure(`${file} has ${counted(errors, 'error')}`)
}

async function findingsOf(layout: Layout): Promise<Found[]> {
  const collisions = proveLayout(layout)
  // What lies where is not worth judging while keys collide.
  const found = findings(collisions.length > 0 ? layout.design : layout)
  const all = [
    ...collisions.map(({ code, message }): Found => ({ level: 'error', code, message: message })),
    ...looseOrders(layout).map(({ code, message }): Found => ({ level: 'warning', code, message: message })),
    ...found.map(({ code, refused, message }): Found => ({ level: refused ? 'error' : 'warning', code, message })),
    ...(found.some(({ refused }) => refused) ? [] : await refusals(layout)),
  ]
  return all.sort((a, b) => (a.level < b.level ? -1 : a.level > b.level ? 1 : 0))
}

/** What DynamoDB says of the table, but for its name, which may be another. */
async function refusals({ design }: Layout): Promise<Found[]> {
  const request = createTableRequest(design, { table: 'checked' })
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

const textOf = ({ level, code, message }: Found) =>
  `${paint(level === 'error' ? ['red', 'bold'] : ['yellow', 'bold'], level)} ${paint('dim', code)}\n  ${message}`

function wholeOf(layout: Layout, found: readonly Found[]): string {
  const { graph, nodes, edges, indexes } = summaryOf(layout)
  const parts = [
    counted(nodes.length, 'node'),
    counted(edges.length, 'edge'),
    indexes.length === 1 ? '1 index' : `${indexes.length} indexes`,
  ].join(', ')
  const verdict =
    found.length > 0
      ? `${counted(found.length, 'finding')}.`
      : paint('green', 'No findings: the keys cannot collide, and DynamoDB accepts the table.')
  return `${paint('bold', graph)}: ${parts}. ${verdict}`
}
