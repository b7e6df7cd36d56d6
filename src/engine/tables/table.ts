import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { Tag } from '../../dynamodb/operations/tables.js'
import type { RecoveryLog } from '../backups/recovery-log.js'
import type { IndexLag } from '../indexes/index-lag.js'
import type { KeySchema } from '../keys/key-schema.js'
import type { Space } from '../keyvalues/port.js'
import type { Policy } from '../policies/policy.js'
import type { Stream } from '../streams/stream.js'
import type { StoredItem } from '../values/stored-item.js'
import type { TableVectorIndex } from '../vectors/vector-index.js'
import type { ContributorInsights } from './contributor-insights.js'
import type { ItemExpiry } from './item-expiry.js'
import type { PendingUpdate } from './pending-update.js'
import type { TableTransition } from './table-transition.js'
import type { TagUpdate } from './tag-update.js'
import type { ChangeTimes } from './update/change-limits.validation.js'

/** What every entry of an index holds beside its own and the table's key attributes. */
export type IndexProjection = 'ALL' | readonly string[]

export interface TableIndex {
  readonly name: string
  readonly kind: 'global' | 'local'
  readonly keys: KeySchema
  readonly projection: IndexProjection
  /** Every attribute that an entry can hold, or undefined where it holds all. */
  readonly projected: ReadonlySet<string> | undefined
  readonly space: Space<StoredItem>
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
  indexes: readonly TableIndex[]
  vectorIndexes: readonly TableVectorIndex[]
  readonly space: Space<StoredItem>
  /** What DescribeTable answers once the table is active, but for ARNs and what changes with every write. */
  description: TableDescription
  itemCount: number
  sizeBytes: number
  /** Where items have a time to live. */
  expiry: ItemExpiry | undefined
  /** While it is enabled. */
  stream: Stream | undefined
  /** While it is being created or deleted. */
  transition: TableTransition | undefined
  /** The updates that are not over. */
  underWay: readonly PendingUpdate[]
  changeTimes: ChangeTimes
  tags: readonly Tag[]
  pointInTimeRecovery: PointInTimeRecovery | undefined
  policy: Policy | undefined
  insights: readonly ContributorInsights[]
  /** What its items were, while that is enabled. */
  recovery: RecoveryLog | undefined
  /** The last change of its tags, which may not show yet. */
  tagging?: TagUpdate
}

export interface PointInTimeRecovery {
  readonly sinceMs: number
  readonly days: number
  /** Whether changes are noted since then. A folder from before there were restores has the setting alone. */
  readonly isNoted?: true
}
