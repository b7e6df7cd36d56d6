import type { VectorDistanceFunction } from '../../dynamodb/operations/indexes.js'
import type { IndexLag } from '../indexes/index-lag.js'
import type { KeyAttribute } from '../keys/key-schema.js'
import type { Space } from '../keyvalues/port.js'
import type { StoredItem } from '../values/stored-item.js'

/** An index of the vectors that items have in one attribute, for searches of the nearest. */
export interface TableVectorIndex {
  readonly name: string
  /** Where items have their vector. */
  readonly attribute: string
  readonly dimensions: number
  readonly distance: VectorDistanceFunction
  /** Where the index is divided: every search names one value of it, and items without it are not in the index. */
  readonly partition: KeyAttribute | undefined
  /** What a search may ask for beside that. */
  readonly filters: readonly KeyAttribute[]
  /** Every attribute that an entry can hold beside its vector, or undefined where it holds all. */
  readonly projected: ReadonlySet<string> | undefined
  readonly space: Space<StoredItem>
  /** Where it does not show every write at once. */
  readonly lag: IndexLag | undefined
  /** Whether it holds every item that belongs to it. One from before there were searches does not until it is filled. */
  isFilled: boolean
  itemCount: number
  sizeBytes: number
}
