import { TRANSACT_ITEMS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import type { Plan, PlannedChange, SlotValues } from '../plan.js'
import { traitsOf } from '../type-traits.js'
import { writeCopies } from './effects/copies.js'
import { planChanges } from './plan-changes.js'

/** An edge, by what tells it from all others. */
export interface EdgeIdentity {
  readonly type: string
  readonly identity: SlotValues
}

/**
 * Brings what edges carry of nodes whose values can change up to what these have now: on the edges, their mirrors, the
 * keys of indexes and embedded entries. An edge that is not there, or has all of it, gives nothing to write.
 */
export function planCopies(layout: Layout, edges: readonly EdgeIdentity[]): Plan {
  const changes = edges.map(
    ({ type, identity }): PlannedChange => ({
      type,
      verb: 'copy',
      identity,
      set: {},
      patch: {},
      etag: '',
      nowSeconds: 0,
      condition: undefined,
      returns: undefined,
      ends: undefined,
      compose: writeCopies,
    }),
  )
  return planChanges(layout, changes)
}

/** How many edges of one node always fit into one such call. */
export function maxCopiesPerCall(layout: Layout, type: string): number {
  const { type: edge, countedMirrors, carrySources } = traitsOf(layout, type)
  const { embed, ends } = edge as DeclaredEdge
  const writtenEnds = ends.filter(end => carrySources.includes(end) || embed.some(({ end: name }) => name === end.name))
  // The node that they share is written or checked once.
  const itemsPerEdge = 1 + countedMirrors.length + Math.max(0, writtenEnds.length - 1)
  return Math.floor((TRANSACT_ITEMS - 1) / itemsPerEdge)
}
