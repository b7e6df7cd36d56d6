import type { DeclaredEdge, DeclaredEnd, DeclaredNode, DeclaredPath } from '../schema/declared.js'
import { idSlots, referenceSlots } from './slots.js'

/** The texts of the templates where none are given: the type's name, then the parts, joined by `#`. */
const joined = (head: string, slots: readonly string[]) => [head, ...slots.map(slot => `{${slot}}`)].join('#')

/** A node's own item sorts before everything else in its partition, so that both can be read by one Query. */
export const NODE_SORT = '#'

interface Place {
  /** The node in whose partition it lies: the outermost owner. */
  readonly root: DeclaredNode
  readonly rootSlots: readonly string[]
  /** What tells it apart within that partition, from the outside in. */
  readonly innerSlots: readonly string[]
}

/** Where a node lies, seen from a type that refers to it by `prefix`, or from itself. */
function placeOf(node: DeclaredNode, prefix = ''): Place {
  const under = (name: string) => (prefix === '' ? name : `${prefix}.${name}`)
  if (!node.within) {
    const rootSlots = prefix === '' ? node.id : referenceSlots(prefix, node)
    return { root: node, rootSlots, innerSlots: [] }
  }
  const owner = placeOf(node.within, under(node.within.name))
  return { ...owner, innerSlots: [...owner.innerSlots, ...node.id.map(under)] }
}

export function partitionText(node: DeclaredNode, prefix = ''): string {
  const { root, rootSlots } = placeOf(node, prefix)
  return joined(root.name, rootSlots)
}

export function nodeSortText(node: DeclaredNode): string {
  return node.within ? joined(node.name, placeOf(node).innerSlots) : NODE_SORT
}

/** The slots that tell an edge from all others at that end: the other end, then its key. */
export function identitySlots(edge: DeclaredEdge, end: DeclaredEnd): string[] {
  const other = otherEnd(edge, end)
  return [...referenceSlots(other.name, other.node), ...edge.key]
}

export function otherEnd(edge: DeclaredEdge, end: DeclaredEnd): DeclaredEnd {
  return edge.ends[0] === end ? edge.ends[1] : edge.ends[0]
}

/** An order's parts as slots: an end stands for the parts of its id. */
export function orderSlots(edge: DeclaredEdge, order: readonly string[]): string[] {
  return order.flatMap(part => {
    const end = edge.ends.find(({ name }) => name === part)
    return end ? referenceSlots(end.name, end.node) : [part]
  })
}

/** The sort key of an edge at one of its ends: what it is ordered by, then what is left of its identity. */
export function edgeSortText(head: string, edge: DeclaredEdge, end: DeclaredEnd, order: readonly string[]): string {
  const { innerSlots } = placeOf(end.node, end.name)
  const first = orderSlots(edge, order)
  const rest = identitySlots(edge, end).filter(slot => !first.includes(slot))
  return joined(head, [...innerSlots, ...first, ...rest])
}

/** A path of a node's own: its name and what a read always gives. */
export function pathPartitionText(node: DeclaredNode, path: DeclaredPath): string {
  return joined(`${node.name}.${path.name}`, path.in)
}

/** The order, then what is left of the node's id, so that no two entries are equal. */
export function pathSortText(node: DeclaredNode, path: DeclaredPath): string {
  const rest = idSlots(node).filter(slot => !path.order.includes(slot) && !path.in.includes(slot))
  return [...path.order, ...rest].map(slot => `{${slot}}`).join('#') || NODE_SORT
}

/** A facet is an item of its own beside its node, which in its owner's partition is one of many. */
export function facetSortText(node: DeclaredNode, path: DeclaredPath): string {
  const { innerSlots } = placeOf(node)
  return joined(`${node.name}.${path.name}`, [...new Set([...innerSlots, ...path.in, ...path.order])])
}

export function uniquePartitionText(node: DeclaredNode, attribute: string): string {
  return joined(`${node.name}.${attribute}`, [attribute])
}

export { joined }
