import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import type { DeclaredEdge, DeclaredNode, OnDelete } from '../../schema/declarations.js'
import type { Plan, PlannedChange } from '../plan.js'
import { traitsOf } from '../type-traits.js'
import { memberError, toIdentityChange, type WriteOptions } from './intent/row-change.js'
import { planChanges } from './plan-changes.js'

/** A path by which the edges of a node are found that go with it, or keep it. */
interface DeletionPath {
  readonly edge: DeclaredEdge
  readonly end: string
  readonly onDelete: 'cascade' | 'refuse'
}

/** A type whose nodes go with their owner, or keep it. */
interface OwnedType {
  readonly type: DeclaredNode
  readonly onDelete: 'cascade' | 'refuse'
}

/** The owned nodes that have to be looked for when their owner is deleted. */
export const ownedTypesOf = (layout: Layout, type: DeclaredType): OwnedType[] =>
  traitsOf(layout, type.name).ownedTypes.map(ownedType => ({
    type: ownedType,
    onDelete: ownedType.onDelete as 'cascade' | 'refuse',
  }))

/** The edges that have to be looked for when a node is deleted. A call can only say what becomes of those that would be left. */
export function deletionPathsOf(layout: Layout, type: DeclaredType, edges?: OnDelete): DeletionPath[] {
  return traitsOf(layout, type.name).incomingEnds.flatMap(({ edge, end: { name, onDelete: declared } }) => {
    const onDelete = declared === 'leave' ? (edges ?? declared) : declared
    // What is declared to keep the node does so whatever becomes of the rest.
    if (edges && edges !== onDelete && !(edges === 'cascade' && declared === 'refuse'))
      throw memberError('node.strict', type, edge.name, `says '${declared}' for its ${name}: leave '${edges}' out`)
    // Either end of an undirected edge finds all of them.
    const isSecondEnd = edge.undirected && name === edge.ends[1].name
    return onDelete === 'leave' || isSecondEnd ? [] : [{ edge, end: name, onDelete }]
  })
}

/**
 * Marks a node as being deleted, if it is there: it reads as absent, and no edge that is declared to go with it, or to
 * keep it, comes to it any more. It is refused while it keeps something under the names in `left`. Of what it returns,
 * `old` is the node as it was.
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

/** `stay` takes the mark off again, `gone` deletes the node, with all that is derived: where the mark is the given one. */
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
