import type { Kind } from '../../layout/kinds.js'
import { membersOf } from '../../layout/row-members.js'
import { TENANT_SLOT } from '../../layout/slots.js'
import type { Dialect } from '../dialect.js'
import { ITEMS, type PHYSICAL } from '../sources/item-table.js'
import { distinctColumns, sqlName, sqlText } from '../sql-text.js'
import { keyOfSlot, slotText, storedJson, type ViewContext } from './slot-text.js'
import { type ColumnType, columnType, plainJson, storedAttribute, typedText } from './typed-column.js'

/** A column of a view: the value of one slot. */
export interface ViewColumn {
  readonly name: string
  /** The slot; `tenant` of the column of tenants. */
  readonly slot: string
  /** Names from the row down to the value. */
  readonly at: readonly string[]
  readonly type: ColumnType
  readonly sql: string
}

/** The view of a type of node or edge. */
export interface TypeView {
  readonly name: string
  readonly kind: Kind
  readonly columns: readonly ViewColumn[]
  /** The query of the rows. */
  readonly sql: string
}

/** The views of every type of a graph, of the items that were alive at that moment: a number or an expression of SQL. */
export function typeViews(context: ViewContext, momentMs: number | string): TypeView[] {
  const own = context.layout.kinds.filter(({ role }) => role === 'node' || role === 'edge')
  const names = distinctColumns(own.map(({ name }) => name))
  return own.map((kind, at) => {
    const columns = viewColumns(context, kind)
    const selected = columns.map(({ name, sql }) => `${sql} AS ${sqlName(name)}`).join(', ')
    const sql = `SELECT ${selected} FROM ${ITEMS} WHERE ${isAlive(kind, momentMs)}`
    return { name: names[at]!, kind, columns, sql }
  })
}

/** The condition that an item is of a kind, has not expired and is not being deleted. */
export const isAlive = ({ typeMark }: Kind, momentMs: number | string, alias = ''): string =>
  `${alias}mark = ${sqlText(typeMark)} AND NOT ${alias}deleting AND (${alias}expires IS NULL OR ${alias}expires * 1000 > ${momentMs})`

function viewColumns(context: ViewContext, kind: Kind): ViewColumn[] {
  const { layout, dialect } = context
  const members = membersOf(kind.type)
  const tenants = layout.design.tenant ? [tenantColumn(context, kind)] : []
  const names = distinctColumns([...tenants.map(({ name }) => name), ...members.map(({ slot }) => slot)])
  const columns = members.map(({ slot, segments, attribute }, index): ViewColumn => {
    const type = columnType(layout, kind.type, slot, attribute)
    const name = names[tenants.length + index]!
    const isScalar = type !== 'json' || keyOfSlot(layout, kind, slot) !== undefined
    const value = isScalar
      ? typedText(dialect, type, slotText(context, kind, slot))
      : plainJson(dialect, attribute, storedJson(context, kind, slot))
    const stored = storedJson(context, kind, slot)
    const sql = withAbsent(dialect, { kind: storedAttribute(attribute).kind, type, value, stored })
    return { name, slot, at: segments, type, sql }
  })
  return [...tenants, ...columns]
}

function tenantColumn(context: ViewContext, kind: Kind): ViewColumn {
  const sql = slotText(context, kind, TENANT_SLOT)
  return { name: TENANT_SLOT, slot: TENANT_SLOT, at: [TENANT_SLOT], type: 'text', sql }
}

interface DerivedColumn {
  readonly kind: string
  readonly type: ColumnType
  readonly value: string
  readonly stored: string
}

/** Values that are derived from edges are 0 or empty before the first edge. A counter that holds another value stays NULL. */
function withAbsent(dialect: Dialect, { kind, type, value, stored }: DerivedColumn): string {
  if (kind === 'counter')
    return `CASE WHEN ${stored} IS NULL THEN ${type === 'integer' ? '0' : "'0'"} ELSE ${value} END`
  return kind === 'embedded' ? `coalesce(${value}, ${dialect.asJson("'{}'")})` : value
}

/** The views of the entries of every index: the keys of the index, the key of the item, and the item. */
export function indexViews({ layout, dialect }: ViewContext): { readonly name: string; readonly sql: string }[] {
  const { indexes, attributes } = layout.design
  const names = distinctColumns(['items', ...indexes.map(({ name }) => name)]).slice(1)
  return indexes.map(({ partition, sort }, at) => {
    const keys = [...new Set([...partition, ...sort])]
    const texts = keys.map(key => dialect.jsonText('item', [key, attributes[key] ?? 'S']))
    const columns = keys.map((key, index) => `${texts[index]} AS ${sqlName(key)}`)
    const isWhole = texts.map(text => `${text} IS NOT NULL`).join(' AND ')
    return { name: names[at]!, sql: `SELECT ${columns.join(', ')}, pk, sk, mark, item FROM ${ITEMS} WHERE ${isWhole}` }
  })
}

/** The statement that creates a view. */
export const createView = (name: string, sql: string, schema?: typeof PHYSICAL): string =>
  `CREATE VIEW ${schema ? `${schema}.` : ''}${sqlName(name)} AS ${sql}`
