import type { AutoScalingSettingsUpdate } from './global-table-settings.js'
import type { ReplicaDescription, ReplicaStatus, TableStatus } from './table-description.js'

export interface CreateGlobalTableInput {
  GlobalTableName: string
  ReplicationGroup: Replica[]
}

export interface Replica {
  RegionName?: string | undefined
}

export interface CreateGlobalTableOutput {
  GlobalTableDescription?: GlobalTableDescription | undefined
}

export interface UpdateGlobalTableInput {
  GlobalTableName: string
  ReplicaUpdates: ReplicaUpdate[]
}

/** An update has exactly one of the two members. */
export interface ReplicaUpdate {
  Create?: { RegionName: string } | undefined
  Delete?: { RegionName: string } | undefined
}

export interface UpdateGlobalTableOutput {
  GlobalTableDescription?: GlobalTableDescription | undefined
}

export interface DescribeGlobalTableInput {
  GlobalTableName: string
}

export interface DescribeGlobalTableOutput {
  GlobalTableDescription?: GlobalTableDescription | undefined
}

export interface GlobalTableDescription {
  ReplicationGroup?: ReplicaDescription[] | undefined
  GlobalTableArn?: string | undefined
  CreationDateTime?: Date | undefined
  GlobalTableStatus?: 'CREATING' | 'ACTIVE' | 'DELETING' | 'UPDATING' | undefined
  GlobalTableName?: string | undefined
}

export interface ListGlobalTablesInput {
  ExclusiveStartGlobalTableName?: string | undefined
  Limit?: number | undefined
  RegionName?: string | undefined
}

export interface GlobalTable {
  GlobalTableName?: string | undefined
  ReplicationGroup?: Replica[] | undefined
}

export interface ListGlobalTablesOutput {
  GlobalTables?: GlobalTable[] | undefined
  LastEvaluatedGlobalTableName?: string | undefined
}

export interface DescribeTableReplicaAutoScalingInput {
  TableName: string
}

export interface DescribeTableReplicaAutoScalingOutput {
  TableAutoScalingDescription?: TableAutoScalingDescription | undefined
}

export interface UpdateTableReplicaAutoScalingInput {
  GlobalSecondaryIndexUpdates?: GlobalSecondaryIndexAutoScalingUpdate[] | undefined
  TableName: string
  ProvisionedWriteCapacityAutoScalingUpdate?: AutoScalingSettingsUpdate | undefined
  ReplicaUpdates?: ReplicaAutoScalingUpdate[] | undefined
}

export interface GlobalSecondaryIndexAutoScalingUpdate {
  IndexName?: string | undefined
  ProvisionedWriteCapacityAutoScalingUpdate?: AutoScalingSettingsUpdate | undefined
}

export interface ReplicaAutoScalingUpdate {
  RegionName: string
  ReplicaGlobalSecondaryIndexUpdates?: ReplicaGlobalSecondaryIndexAutoScalingUpdate[] | undefined
  ReplicaProvisionedReadCapacityAutoScalingUpdate?: AutoScalingSettingsUpdate | undefined
}

export interface ReplicaGlobalSecondaryIndexAutoScalingUpdate {
  IndexName?: string | undefined
  ProvisionedReadCapacityAutoScalingUpdate?: AutoScalingSettingsUpdate | undefined
}

export interface UpdateTableReplicaAutoScalingOutput {
  TableAutoScalingDescription?: TableAutoScalingDescription | undefined
}

export interface TableAutoScalingDescription {
  TableName?: string | undefined
  TableStatus?: TableStatus | undefined
  Replicas?: ReplicaAutoScalingDescription[] | undefined
}

export interface ReplicaAutoScalingDescription {
  RegionName?: string | undefined
  GlobalSecondaryIndexes?: ReplicaGlobalSecondaryIndexAutoScalingDescription[] | undefined
  ReplicaProvisionedReadCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
  ReplicaProvisionedWriteCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
  ReplicaStatus?: ReplicaStatus | undefined
}

export interface ReplicaGlobalSecondaryIndexAutoScalingDescription {
  IndexName?: string | undefined
  IndexStatus?: 'CREATING' | 'UPDATING' | 'DELETING' | 'ACTIVE' | undefined
  ProvisionedReadCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
  ProvisionedWriteCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
}

export interface AutoScalingSettingsDescription {
  MinimumUnits?: number | undefined
  MaximumUnits?: number | undefined
  AutoScalingDisabled?: boolean | undefined
  AutoScalingRoleArn?: string | undefined
  ScalingPolicies?: AutoScalingPolicyDescription[] | undefined
}

export interface AutoScalingPolicyDescription {
  PolicyName?: string | undefined
  TargetTrackingScalingPolicyConfiguration?:
    | {
        DisableScaleIn?: boolean | undefined
        ScaleInCooldown?: number | undefined
        ScaleOutCooldown?: number | undefined
        TargetValue: number | undefined
      }
    | undefined
}
