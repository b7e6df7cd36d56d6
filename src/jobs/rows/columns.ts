import { memoize } from '../../layout/memoize.js'
import type { DeclaredType } from '../../layout/slots.js'
import { membersOf, type RowMember } from '../../plan/members.js'

type Row = Readonly<Record<string, unknown>>

/** What a row of a type is written with: not what edges keep, what is computed, or what is copied. */
export const columnsOf = memoize((type: DeclaredType): readonly RowMember[] => {
  const copies = type.kind === 'edge' ? type.carry.map(({ copyName }) => copyName) : []
  return membersOf(type).filter(
    ({ slot, attribute: { derived, recomputation } }) => !derived && !recomputation?.compute && !copies.includes(slot),
  )
})

/** The columns by their names, which are those of their slots. */
export const columnsByName = memoize(
  (type: DeclaredType): ReadonlyMap<string, RowMember> => new Map(columnsOf(type).map(column => [column.slot, column])),
)

/** The value of a row at a column: an id of several parts is an object there. */
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
