import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../../schema/declarations.js'
import { referenceSlots } from '../slots.js'

/** A node's own item sorts before everything else in its partition, so that both can be read by one Query. */
export const NODE_SORT = '#'

/** The text of a template where none is given: a name, then the parts, joined by `#`. */
export function joinTemplate(head: string, slots: Iterable<string>): string {
  return [head, ...Array.from(slots, slot => `{${slot}}`)].join('#')
}

interface NodePlace {
  /** The template of its partition key: of the outermost owner's. */
  readonly partition: string
  /** What tells it apart within that partition, from the outside in. */
  readonly innerSlots: readonly string[]
}

/** Where a node lies, seen from a type that refers to it by `prefix`, or from itself. */
export function nodePlaceOf(node: DeclaredNode, prefix = ''): NodePlace {
  const { name, id, within } = node
  const prefixed = (slot: string) => (prefix ? `${prefix}.${slot}` : slot)
  if (!within)
    return { partition: joinTemplate(name, prefix ? referenceSlots({ name: prefix, node }) : id), innerSlots: [] }
  const { partition, innerSlots } = nodePlaceOf(within, prefixed(within.name))
  return { partition, innerSlots: [...innerSlots, ...id.map(prefixed)] }
}

/** The slots that tell an edge from all others at that end: the other end, then its key. */
export function edgeIdentitySlots(edge: DeclaredEdge, end: DeclaredEnd): string[] {
  return [...referenceSlots(otherEndOf(edge, end)), ...edge.key]
}

export function otherEndOf({ ends: [first, second] }: DeclaredEdge, end: DeclaredEnd): DeclaredEnd {
  return first === end ? second : first
}
