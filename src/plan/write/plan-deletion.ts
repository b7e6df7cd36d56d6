import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import type { DeclaredEdge, DeclaredNode, OnDelete } from '../../schema/declarations.js'
import type { Plan, PlannedChange } from '../plan.js'
import { traitsOf } from '../type-traits.js'
import { memberError, toIdentityChange, type WriteOptions } from './intent/row-change.js'
import { planChanges } from './plan-changes.js'

/** A path that finds the edges that are deleted with a node, or that prevent its deletion. */
interface DeletionPath {
  readonly edge: DeclaredEdge
  readonly end: string
  readonly onDelete: 'cascade' | 'refuse'
}

/** A type whose nodes are deleted with their owner, or prevent its deletion. */
interface OwnedType {
  readonly type: DeclaredNode
  readonly onDelete: 'cascade' | 'refuse'
}

/** The types of owned nodes that the deletion of their owner must find. */
export const ownedTypesOf = (layout: Layout, type: DeclaredType): OwnedType[] =>
  traitsOf(layout, type.name).ownedTypes.map(ownedType => ({
    type: ownedType,
    onDelete: ownedType.onDelete as 'cascade' | 'refuse',
  }))

/**
 * The paths to edges that the deletion of a node must find. A call may override the policy only for edges that are
 * declared as `leave`.
 */
export function deletionPathsOf(layout: Layout, type: DeclaredType, edges?: OnDelete): DeletionPath[] {
  return traitsOf(layout, type.name).incomingEnds.flatMap(({ edge, end: { name, onDelete: declared } }) => {
    const onDelete = declared === 'leave' ? (edges ?? declared) : declared
    // Edges declared as `refuse` prevent the deletion even in a cascade.
    if (edges && edges !== onDelete && !(edges === 'cascade' && declared === 'refuse'))
      throw memberError(
        'node.strict',
        type,
        edge.name,
        `the edge declares onDelete: '${declared}' for its end '${name}'; leave the option edges: '${edges}' out`,
      )
    // A path from either end of an undirected edge finds all edges.
    const isSecondEnd = edge.undirected && name === edge.ends[1].name
    return onDelete === 'leave' || isSecondEnd ? [] : [{ edge, end: name, onDelete }]
  })
}

/**
 * Plans marking a node as being deleted, if it exists. A marked node reads as missing, and accepts no new edges that
 * would be deleted with it or would prevent its deletion. The write fails while an aggregate in `mustBeEmpty` has
 * contents. The result's `old` is the node before the write.
 */
export function planMarkDeleting(
  layout: Layout,
  type: string,
  id: unknown,
  { edges = 'declared', ...options }: WriteOptions & { readonly edges?: OnDelete | 'declared' | undefined },
  mustBeEmpty?: readonly string[],
): Plan {
  return planMarkChange(layout, 'markDeleting', type, id, { ...options, returns: 'old' }, edges, mustBeEmpty)
}

/**
 * Plans the end of a deletion, if the node has the given mark. `unmarkDeleting` removes the mark; `deleteMarked`
 * deletes the node with its derived data.
 */
export function planMarkChange(
  layout: Layout,
  verb: PlannedChange['verb'],
  type: string,
  id: unknown,
  options: WriteOptions,
  mark?: string,
  mustBeEmpty?: readonly string[],
): Plan {
  const change = toIdentityChange(traitsOf(layout, type), verb, id, options)
  return planChanges(layout, [{ ...change, mark, mustBeEmpty }])
}
