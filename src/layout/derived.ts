import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { identitySlots } from './default-keys.js'
import type { KeyValues } from './template-encode.js'

const EACH_LOW = /[\0-$]/g

/** An embedded entry is named by what tells the edge from all others of the node; several parts as in a key. */
export function entryName(edge: DeclaredEdge, end: DeclaredEnd, values: KeyValues): string {
  const parts = identitySlots(edge, end).map(slot => Object.values(values[slot] ?? {}).join(''))
  return parts.length === 1 ? parts[0]! : parts.map(part => part.replace(EACH_LOW, '$$$&')).join('#')
}

export function entryOf(node: DeclaredNode, into: string, values: KeyValues): Record<string, AttributeValue> {
  const members = Object.entries(node.attributes[into]!.members ?? {})
  return Object.fromEntries(
    members.flatMap(([name, { storedAs }]) => (values[name] ? [[storedAs ?? name, values[name]!] as const] : [])),
  )
}
