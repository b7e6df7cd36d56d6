import type { VectorDistanceFunction } from '../../dynamodb/operation-types.js'
import type { IndexLag } from '../indexes/index-lag.js'
import type { KeyAttribute } from '../keys/key-schema.js'
import type { Space } from '../keyvalues/port.js'
import type { StoredItem } from '../values/stored-item.js'

/** A vector index on one attribute, for nearest-neighbor searches. */
export interface TableVectorIndex {
  readonly name: string
  /** The attribute with the vector. */
  readonly attribute: string
  readonly dimensions: number
  readonly distance: VectorDistanceFunction
  /** The partition attribute. Every search specifies one value of it, and items without it are not in the index. */
  readonly partition: KeyAttribute | undefined
  /** The attributes by which a search can filter. */
  readonly filters: readonly KeyAttribute[]
  /** Every attribute that an entry can have in addition to its vector; undefined for all. */
  readonly projected: ReadonlySet<string> | undefined
  readonly space: Space<StoredItem>
  /** Undefined if writes are visible immediately. */
  readonly lag: IndexLag | undefined
  /**
   * Whether the index contains every item that belongs to it. Indexes of versions without searches must be filled
   * first.
   */
  isFilled: boolean
  itemCount: number
  sizeBytes: number
}
