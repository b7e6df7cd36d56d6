import { PARTITION, SORT } from './keys/default-keys.js'
import type { LayoutOptions } from './options.js'
import type { DeclaredType } from './slots.js'

/** The stored names of a layout. */
export interface StoredNames {
  /** The attributes of the table's key. */
  readonly keys: readonly string[]
  readonly partition: string
  /** The table's key in the form of an index. */
  readonly keySchema: { readonly partition: readonly string[]; readonly sort: readonly string[] }
  /** Empty if the table has no sort key: no attribute has an empty name. */
  readonly sort: string
  /** The attribute that holds the type of an item. */
  readonly type: string
  readonly etag: string
  readonly expires: string
  /** The expiry attribute if it is configured: other programs may write it to items of any type. */
  readonly configuredExpires: string | undefined
  /** The mark of a node that is being deleted. Readers treat the node as deleted. */
  readonly deletionMark: string
  /**
   * An attribute of an edge or its mirror: the values of the edge that the node of the same partition has already
   * counted.
   */
  readonly countedState: string
  /** An attribute of an edge of a tree with a closure: the ancestors of its child that the closure leads to. */
  readonly lineage: string
  /**
   * An attribute of a node: identifies this node among all nodes that have had its id. `countTag` changes with each
   * counting.
   */
  readonly incarnation: string
  readonly countTag: string
  /** Returns the stored name of a type's attribute, end or owner by its slot. */
  attributeOf(type: DeclaredType, slot: string): string
}

export function storedNamesOf({ names, type, table }: LayoutOptions): StoredNames {
  const { keys = [PARTITION, SORT], expires = '_expires' } = table ?? {}
  const [partition, sort = ''] = keys
  return {
    keys,
    partition,
    keySchema: { partition: [partition], sort: keys.slice(1) },
    sort,
    type: (typeof type === 'object' ? type.attribute : type) ?? '_type',
    etag: '_etag',
    expires,
    configuredExpires: table?.expires,
    deletionMark: '_going',
    countedState: '_counted',
    lineage: '_lineage',
    incarnation: '_life',
    countTag: '_counts',
    attributeOf: (declared, slot) => names?.[declared.name]?.[slot] ?? declared.attributes[slot]?.storedAs ?? slot,
  }
}
