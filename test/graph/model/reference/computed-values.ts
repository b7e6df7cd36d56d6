import type { DeclaredAttribute } from '../../../../src/schema/declarations.js'
import type { Row } from './identity.js'

/** What is computed where a type computes it, by the attribute: of rows as the library and the model both have them. */
export const COMPUTED: Readonly<Record<string, (row: Row) => unknown>> = {
  mail: ({ name, size }) => (name === undefined ? undefined : ((size as number | undefined) ?? 1) > 0 ? 'm' : 'm#'),
  weight: ({ note, since }) => (note === undefined ? 1 : note === '' ? 0 : (since as Date).getTime() === 0 ? 12 : -2),
}

export const isComputed = ({ recomputation }: DeclaredAttribute): boolean => recomputation?.compute !== undefined

/** A row with what its type computes of it. */
export function completed({ attributes }: { attributes: Readonly<Record<string, DeclaredAttribute>> }, row: Row): Row {
  const names = Object.keys(COMPUTED).filter(name => attributes[name] && isComputed(attributes[name]))
  const whole: Record<string, unknown> = { ...row }
  for (const name of names) {
    const value = COMPUTED[name]!(row)
    if (value === undefined) delete whole[name]
    else whole[name] = value
  }
  return whole
}
