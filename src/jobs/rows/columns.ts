import { memoize } from '../../layout/memoize.js'
import type { DeclaredType } from '../../layout/slots.js'
import { membersOf, type RowMember } from '../../plan/members.js'

type Row = Readonly<Record<string, unknown>>

/** Returns the columns of a type: the attributes that a write takes, without derived, computed and copied ones. */
export const columnsOf = memoize((type: DeclaredType): readonly RowMember[] => {
  const copies = type.kind === 'edge' ? type.carry.map(({ copyName }) => copyName) : []
  return membersOf(type).filter(
    ({ slot, attribute: { derived, recomputation } }) => !derived && !recomputation?.compute && !copies.includes(slot),
  )
})

/** Returns the columns by their names, which are the names of their slots. */
export const columnsByName = memoize(
  (type: DeclaredType): ReadonlyMap<string, RowMember> => new Map(columnsOf(type).map(column => [column.slot, column])),
)

/** Returns the value of a row in a column. An id with several parts is an object in the row. */
export function columnValueOf(row: Row, { segments }: RowMember): unknown {
  let value: unknown = row
  for (const name of segments) value = (value as Row | undefined)?.[name]
  return value
}

export function setColumnValue(row: Record<string, unknown>, { segments }: RowMember, value: unknown): void {
  let parent = row
  for (const name of segments.slice(0, -1)) {
    parent[name] = { ...(parent[name] as Row) }
    parent = parent[name] as Record<string, unknown>
  }
  parent[segments.at(-1)!] = value
}
