import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { formatValue } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import { metaColumnsOf } from '../rows/meta-columns.js'
import type { TextRecord } from './records.js'
import type { LoadSource, SourcePosition, SourceRow } from './source.js'

/** A row with its type and tenant. Its values are not validated yet. */
export interface TypedRow {
  readonly type: DeclaredType
  readonly tenant?: string | undefined
  readonly row: Readonly<Record<string, unknown>>
}

/** Reads one record. Returns undefined if the record has nothing to load. */
export type RowReader = (text: string) => TypedRow | undefined

/** Reads the rows of records, each with its error, if any. */
export function readRecordRows(layout: Layout, records: readonly TextRecord[], read: RowReader): SourceRow[] {
  return records.map(({ line, end, text, error: recordError }) => {
    if (recordError) return { line, end, text, error: recordError }
    if (text.trim() === '') return { line, end, text }
    try {
      const typed = read(text)
      if (typed) assertTenant(layout, typed)
      return { line, end, text, ...typed }
    } catch (error) {
      if (!GraphError.is(error) || error.code === 'load.input') throw error
      return { line, end, text, error }
    }
  })
}

function assertTenant({ graph }: Layout, { tenant }: TypedRow): void {
  const needsTenant = graph.declared.tenant
  if (needsTenant && (typeof tenant !== 'string' || tenant === ''))
    throw new GraphError('load.row', 'row: it has no tenant; add its tenant.')
  if (!needsTenant && tenant !== undefined)
    throw new GraphError('load.row', 'row: it has a tenant, but the graph has no tenants; remove the tenant.')
}

/** Creates a function that takes the type and the tenant out of a row. */
export function createMetaReader(
  layout: Layout,
  { name: file, type: defaultType }: LoadSource,
  tenant: string | undefined,
) {
  const columns = metaColumnsOf(layout)
  const types = new Map([...layout.graph.declared.nodes, ...layout.graph.declared.edges].map(type => [type.name, type]))
  const typeNamed = (name: unknown): DeclaredType => {
    const type = types.get(name as string)
    if (type) return type
    const known = [...types.keys()].join(', ')
    throw new GraphError(
      'load.row',
      name === undefined
        ? `row: it has no type; set '${columns.type}' to one of ${known}.`
        : `row: the graph has no type ${formatValue(name)}; use one of ${known}.`,
    )
  }
  if (defaultType !== undefined && !types.has(defaultType))
    throw new GraphError(
      'load.input',
      `${file}: the graph has no type '${defaultType}'; use one of ${[...types.keys()].join(', ')}.`,
    )
  return (whole: Readonly<Record<string, unknown>>): TypedRow => {
    const row: Record<string, unknown> = { ...whole }
    const takeMeta = (mark: string) => {
      const value = row[`$${mark}`] ?? (columns[mark as 'type'] === mark ? row[mark] : undefined)
      delete row[`$${mark}`]
      if (columns[mark as 'type'] === mark) delete row[mark]
      return value
    }
    const type = typeNamed(takeMeta('type') ?? defaultType)
    const rowTenant = (takeMeta('tenant') ?? tenant) as string | undefined
    return { type, ...(rowTenant !== undefined && { tenant: rowTenant }), row }
  }
}

export const SOURCE_START: SourcePosition = { offset: 0, lines: 0 }
