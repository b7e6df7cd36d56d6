import type { DeclaredAttribute } from '../../../../src/schema/declarations.js'
import type { Row } from './identity.js'

/** Computed attributes by name. The functions accept rows of the library and of the model. */
export const COMPUTED: Readonly<Record<string, (row: Row) => unknown>> = {
  mail: ({ name, size }) => (name === undefined ? undefined : ((size as number | undefined) ?? 1) > 0 ? 'm' : 'm#'),
  weight: ({ note, since }) => (note === undefined ? 1 : note === '' ? 0 : (since as Date).getTime() === 0 ? 12 : -2),
}

export const isComputed = ({ recomputation }: DeclaredAttribute): boolean => recomputation?.compute !== undefined

/** A row with its computed attributes. */
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
