import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { identitySlots } from './default-keys.js'
import { escapeText, type KeyValues } from './template-encode.js'

/** An embedded entry is named by what tells the edge from all others of the node; several parts as in a key. */
export function entryName(edge: DeclaredEdge, end: DeclaredEnd, values: KeyValues): string {
  const parts = identitySlots(edge, end).map(slot => Object.values(values[slot] ?? {}).join(''))
  return parts.length === 1 ? parts[0]! : parts.map(escapeText).join('#')
}

/** Whether a counter is of edges with these values. */
export const isCounted = ({ where = {} }: Pick<DeclaredCount, 'where'>, values: KeyValues): boolean =>
  Object.entries(where).every(([slot, wanted]) =>
    wanted.some(each => JSON.stringify(each) === JSON.stringify(values[slot])),
  )

/** The counters by which a path of a node is sorted: it has them from the beginning, so that it is found there. */
export const rankedBy = ({ paths, attributes }: DeclaredNode): string[] =>
  paths.flatMap(({ order }) => order.filter(part => attributes[part]?.kind === 'counter'))

export function entryOf(node: DeclaredNode, into: string, values: KeyValues): Record<string, AttributeValue> {
  const entry: Record<string, AttributeValue> = {}
  for (const [name, { storedAs }] of Object.entries(node.attributes[into]!.members ?? {}))
    if (values[name]) entry[storedAs ?? name] = values[name]
  return entry
}
