import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import type { DeclaredEdge, DeclaredNode, OnDelete } from '../schema/declared.js'
import type { Change, Plan } from './plan.js'
import { givenIdentity, refusal, type WriteOptions } from './write-given.js'
import { planChanges } from './write-plan.js'
import { traitsOf } from './write-traits.js'

/** A path by which the edges of a node are found that go with it, or keep it. */
interface GoingPath {
  readonly edge: DeclaredEdge
  readonly end: string
  readonly onDelete: 'cascade' | 'refuse'
}

/** A type whose nodes go with their owner, or keep it. */
interface OwnedPath {
  readonly type: DeclaredNode
  readonly onDelete: 'cascade' | 'refuse'
}

/** The owned nodes that have to be looked for when their owner is deleted. */
export const ownedPaths = (layout: Layout, type: DeclaredType): OwnedPath[] =>
  traitsOf(layout, type.name).owned.map(owned => ({ type: owned, onDelete: owned.onDelete as 'cascade' | 'refuse' }))

/** The edges that have to be looked for when a node is deleted. A call can only say what becomes of those that would be left. */
export function goingPaths(layout: Layout, type: DeclaredType, edges?: OnDelete): GoingPath[] {
  return traitsOf(layout, type.name).ends.flatMap(({ edge, end: { name, onDelete: declared } }) => {
    const onDelete = declared === 'leave' ? (edges ?? declared) : declared
    // What is declared to keep the node does so whatever becomes of the rest.
    if (edges && edges !== onDelete && !(edges === 'cascade' && declared === 'refuse'))
      throw refusal('node.strict', type, edge.name, `says '${declared}' for its ${name}: leave '${edges}' out`)
    // Either end of an undirected edge finds all of them.
    const isFound = edge.undirected && name === edge.ends[1].name
    return onDelete === 'leave' || isFound ? [] : [{ edge, end: name, onDelete }]
  })
}

/**
 * Marks a node as being deleted, if it is there: it reads as absent, and no edge that is declared to go with it, or to
 * keep it, comes to it any more. It is refused while it keeps something under the names in `left`. Of what it returns,
 * `old` is the node as it was.
 */
export function planGoing(
  layout: Layout,
  type: string,
  id: unknown,
  { edges = 'declared', ...options }: WriteOptions & { readonly edges?: OnDelete | 'declared' | undefined },
  left?: readonly string[],
): Plan {
  return planMarked(layout, 'going', type, id, { ...options, returns: 'old' }, edges, left)
}

/** `stay` takes the mark off again, `gone` deletes the node, with all that is derived: where the mark is the given one. */
export function planMarked(
  layout: Layout,
  verb: Change['verb'],
  type: string,
  id: unknown,
  options: WriteOptions,
  mark?: string,
  left?: readonly string[],
): Plan {
  const change = givenIdentity(traitsOf(layout, type), verb, id, options)
  return planChanges(layout, [{ ...change, mark, left }])
}
