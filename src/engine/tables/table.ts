import type { TableDescription, Tag } from '../../dynamodb/operation-types.js'
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

/** The attributes that index entries have in addition to the key attributes. */
export type IndexProjection = 'ALL' | readonly string[]

export interface TableIndex {
  readonly name: string
  readonly kind: 'global' | 'local'
  readonly keys: KeySchema
  readonly projection: IndexProjection
  /** Every attribute that an entry can have; undefined for all. */
  readonly projected: ReadonlySet<string> | undefined
  readonly space: Space<StoredItem>
  /** Whether the table may have had items before the index was added. */
  readonly addedLater: boolean
  /** Undefined if writes are visible immediately. */
  readonly lag: IndexLag | undefined
  itemCount: number
  sizeBytes: number
}

/** A table as operations use it. */
export interface Table {
  readonly name: string
  readonly keys: KeySchema
  indexes: readonly TableIndex[]
  vectorIndexes: readonly TableVectorIndex[]
  readonly space: Space<StoredItem>
  /** The description of DescribeTable for an active table, without ARNs and counts. */
  description: TableDescription
  itemCount: number
  sizeBytes: number
  /** Undefined without a time to live. */
  expiry: ItemExpiry | undefined
  /** Undefined while the stream is disabled. */
  stream: Stream | undefined
  /** Defined while the table is being created or deleted. */
  transition: TableTransition | undefined
  /** The updates in progress. */
  underWay: readonly PendingUpdate[]
  changeTimes: ChangeTimes
  tags: readonly Tag[]
  pointInTimeRecovery: PointInTimeRecovery | undefined
  policy: Policy | undefined
  insights: readonly ContributorInsights[]
  /** The log of item changes; undefined without point-in-time recovery. */
  recovery: RecoveryLog | undefined
  /** The last change of tags, which may not be visible yet. */
  tagging?: TagUpdate
}

export interface PointInTimeRecovery {
  readonly sinceMs: number
  readonly days: number
  /** Whether changes are logged since then. Folders of versions without restores have only the setting. */
  readonly isNoted?: true
}
