import { TRANSACT_ITEMS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { writeCopies } from './change-copies.js'
import type { Change, Plan, Slots } from './plan.js'
import { planChanges } from './write-plan.js'
import { traitsOf } from './write-traits.js'

/** An edge, by what tells it from all others. */
export interface EdgeIdentity {
  readonly type: string
  readonly identity: Slots
}

/**
 * Brings what edges carry of nodes whose values can change up to what these have now: on the edges, their mirrors, the
 * keys of indexes and embedded entries. An edge that is not there, or has all of it, gives nothing to write.
 */
export function planCopies(layout: Layout, edges: readonly EdgeIdentity[]): Plan {
  const changes = edges.map(
    ({ type, identity }): Change => ({
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
export function copiesAtOnce(layout: Layout, type: string): number {
  const { type: edge, mirrors, sources } = traitsOf(layout, type)
  const { embed, ends } = edge as DeclaredEdge
  const touched = ends.filter(end => sources.includes(end) || embed.some(({ end: name }) => name === end.name))
  // The node that they share is written or checked once.
  const each = 1 + mirrors.length + Math.max(0, touched.length - 1)
  return Math.floor((TRANSACT_ITEMS - 1) / each)
}
