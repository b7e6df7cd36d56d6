import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { DeclaredEdge, DeclaredEnd } from '../../schema/declarations.js'
import { referenceSlots, TENANT_SLOT } from '../slots.js'

type Values = Readonly<Record<string, AttributeValue>>

/** The ends of an edge of a tree. */
export interface TreeEnds {
  readonly child: DeclaredEnd
  readonly parent: DeclaredEnd
}

export function treeEndsOf({ ends, one }: DeclaredEdge): TreeEnds {
  const [first, second] = ends
  return first.name === one ? { child: first, parent: second } : { child: second, parent: first }
}

/** The slots that identify the edge above: the parent of this edge is its child. */
export function edgeAbove(tree: DeclaredEdge, edge: Values): Values {
  const { child, parent } = treeEndsOf(tree)
  return { ...tenantSlotOf(edge), ...moveReference(edge, parent, child) }
}

/** The slots that the edges below share: the child of this edge is their parent. */
export function edgesBelow(tree: DeclaredEdge, edge: Values): Values {
  const { child, parent } = treeEndsOf(tree)
  return { ...tenantSlotOf(edge), ...moveReference(edge, child, parent) }
}

export const tenantSlotOf = ({ [TENANT_SLOT]: tenant }: Values): Values => (tenant ? { [TENANT_SLOT]: tenant } : {})

/** The node at one end of an edge, as the values of another end. */
function moveReference(edge: Values, from: DeclaredEnd, to: DeclaredEnd): Values {
  const sourceSlots = referenceSlots(from)
  return Object.fromEntries(referenceSlots(to).map((slot, i) => [slot, edge[sourceSlots[i]!]!]))
}
