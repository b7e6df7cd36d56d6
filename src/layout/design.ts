import type { KeyAttributeType } from '../dynamodb/attribute-value.js'

/** What a layout asks of its physical table: the seam between `layout`, which makes it, and `table`, which reads it. */
export interface TableDesign {
  /** The name where none is given; the real one is given where the table is used. */
  readonly name: string
  readonly keys: { readonly partition: string; readonly sort?: string }
  /** The type of every attribute that is in a key of the table or of an index, and of no other. */
  readonly attributes: Readonly<Record<string, KeyAttributeType>>
  readonly indexes: readonly IndexDesign[]
  readonly capacity: 'on-demand' | ProvisionedCapacity
  readonly stream: StreamView
  /** The attribute with the time at which an item expires. */
  readonly expires: string | undefined
  /** Whether the leading part of every partition key is a tenant. */
  readonly tenant: boolean
  /** The partition key of the item with the layout's fingerprint, which has no tenant and which every tenant may read. */
  readonly fingerprint?: string | undefined
  /** `findings` knows those of a layout. */
  readonly kinds?: readonly KindDesign[] | undefined
}

/** Units a second. */
export interface ProvisionedCapacity {
  readonly read: number
  readonly write: number
}

/** What a stream has of each change. */
export type StreamView = 'none' | 'keys' | 'new' | 'old' | 'both'

/** An index of a table. */
export interface IndexDesign {
  readonly name: string
  readonly kind: 'global' | 'local'
  /** Attributes of the partition key: one, or up to four on a global index. Of a local one, the table's own. */
  readonly partition: readonly string[]
  /** Attributes of the sort key: none or up to four on a global index, one on a local one. */
  readonly sort: readonly string[]
  /** What the entries hold beside the keys of the index and of the table. */
  readonly project: 'all' | 'keys' | readonly string[]
  /** Of a global index of a provisioned table; the table's own where it is not given. */
  readonly capacity?: ProvisionedCapacity | undefined
  /** What reads it, in words. */
  readonly serves: readonly string[]
  /**
   * How many values the partition key can have, shards counted, where they are known to be few (a constant, a choice of
   * words, a boolean, a range of integers). Of several readers the one with the fewest. `findings` counts them in a layout.
   */
  readonly distinctPartitions?: number | undefined
  /** Into how many shards each of these values is spread; 1 where not given. */
  readonly shards?: number | undefined
}

/** A kind of item in the table, as far as findings need to know it. */
export interface KindDesign {
  readonly name: string
  /** The templates of its keys as text. Kinds whose partition differs only in the names of its parts share their item collections. */
  readonly partition: string
  readonly sort?: string | undefined
  /** The largest such an item can be, where something is known to make it large. `findings` reckons it for a layout. */
  readonly largestBytes?: number | undefined
  /** What makes it so large, in words: `64 entries of pupils`. */
  readonly largestReason?: string | undefined
  /** How many of these one partition can hold; without bound where it is not given. */
  readonly perPartition?: number | undefined
}
