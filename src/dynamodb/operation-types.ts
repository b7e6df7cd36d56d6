// The types of all operations: generated from AWS's model, and names that the model does not have.
import type { Described } from './described.js'
import type {
  CreateReplicationGroupMemberAction,
  DeleteGlobalSecondaryIndexAction,
  ProvisionedThroughput,
  QueryInput,
  RestoreTableFromBackupInput,
  Tag,
} from './generated/types.js'

export type * from './generated/types.js'

/** The names and values that every expression may refer to. */
export type ExpressionAttributes = Pick<QueryInput, 'ExpressionAttributeNames' | 'ExpressionAttributeValues'>

/** The settings in which a restored table differs from its source. */
export type RestoreOverrides = Omit<RestoreTableFromBackupInput, 'BackupArn' | 'TargetTableName'>

/** The deletion of a global or vector index, in UpdateTable. */
export type DeleteIndexAction = DeleteGlobalSecondaryIndexAction

/** A replica that UpdateTable creates or changes. */
export type ReplicationGroupMember = CreateReplicationGroupMemberAction

/** A tag as a response contains it. */
export type DescribedTag = Described<Tag>

/** The provisioned capacity; absent for on-demand tables. */
export type SourceThroughput = Described<ProvisionedThroughput>
