import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import { rowOf } from '../../plan/row.js'

/** The inconsistencies that `verify()` reports, with their descriptions. */
export const FAULTS = {
  'computed.stale': 'a computed attribute is not what it is computed from tells',
  'copy.stale': 'a copy on an edge is not what its source has',
  'counter.behind': 'edges have changed that the consumer has not counted yet',
  'counter.drift': 'a counter is not what its edges add up to',
  'counter.unnoted':
    'a counter is right, but its edges are not noted as counted in it: their next change makes it wrong',
  'deletion.unfinished':
    'a node has been marked as being deleted for a while: where nobody is at it, call finishDeletes()',
  'edge.dangling': 'an edge leads to a node that is not there',
  'edges.uncounted':
    'the hidden number of edges behind a sum is missing, as in nodes of an earlier version, or wrong: the node cannot be deleted safely',
  'entry.drift': 'the entries in a node are not those of its edges',
  'facet.missing': 'a facet is missing, or not as its node is',
  'facet.orphan': 'a facet is of no node',
  'index.stale': 'the keys of an index are not what the item says',
  'item.unknown': 'an item is of no type of the graph',
  'item.unreadable': 'an item has a value that is not as declared',
  'mark.missing': 'an item lacks the mark of its type, so that scans miss it',
  'mirror.missing': 'a mirror is missing, or not as its edge is',
  'mirror.orphan': 'a mirror is of no edge',
  'owner.missing': 'an owned node is left whose owner does not exist',
  'sentinel.missing':
    'a unique value has no sentinel, or one that does not say whose it is, or that would expire by itself',
  'sentinel.orphan': 'a sentinel keeps a value that nobody has',
  'sentinel.taken': 'two nodes have one unique value',
  'tombstone.unspent': 'a deleted edge is still in a counter',
} as const

/** The code of an inconsistency. */
export type FaultCode = keyof typeof FAULTS

/** An inconsistency and its repair. */
export interface VerifyFault {
  readonly code: FaultCode
  /** Name of the type of the node or the edge. Empty if it is unknown. */
  readonly type: string
  /** The row of the item as far as it can be read, or else its key. */
  readonly row: Readonly<Record<string, unknown>>
  readonly name?: string | undefined
  readonly expected?: AttributeValue | Item | undefined
  readonly found?: AttributeValue | Item | undefined
  /** Whether an index was read, which may lag behind. */
  readonly mayLag?: boolean
  /** The edges that prove the fault, with their etags. A later inspection must find the same ones. */
  readonly evidence?: Readonly<Record<string, Item>> | undefined
  /** Repairs the fault under the same conditions as every write. Undefined if a person must decide. */
  readonly repair?: (() => Promise<unknown>) | undefined
}

/**
 * Returns an id that distinguishes the faults of one item. A path has one facet per value, so facets are identified by
 * key.
 */
export function faultIdOf(
  { names }: Layout,
  { code, name, expected }: Pick<VerifyFault, 'code' | 'name' | 'expected'>,
): string {
  return JSON.stringify([code, name, code === 'facet.missing' ? keyOfItem(names, expected as Item) : undefined])
}

export function faultRowOf(layout: Layout, kind: Kind, item: Item): Readonly<Record<string, unknown>> {
  try {
    return rowOf(layout, kind, item)
  } catch {
    return keyRowOf(layout, item)
  }
}

export function keyRowOf({ names }: Layout, item: Item): Record<string, unknown> {
  return Object.fromEntries(names.keys.map(name => [name, keyAttributeText(item[name])]))
}
