import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { identitySlots } from './default-keys.js'
import { escapeText, type KeyValues } from './template-encode.js'

/** An embedded entry is named by what tells the edge from all others of the node; several parts as in a key. */
export function entryName(edge: DeclaredEdge, end: DeclaredEnd, values: KeyValues): string {
  const parts = identitySlots(edge, end).map(slot => Object.values(values[slot] ?? {}).join(''))
  return parts.length === 1 ? parts[0]! : parts.map(escapeText).join('#')
}

export function entryOf(node: DeclaredNode, into: string, values: KeyValues): Record<string, AttributeValue> {
  const entry: Record<string, AttributeValue> = {}
  for (const [name, { storedAs }] of Object.entries(node.attributes[into]!.members ?? {}))
    if (values[name]) entry[storedAs ?? name] = values[name]
  return entry
}
