import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { GraphError } from '../../schema/error.js'
import { shown } from '../../schema/refusal.js'
import { isGraphError } from '../rows/graph-error.js'
import { marksOf } from '../rows/mark.js'
import type { TextRecord } from './records.js'
import type { FoundRow, LoadSource, Position } from './source.js'

/** A row as it was read: its type and tenant are named, its values not yet checked. */
export interface ReadRow {
  readonly type: DeclaredType
  readonly tenant?: string | undefined
  readonly row: Readonly<Record<string, unknown>>
}

/** Reads one record; undefined where there is nothing to load of it. */
export type RowReader = (text: string) => ReadRow | undefined

/** The rows of records, each with what is wrong with it, if anything. */
export function foundRows(layout: Layout, records: readonly TextRecord[], read: RowReader): FoundRow[] {
  return records.map(({ line, end, text, error }) => {
    if (error) return { line, end, text, error }
    if (text.trim() === '') return { line, end, text }
    try {
      const found = read(text)
      if (found) checkTenant(layout, found)
      return { line, end, text, ...found }
    } catch (refused) {
      if (!isGraphError(refused) || refused.code === 'load.input') throw refused
      return { line, end, text, error: refused }
    }
  })
}

function checkTenant({ graph }: Layout, { tenant }: ReadRow): void {
  const wanted = graph.declared.tenant
  if (wanted && (typeof tenant !== 'string' || tenant === '')) throw new GraphError('load.row', 'the row has no tenant')
  if (!wanted && tenant !== undefined) throw new GraphError('load.row', 'the row has a tenant, and the graph has none')
}

/** Tells the type of a row and its tenant, and what is left of it. */
export function markReader(layout: Layout, { name: file, type: given }: LoadSource, tenant: string | undefined) {
  const marks = marksOf(layout)
  const types = new Map([...layout.graph.declared.nodes, ...layout.graph.declared.edges].map(each => [each.name, each]))
  const typeNamed = (name: unknown): DeclaredType => {
    const type = types.get(name as string)
    if (type) return type
    const known = [...types.keys()].join(', ')
    throw new GraphError(
      'load.row',
      name === undefined
        ? `the row does not say its type in '${marks.type}', one of ${known}`
        : `the graph has no type ${shown(name)}, only ${known}`,
    )
  }
  if (given !== undefined && !types.has(given))
    throw new GraphError(
      'load.input',
      `${file}: the graph has no type '${given}', only ${[...types.keys()].join(', ')}`,
    )
  return (whole: Readonly<Record<string, unknown>>): ReadRow => {
    const row: Record<string, unknown> = { ...whole }
    const take = (mark: string) => {
      const value = row[`$${mark}`] ?? (marks[mark as 'type'] === mark ? row[mark] : undefined)
      delete row[`$${mark}`]
      if (marks[mark as 'type'] === mark) delete row[mark]
      return value
    }
    const type = typeNamed(take('type') ?? given)
    const whose = (take('tenant') ?? tenant) as string | undefined
    return { type, ...(whose !== undefined && { tenant: whose }), row }
  }
}

export const START: Position = { offset: 0, lines: 0 }
