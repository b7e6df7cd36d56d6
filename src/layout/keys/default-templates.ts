import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../../schema/declarations.js'
import { referenceSlots } from '../slots.js'

/**
 * The sort key of a node's own item, which sorts first in its partition, so that one Query reads the node and the items
 * after it.
 */
export const NODE_SORT = '#'

/** Joins a name and slots to the text of a default template. */
export function joinTemplate(head: string, slots: Iterable<string>): string {
  return [head, ...Array.from(slots, slot => `{${slot}}`)].join('#')
}

interface NodePlace {
  /** The template of the partition key, which is that of the outermost owner. */
  readonly partition: string
  /** The slots that identify it within that partition, from the outermost owner to the node. */
  readonly innerSlots: readonly string[]
}

/** Returns the place of a node: as seen from a type that refers to it by `prefix`, or from the node itself. */
export function nodePlaceOf(node: DeclaredNode, prefix = ''): NodePlace {
  const { name, id, within } = node
  const prefixed = (slot: string) => (prefix ? `${prefix}.${slot}` : slot)
  if (!within)
    return { partition: joinTemplate(name, prefix ? referenceSlots({ name: prefix, node }) : id), innerSlots: [] }
  const { partition, innerSlots } = nodePlaceOf(within, prefixed(within.name))
  return { partition, innerSlots: [...innerSlots, ...id.map(prefixed)] }
}

/** The slots that identify an edge among the edges of one end's node: the other end, then the key. */
export function edgeIdentitySlots(edge: DeclaredEdge, end: DeclaredEnd): string[] {
  return [...referenceSlots(otherEndOf(edge, end)), ...edge.key]
}

export function otherEndOf({ ends: [first, second] }: DeclaredEdge, end: DeclaredEnd): DeclaredEnd {
  return first === end ? second : first
}
