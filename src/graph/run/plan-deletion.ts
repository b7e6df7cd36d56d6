import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { accessesOfPath } from '../../plan/identity.js'
import type { Plan, PlanStep } from '../../plan/plan.js'
import type { Sizes } from '../../plan/price/read-price.js'
import { planPath } from '../../plan/read/path.js'
import { renumberSteps } from '../../plan/step.js'
import { edgeGuardNamesAt, traitsOf } from '../../plan/type-traits.js'
import type { WriteOptions } from '../../plan/write/intent/row-change.js'
import {
  deletionPathsOf,
  ownedTypesOf,
  planDelete,
  planMarkChange,
  planMarkDeleting,
} from '../../plan/write/operations.js'
import type { OnDelete } from '../../schema/declarations.js'
import { NO_OPTIONS } from '../arguments.js'
import type { Context } from '../context.js'
import { planOwnedNodes } from './owned-nodes.js'

/** The number of edges in one page of a cascade. */
const PAGE_EDGES = 250

/** The deletion of a node and the policy for its edges. */
export interface NodeDeletion {
  readonly type: DeclaredType
  readonly id: unknown
  readonly edges?: OnDelete | undefined
}

export type DeletionPath = ReturnType<typeof deletionPathsOf>[number]

/**
 * Plans the sequential requests of a deletion. A cascade repeats the steps for each page of edges. As part of a
 * transaction or a batch, a deletion must fit in one request.
 */
export function planDeletion(
  context: Context,
  deletion: NodeDeletion,
  options: WriteOptions,
  isPart?: boolean,
  sizes: Sizes = NO_OPTIONS,
): Plan {
  const { layout } = context
  const { type, id, edges } = deletion
  const paths = deletionPathsOf(layout, type, edges)
  const ownedTypes = ownedTypesOf(layout, type)
  if (isPart || paths.length + ownedTypes.length === 0) return planDelete(layout, type.name, id, { ...options, edges })
  const withNote = ({ steps: [first, ...more] }: Plan, note: string) => [{ ...first!, notes: [note] }, ...more]
  const edgeReads = paths.map(path => {
    const note = path.onDelete === 'cascade' ? 'the edges found are deleted too' : 'one edge prevents the deletion'
    return { path, steps: withNote(planEdges(context, path, id, undefined, sizes), note) }
  })
  const ownedReads = ownedTypes.map(path => {
    const isDeleted = path.onDelete === 'cascade'
    const note = isDeleted
      ? 'each node found is deleted too, with the nodes that it owns'
      : 'one node prevents the deletion'
    return { path, steps: withNote(planOwnedNodes(context, path.type, id, sizes), note) }
  })
  const reads = [...edgeReads, ...ownedReads]
  const groups = [
    ...reads.filter(({ path }) => path.onDelete !== 'cascade').map(({ steps }) => steps),
    planMarkDeleting(layout, type.name, id, { ...options, edges }).steps,
    ...reads.map(({ steps }) => steps),
    planMarkChange(layout, 'deleteMarked', type.name, id, options).steps,
  ]
  const steps: PlanStep[] = []
  for (const group of groups) {
    const last = steps.length - 1
    // The groups run one after the other.
    for (const step of renumberSteps(group, steps.length))
      steps.push(last < 0 || step.after.length > 0 ? step : { ...step, after: [last] })
  }
  return { steps, answer: { shape: 'nothing' } }
}

/** Plans reading the edges that are deleted with a node, or the first edge that prevents its deletion. */
export function planEdges(
  { layout, tenant }: Context,
  { edge, end: path, onDelete }: DeletionPath,
  nodeId: unknown,
  cursor?: string,
  sizes?: Sizes,
): Plan {
  const consistent = accessesOfPath(layout, edge, path).every(access => access.consistent)
  const limit = onDelete === 'cascade' ? PAGE_EDGES : 1
  return planPath(layout, { type: edge.name, path, start: nodeId, limit, consistent, tenant, cursor, sizes })
}

/**
 * The stored names of aggregates of edges that are not deleted with the node. A node created again under the same id
 * would lack these edges.
 */
export const guardNamesOfRemainingEdges = (layout: Layout, { type, edges }: NodeDeletion): string[] =>
  traitsOf(layout, type.name).incomingEnds.flatMap(({ edge, end }) =>
    (end.onDelete === 'leave' ? edges : end.onDelete) === 'cascade' ? [] : edgeGuardNamesAt(layout, edge, end),
  )
