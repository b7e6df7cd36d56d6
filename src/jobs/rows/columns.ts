import { once } from '../../layout/once.js'
import type { DeclaredType } from '../../layout/slots.js'
import { type Member, membersOf } from '../../plan/members.js'

type Row = Readonly<Record<string, unknown>>

/** What a row of a type is written with: not what edges keep, what is computed, or what is copied. */
export const columnsOf = once((type: DeclaredType): readonly Member[] => {
  const copies = type.kind === 'edge' ? type.carry.map(({ as }) => as) : []
  return membersOf(type).filter(
    ({ slot, attribute: { derived, renewed } }) => !derived && !renewed?.value && !copies.includes(slot),
  )
})

/** The columns by their names, which are those of their slots. */
export const columnsByName = once(
  (type: DeclaredType): ReadonlyMap<string, Member> => new Map(columnsOf(type).map(column => [column.slot, column])),
)

/** The value of a row at a column: an id of several parts is an object there. */
export function valueAt(row: Row, { at }: Member): unknown {
  let value: unknown = row
  for (const name of at) value = (value as Row | undefined)?.[name]
  return value
}

export function putAt(row: Record<string, unknown>, { at }: Member, value: unknown): void {
  let within = row
  for (const name of at.slice(0, -1)) {
    within[name] = { ...(within[name] as Row) }
    within = within[name] as Record<string, unknown>
  }
  within[at.at(-1)!] = value
}
