import { readFileSync } from 'node:fs'
import { columnsOf, putAt, valueAt } from '../jobs/rows/columns.js'
import { fromPlain } from '../jobs/rows/plain.js'
import type { Example, Row } from '../layout/items.js'
import type { DeclaredType } from '../layout/slots.js'
import type { Surroundings } from '../schema/declared.js'
import { openExample } from './example-graph.js'
import { Failure } from './failure.js'
import type { Loaded } from './schema-file.js'

/** Rows by type: those of a file of JSON, or those that the schema exports as `example`. */
export async function exampleRows(
  loaded: Loaded,
  data: string | undefined,
  tenant: string | undefined,
): Promise<Example> {
  const given = data === undefined ? loaded.exports.example : readJson(data)
  const where = data ?? `the \`example\` of ${loaded.file}`
  if (given === undefined)
    throw new Failure(
      `${loaded.file} exports no \`example\`; export one, such as \`export const example = { ${shape(loaded)} }\`, or add --data rows.json`,
    )
  const { nodes, edges } = loaded.graph.declared
  const types = [...nodes, ...edges]
  if (!isObject(given)) throw new Failure(`${where} has no rows by type; use the form { ${shape(loaded)} }`)
  const stranger = Object.keys(given).find(name => !types.some(type => type.name === name))
  if (stranger)
    throw new Failure(
      `${where} has '${stranger}', which is not a type; use one of ${types.map(each => each.name).join(', ')}`,
    )
  const rows: Record<string, Row[]> = {}
  for (const type of types) rows[type.name] = rowsOf(given[type.name], type, where, data !== undefined)
  await checkRows(loaded, rows, where, tenant)
  return rows
}

const shape = ({ graph }: Loaded) => `${graph.declared.nodes[0]?.name ?? 'node'}: [ { … } ], …`

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    throw new Failure(
      code === 'ENOENT'
        ? `${file} does not exist; give the JSON file of your rows`
        : `${file} cannot be read: ${message}`,
    )
  }
}

function rowsOf(given: unknown, type: DeclaredType, where: string, isPlain: boolean): Row[] {
  if (given === undefined) return []
  if (!Array.isArray(given) || !given.every(isObject))
    throw new Failure(`${where} has no list of rows under '${type.name}'; use the form [ { … }, … ]`)
  return given.map((row, i) =>
    placed(where, type.name, i, () => withDefaults(type, isPlain ? fromJson(type, row) : row)),
  )
}

/** Says of which row it is what is wrong with it. */
function placed<T>(where: string, type: string, i: number, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new Failure(`${where}, ${type} ${i + 1}: ${(error as Error).message}`)
  }
}

/** Dates, sets and the like, of which JSON has only texts and lists. */
function fromJson(type: DeclaredType, row: Row): Row {
  const made = { ...row }
  for (const column of columnsOf(type)) {
    const value = valueAt(row, column)
    if (value !== undefined) putAt(made, column, fromPlain(column.attribute, value, `${type.name}.${column.slot}`))
  }
  return made
}

const NEVER: Surroundings = { now: () => 0, random: bytes => new Uint8Array(bytes) }

/** With what a write gives by default, but for what it makes of the time or of chance. */
function withDefaults(type: DeclaredType, row: Row): Row {
  const made = Object.entries(type.attributes)
    .filter(([name, { kind, fallback }]) => row[name] === undefined && fallback?.length === 0 && kind !== 'validated')
    .map(([name, { fallback }]) => [name, fallback!(NEVER)])
  return { ...row, ...Object.fromEntries(made) }
}

type Handle = Readonly<Record<string, { put(row: Row): { plan(): unknown } }>>

/** Refuses what a write would refuse. */
async function checkRows({ layout }: Loaded, rows: Example, where: string, tenant: string | undefined): Promise<void> {
  const opened = (await openExample(layout)) as unknown as { $tenant(name: string): Handle } & Handle
  if (layout.design.tenant && tenant === undefined)
    throw new Failure('the graph has tenants; add the tenant of these rows, for example --tenant acme')
  if (!layout.design.tenant && tenant !== undefined) throw new Failure('the graph has no tenants; remove --tenant')
  const handle: Handle = layout.design.tenant ? opened.$tenant(tenant!) : opened
  for (const [type, all] of Object.entries(rows))
    for (const [i, row] of all.entries()) placed(where, type, i, () => handle[type]!.put(row).plan())
}
