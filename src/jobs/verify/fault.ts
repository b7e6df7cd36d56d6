import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem } from '../../plan/identity.js'
import { rowOf } from '../../plan/row.js'

/** The inconsistencies that `verify()` reports, with their descriptions. */
export const FAULTS = {
  'closure.orphan': 'an edge of a closure leads to a node that is not an ancestor in the tree',
  'closure.stale': 'the closure of a node differs from its ancestors in the tree',
  'computed.stale': 'a computed attribute differs from its computation',
  'copy.stale': 'a copy on an edge differs from its source',
  'counter.behind': 'changes of edges are not counted by the consumer yet',
  'counter.drift': 'a counter differs from the total of its edges',
  'counter.unnoted':
    'a counter is correct, but its edges are not recorded as counted, so their next change makes it wrong',
  'deletion.unfinished': 'a deletion of a node is unfinished; if none is running, call finishDeletes()',
  'edge.dangling': 'an edge leads to a node that does not exist',
  'edges.uncounted':
    'the internal edge count of a sum is wrong, or missing as in nodes of an earlier version, so the node cannot be deleted safely',
  'entry.drift': 'the entries in a node differ from its edges',
  'facet.missing': 'a facet is missing or differs from its node',
  'facet.orphan': 'a facet has no node',
  'index.stale': 'the index keys of an item differ from its values',
  'item.duplicate': 'an export has an item more than once',
  'item.unknown': 'an item does not belong to a type of the graph',
  'item.unreadable': 'an item has a value that does not match its declaration',
  'mark.missing': 'an item lacks its type mark, so scans miss it',
  'mirror.missing': 'a mirror is missing or differs from its edge',
  'mirror.orphan': 'a mirror has no edge',
  'owner.missing': 'the owner of an owned node does not exist',
  'sentinel.missing': 'a unique value has no sentinel, or its sentinel lacks the owner or would expire',
  'sentinel.orphan': 'a sentinel reserves a value that no node has',
  'sentinel.taken': 'two nodes have the same unique value',
  'tombstone.unspent': 'a deleted edge is still counted',
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
