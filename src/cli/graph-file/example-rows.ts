import { columnsOf, columnValueOf, setColumnValue } from '../../jobs/rows/columns.js'
import { fromJsonValue } from '../../jobs/rows/json-values.js'
import type { Example, Row } from '../../layout/items/items.js'
import type { DeclaredType } from '../../layout/slots.js'
import type { Environment } from '../../schema/declarations.js'
import { CommandFailure, toPlacedFailure } from '../command-failure.js'
import { readJsonFile } from '../files/read-json.js'
import { openExampleGraph } from './example-graph.js'
import type { LoadedGraph } from './load-graph.js'
import { assertTenantOption } from './selected-types.js'

/** Rows by type, from a JSON file or from the schema's `example` export. */
export async function loadExampleRows(
  loaded: LoadedGraph,
  data: string | undefined,
  tenant: string | undefined,
): Promise<Example> {
  const rowsByType = data === undefined ? loaded.exports.example : await readJsonFile(data)
  const source = data ?? `the \`example\` of ${loaded.file}`
  if (rowsByType === undefined)
    throw new CommandFailure(
      `${loaded.file}: the file exports no \`example\`; add \`export const example = { ${expectedForm(loaded)} }\`, or give rows with --data.`,
    )
  const { nodes, edges } = loaded.graph.declared
  const types = [...nodes, ...edges]
  if (!isObject(rowsByType))
    throw new CommandFailure(
      `${source}: this is not an object of rows by type; use the form { ${expectedForm(loaded)} }.`,
    )
  const unknownType = Object.keys(rowsByType).find(name => !types.some(type => type.name === name))
  if (unknownType)
    throw new CommandFailure(
      `${source}: '${unknownType}' is not a type of the graph; use one of ${types.map(type => type.name).join(', ')}.`,
    )
  const rows: Record<string, Row[]> = {}
  for (const type of types) rows[type.name] = rowsOf(rowsByType[type.name], type, source, data !== undefined)
  await assertRowsValid(loaded, rows, source, tenant)
  return rows
}

const expectedForm = ({ graph }: LoadedGraph) => `${graph.declared.nodes[0]?.name ?? 'node'}: [ { … } ], …`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function rowsOf(rowList: unknown, type: DeclaredType, source: string, isPlain: boolean): Row[] {
  if (rowList === undefined) return []
  if (!Array.isArray(rowList) || !rowList.every(isObject))
    throw new CommandFailure(`${source}: '${type.name}' is not a list of rows; use the form [ { … }, … ].`)
  return rowList.map((row, i) =>
    withRowInError(source, type.name, i, () => withDefaults(type, isPlain ? fromJsonRow(type, row) : row)),
  )
}

/** Adds the row to the message of an error. */
function withRowInError<T>(source: string, type: string, i: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw toPlacedFailure(`${source}, ${type} ${i + 1}`, (error as Error).message)
  }
}

/** Parses dates, sets and other types that JSON can only represent as strings and lists. */
function fromJsonRow(type: DeclaredType, row: Row): Row {
  const converted = { ...row }
  for (const column of columnsOf(type)) {
    const value = columnValueOf(row, column)
    if (value !== undefined)
      setColumnValue(converted, column, fromJsonValue(column.attribute, value, `${type.name}.${column.slot}`))
  }
  return converted
}

const FIXED_ENVIRONMENT: Environment = { now: () => 0, random: bytes => new Uint8Array(bytes) }

/** Adds the default values of a write, except those that depend on the time or on chance. */
function withDefaults(type: DeclaredType, row: Row): Row {
  const defaults = Object.entries(type.attributes)
    .filter(([name, { kind, fallback }]) => row[name] === undefined && fallback?.length === 0 && kind !== 'validated')
    .map(([name, { fallback }]) => [name, fallback!(FIXED_ENVIRONMENT)])
  return { ...row, ...Object.fromEntries(defaults) }
}

type ExampleHandles = Readonly<Record<string, { put(row: Row): { plan(): unknown } }>>

/** Rejects rows that a write would reject. */
async function assertRowsValid(
  { layout }: LoadedGraph,
  rows: Example,
  where: string,
  tenant: string | undefined,
): Promise<void> {
  const opened = (await openExampleGraph(layout)) as unknown as {
    $tenant(name: string): ExampleHandles
  } & ExampleHandles
  if (layout.design.tenant && tenant === undefined)
    throw new CommandFailure(
      '--tenant: the graph has tenants, but the option is missing; add the tenant of the rows, for example --tenant acme.',
    )
  assertTenantOption(layout, tenant)
  const handle: ExampleHandles = layout.design.tenant ? opened.$tenant(tenant!) : opened
  for (const [type, all] of Object.entries(rows))
    for (const [i, row] of all.entries()) withRowInError(where, type, i, () => handle[type]!.put(row).plan())
}
