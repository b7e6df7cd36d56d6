import { TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { ownKindByName, tableKeyOf } from '../identity.js'
import type { Plan, PlannedChange, PlanStep, SlotValues } from '../plan.js'
import { traitsOf } from '../type-traits.js'
import { copyWritesOf } from './effects/copies.js'
import type { ReadItems } from './effects/item-write.js'
import { planChanges } from './plan-changes.js'
import { type WriteToSend, writeToSend } from './request.js'

/** An edge type and the identity of one of its edges. */
export interface EdgeIdentity {
  readonly type: string
  readonly identity: SlotValues
}

/**
 * Plans updating the carried copies of edges on their items, mirrors, index keys and embedded entries. A missing or
 * up-to-date edge needs no write.
 */
export function planCopies(layout: Layout, edges: readonly EdgeIdentity[]): Plan {
  const changes = edges.map(
    ({ type, identity }): PlannedChange => ({
      type,
      verb: 'copy',
      identity,
      key: tableKeyOf(layout, ownKindByName(layout, type), identity),
      set: {},
      patch: {},
      etag: '',
      nowSeconds: 0,
      condition: undefined,
      returns: undefined,
      ends: undefined,
    }),
  )
  return planChanges(layout, changes)
}

/**
 * Builds the request of a plan of `planCopies`; undefined when all copies are current. Other calls complete their
 * writes without this code, so that it is not in their bundle.
 */
export const completeCopies = (
  layout: Layout,
  { changes }: Pick<PlanStep, 'changes'>,
  readItems?: ReadItems,
): WriteToSend | undefined => writeToSend(layout, copyWritesOf(layout, changes!, readItems), changes!)

/** The number of edges of one node that always fit into one call. */
export function maxCopiesPerCall(layout: Layout, type: string): number {
  const { type: edge, countedMirrors, carrySources } = traitsOf(layout, type)
  const { embed, ends } = edge as DeclaredEdge
  const writtenEnds = ends.filter(end => carrySources.includes(end) || embed.some(({ end: name }) => name === end.name))
  // The shared node needs one write or check in total.
  const itemsPerEdge = 1 + countedMirrors.length + Math.max(0, writtenEnds.length - 1)
  return Math.floor((TRANSACT_ITEMS - 1) / itemsPerEdge)
}
