import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import type { Layout } from '../layout.js'
import { referenceSlots, storedTypeOf } from '../slots.js'
import { edgeAbove, tenantSlotOf, treeEndsOf } from './tree.js'

type Values = Readonly<Record<string, AttributeValue>>

/** The ancestors of a node, its parent first. Each is the values of its id, in the order of its slots. */
export type Lineage = readonly (readonly AttributeValue[])[]

/** The state of a closure, stored on the edge of the tree that leads to the node's parent. */
export interface ClosureState {
  /** The ancestors that the closure leads to. */
  readonly lineage: Lineage
  /** While a change takes several transactions: the lineages before it, whose items may remain. */
  readonly previous: readonly Lineage[]
}

/** The state of an edge of a tree; undefined if the consumer has not processed the edge, or the state is malformed. */
export function closureStateOf({ names }: Layout, tree: DeclaredEdge, edge: Item): ClosureState | undefined {
  const { lineage, previous = { L: [] } } = edge[names.lineage]?.M ?? {}
  const lineages = [lineage, ...(previous.L ?? [undefined])].map(each => toLineage(tree, each))
  if (lineages.includes(undefined)) return undefined
  const [current, ...others] = lineages as Lineage[]
  return { lineage: current!, previous: others }
}

/** Other programs may have written an invalid value, which is undefined here. */
function toLineage(tree: DeclaredEdge, value: AttributeValue | undefined): Lineage | undefined {
  const types = referenceSlots(treeEndsOf(tree).parent).map(slot => storedTypeOf(tree, slot)!)
  const isId = ({ L: id }: AttributeValue) => id?.length === types.length && types.every((type, at) => type in id[at]!)
  return value?.L?.every(isId) ? value.L.map(({ L = [] }) => L) : undefined
}

export function closureStateValue({ lineage, previous }: ClosureState): AttributeValue {
  const listOf = (ancestors: Lineage): AttributeValue => ({ L: ancestors.map(id => ({ L: [...id] })) })
  return { M: { lineage: listOf(lineage), ...(previous.length > 0 && { previous: { L: previous.map(listOf) } }) } }
}

/** The ancestors of the child of an edge: its parent, and then the ancestors of the parent. */
export function lineageBelow(tree: DeclaredEdge, edge: Values, above: Lineage): Lineage {
  const { parent } = treeEndsOf(tree)
  return [referenceSlots(parent).map(slot => edge[slot]!), ...above]
}

/** The rows of the closure that lead from a node to its ancestors. */
export function closureRowsOf(
  tree: DeclaredEdge,
  closure: DeclaredEdge,
  edge: Values,
  lineage: Lineage,
): Record<string, AttributeValue>[] {
  const { child, parent } = treeEndsOf(tree)
  const childSlots = referenceSlots(child)
  const id = childSlots.map(slot => edge[slot]!)
  const { depth, path } = closure.attributes
  return lineage.map((ancestor, at) => ({
    ...tenantSlotOf(edge),
    ...Object.fromEntries(childSlots.map((slot, i) => [slot, id[i]!])),
    ...Object.fromEntries(referenceSlots(parent).map((slot, i) => [slot, ancestor[i]!])),
    ...(depth && { depth: depth.encode(at + 1, `${closure.name}.depth`) }),
    ...(path && { path: path.encode(pathText([id, ...lineage.slice(0, at)]), `${closure.name}.path`) }),
  }))
}

/** The rows of the closure of a tree with these edges. */
export function closureRowsOfTree(
  tree: DeclaredEdge,
  closure: DeclaredEdge,
  edges: readonly Values[],
): Record<string, AttributeValue>[] {
  const childSlots = referenceSlots(treeEndsOf(tree).child)
  const keyOf = (edge: Values) => JSON.stringify([tenantSlotOf(edge), childSlots.map(slot => edge[slot])])
  const edgesByChild = new Map(edges.map(edge => [keyOf(edge), edge]))
  return edges.flatMap(edge => {
    const lineage: (readonly AttributeValue[])[] = []
    // The bound ends the loop if the edges form a cycle.
    for (let at: Values | undefined = edge; at && lineage.length < edges.length; ) {
      lineage.push(...lineageBelow(tree, at, []))
      at = edgesByChild.get(keyOf(edgeAbove(tree, at)))
    }
    return closureRowsOf(tree, closure, edge, lineage)
  })
}

/** Joins the ids of a path. */
export const PATH_SEPARATOR = '#'

/**
 * The ids from below an ancestor down to the node, as one text. The separator is less than all characters of the
 * escaped ids, so paths sort each node before its descendants, and these before the next sibling.
 */
const pathText = (fromNode: Lineage): string =>
  fromNode
    .map(([id]) => escapeId(String(Object.values(id!)[0])))
    .reverse()
    .join(PATH_SEPARATOR)

/** Escapes the characters up to the separator, and the escape itself, as in URLs. */
const escapeId = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these characters sort before the separator
  text.replace(/[\u0000-#%]/g, character => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`)
