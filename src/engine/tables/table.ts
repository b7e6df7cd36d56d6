import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { Tag } from '../../dynamodb/operations/tables.js'
import type { Recovery } from '../backups/recovery.js'
import type { IndexLag } from '../indexes/lag.js'
import type { KeySchema } from '../keys/schema.js'
import type { Space } from '../keyvalues/port.js'
import type { Policy } from '../policies/policy.js'
import type { Stream } from '../streams/stream.js'
import type { Stored } from '../values/stored.js'
import type { VectorIndex } from '../vectors/vector-index.js'
import type { Expiry } from './expiry.js'
import type { Insights } from './insights.js'
import type { Tagging } from './tagging.js'
import type { Transition } from './transition.js'
import type { UnderWay } from './under-way.js'
import type { ChangeTimes } from './update/change-limits.validation.js'

/** What every entry of an index holds beside its own and the table's key attributes. */
export type Projection = 'ALL' | readonly string[]

export interface Index {
  readonly name: string
  readonly kind: 'global' | 'local'
  readonly keys: KeySchema
  readonly projection: Projection
  /** Every attribute that an entry can hold, or undefined where it holds all. */
  readonly projected: ReadonlySet<string> | undefined
  readonly space: Space<Stored>
  /** Whether the table may have had items before it. */
  readonly addedLater: boolean
  /** Where it does not show every write at once. */
  readonly lag: IndexLag | undefined
  itemCount: number
  sizeBytes: number
}

/** A table as the operations use it. */
export interface Table {
  readonly name: string
  readonly keys: KeySchema
  indexes: readonly Index[]
  vectorIndexes: readonly VectorIndex[]
  readonly space: Space<Stored>
  /** What DescribeTable answers once the table is active, but for ARNs and what changes with every write. */
  description: TableDescription
  itemCount: number
  sizeBytes: number
  /** Where items have a time to live. */
  expiry: Expiry | undefined
  /** While it is enabled. */
  stream: Stream | undefined
  /** While it is being created or deleted. */
  transition: Transition | undefined
  /** The updates that are not over. */
  underWay: readonly UnderWay[]
  changeTimes: ChangeTimes
  tags: readonly Tag[]
  pointInTimeRecovery: PointInTimeRecovery | undefined
  policy: Policy | undefined
  insights: readonly Insights[]
  /** What its items were, while that is enabled. */
  recovery: Recovery | undefined
  /** The last change of its tags, which may not show yet. */
  tagging?: Tagging
}

export interface PointInTimeRecovery {
  readonly sinceMs: number
  readonly days: number
  /** Whether changes are noted since then. A folder from before there were restores has the setting alone. */
  readonly isNoted?: true
}
