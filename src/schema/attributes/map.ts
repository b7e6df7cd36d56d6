import { type Attribute, attribute } from '../attribute.js'
import type { Attributes, Flat, Row } from '../types/row.js'
import { declaredMembers, decodeMembers, encodeMembers } from './members.js'

/** An object with declared members. */
export function map<A extends Attributes>(members: A): Attribute<Flat<Row<A>>> {
  const declared = declaredMembers(members, 'a map')
  return attribute({
    kind: 'map',
    members: declared,
    encode: (value, path) => encodeMembers(declared, value, path),
    decode: (value, path = 'value') => decodeMembers(declared, value, path),
  })
}
