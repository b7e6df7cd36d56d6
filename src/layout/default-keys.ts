import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { referenceSlots } from './slots.js'

/** A node's own item sorts before everything else in its partition, so that both can be read by one Query. */
export const NODE_SORT = '#'

/** The text of a template where none is given: a name, then the parts, joined by `#`. */
export function joined(head: string, slots: Iterable<string>): string {
  return [head, ...Array.from(slots, slot => `{${slot}}`)].join('#')
}

interface Place {
  /** The template of its partition key: of the outermost owner's. */
  readonly partition: string
  /** What tells it apart within that partition, from the outside in. */
  readonly inner: readonly string[]
}

/** Where a node lies, seen from a type that refers to it by `prefix`, or from itself. */
export function placeOf(node: DeclaredNode, prefix = ''): Place {
  const { name, id, within } = node
  const under = (slot: string) => (prefix ? `${prefix}.${slot}` : slot)
  if (!within) return { partition: joined(name, prefix ? referenceSlots({ name: prefix, node }) : id), inner: [] }
  const { partition, inner } = placeOf(within, under(within.name))
  return { partition, inner: [...inner, ...id.map(under)] }
}

/** The slots that tell an edge from all others at that end: the other end, then its key. */
export function identitySlots(edge: DeclaredEdge, end: DeclaredEnd): string[] {
  return [...referenceSlots(otherEnd(edge, end)), ...edge.key]
}

export function otherEnd({ ends: [first, second] }: DeclaredEdge, end: DeclaredEnd): DeclaredEnd {
  return first === end ? second : first
}
