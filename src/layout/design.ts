import type { KeyAttributeType } from '../dynamodb/attribute-value.js'

/** The physical table of a layout. The room `layout` makes it, and the room `table` reads it. */
export interface TableDesign {
  /** The default name of the table. Functions that use the table accept another. */
  readonly name: string
  readonly keys: { readonly partition: string; readonly sort?: string }
  /** The types of all key attributes of the table and its indexes, and of no other attributes. */
  readonly attributes: Readonly<Record<string, KeyAttributeType>>
  readonly indexes: readonly IndexDesign[]
  readonly capacity: 'on-demand' | ProvisionedCapacity
  readonly stream: StreamView
  /** The attribute that holds the expiry time of an item. */
  readonly expires: string | undefined
  /** Whether every partition key begins with a tenant. */
  readonly tenant: boolean
  /**
   * The partition key of the item with the layout's fingerprint. The item has no tenant, and every tenant may read it.
   */
  readonly fingerprint?: string | undefined
  /** The kinds of items. `findings` fills them in for a layout. */
  readonly kinds?: readonly KindDesign[] | undefined
}

/** Provisioned capacity in units per second. */
export interface ProvisionedCapacity {
  readonly read: number
  readonly write: number
}

/** The content of the records of a stream. */
export type StreamView = 'none' | 'keys' | 'new' | 'old' | 'both'

/** An index of a table. */
export interface IndexDesign {
  readonly name: string
  readonly kind: 'global' | 'local'
  /**
   * The attributes of the partition key: up to four on a global index. A local index has the partition key of the
   * table.
   */
  readonly partition: readonly string[]
  /** The attributes of the sort key: up to four on a global index, one on a local index. */
  readonly sort: readonly string[]
  /** The attributes of the entries in addition to the keys of the index and of the table. */
  readonly project: 'all' | 'keys' | readonly string[]
  /** The capacity of a global index of a provisioned table; by default the capacity of the table. */
  readonly capacity?: ProvisionedCapacity | undefined
  /** The paths that read the index, as text. */
  readonly serves: readonly string[]
  /**
   * The number of values of the partition key including shards, if it is known to be small (a constant, a choice of
   * words, a boolean, a range of integers). Of several readers, the one with the fewest values counts. `findings`
   * computes it for a layout.
   */
  readonly distinctPartitions?: number | undefined
  /** The number of shards of each value; 1 by default. */
  readonly shards?: number | undefined
}

/** A kind of item in the table, as `findings` needs it. */
export interface KindDesign {
  readonly name: string
  /** The key templates as text. Kinds whose partition templates differ only in slot names share item collections. */
  readonly partition: string
  readonly sort?: string | undefined
  /** The maximum size of an item, for kinds that can become large. `findings` estimates it for a layout. */
  readonly largestBytes?: number | undefined
  /** The reason for the size, as text: `64 entries of pupils`. */
  readonly largestReason?: string | undefined
  /** The maximum number of items in one partition; unlimited by default. */
  readonly perPartition?: number | undefined
}
