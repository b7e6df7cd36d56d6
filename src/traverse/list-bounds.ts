import { ITEM_BYTES, PAGE_BYTES, READ_UNIT_BYTES } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { accessByName, typeByName } from '../plan/identity.js'
import type { PathQuery } from '../plan/read/options.js'
import { canMeetOtherKinds, querySourcesOf } from '../plan/read/query-sources.js'
import { traitsOf } from '../plan/type-traits.js'
import type { Hop } from './traversal.js'

/** Whether each node has at most one edge on a path. */
export function isSingle(layout: Layout, { type, path }: Pick<Hop, 'type' | 'path'>): boolean {
  const declared = typeByName(layout, type)
  return declared.kind === 'edge' && declared.one === path
}

/** The most items that the read of a list can meet, if no node has more edges than `degree`. It may be infinite. */
export function mostItemsOf(layout: Layout, query: PathQuery, degree: number): number {
  const { type, path, limit, filter } = query
  const sources = querySourcesOf(layout, accessByName(layout, type, path), query)
  if (sources.some(source => canMeetOtherKinds(layout, source))) return Number.POSITIVE_INFINITY
  if (isSingle(layout, query)) return 1
  if (limit === undefined) return degree
  // A read that skips rows goes on, page by page of its limit.
  const { expiryName, canBeDeleting } = traitsOf(layout, type)
  const skipsRows = filter !== undefined || expiryName !== undefined || canBeDeleting
  return skipsRows ? Number.POSITIVE_INFINITY : Math.min(limit, degree)
}

/** The most that the Queries of a list of so many items take. An item ends the page of 1 MB that it exceeds. */
export function mostOfQueries(
  items: number,
  queries: number,
  itemBytes = ITEM_BYTES,
): { readonly requests: number; readonly units: number } {
  const requests = queries * (Math.floor((items * itemBytes) / PAGE_BYTES) + 1)
  return { requests, units: (Math.ceil((items * itemBytes) / READ_UNIT_BYTES) + requests) / 2 }
}
