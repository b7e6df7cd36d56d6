import { attribute, standard } from '../attribute.js'
import type { DeclaredAttribute } from '../declared.js'
import { wrongStored, wrongType } from '../refusal.js'
import type { StandardSchema } from '../standard.js'
import type { Attributes, Flat, Row } from '../types/row.js'
import { declaredMembers, decodeMembers, encodeMembers } from './members.js'

/** A few attributes of each neighbour, in the node's own item, that an edge keeps by its `embed`. It is read, never written. */
export interface Embedded<Entry> extends StandardSchema<Readonly<Record<string, Entry>>> {
  readonly declared: DeclaredAttribute
  readonly '~flag': 'derived'
  readonly '~entry': Entry
}

export function embedded<A extends Attributes>(entry: A): Embedded<Flat<Row<A>>> {
  const members = declaredMembers(entry, 'an embedded entry')
  const { declared } = attribute({
    kind: 'embedded',
    derived: true,
    absent: () => ({}),
    members,
    encode(value, path) {
      if (typeof value !== 'object' || value === null) throw wrongType(path, 'an object of entries', value)
      const entries = Object.entries(value).map(([id, each]) => [id, encodeMembers(members, each, `${path}.${id}`)])
      return { M: Object.fromEntries(entries) }
    },
    decode(value, path = 'value') {
      if (value.M === undefined) throw wrongStored(path, 'a map of entries', value)
      return Object.fromEntries(
        Object.entries(value.M).map(([id, each]) => [id, decodeMembers(members, each, `${path}.${id}`)]),
      )
    },
  })
  return { declared, '~standard': standard(declared) } as Embedded<Flat<Row<A>>>
}
