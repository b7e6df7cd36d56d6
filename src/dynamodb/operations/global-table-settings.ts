import type { AutoScalingSettingsDescription } from './global-tables.js'
import type { BillingModeSummary, ReplicaStatus, TableClass, TableClassSummary } from './table-description.js'
import type { BillingMode } from './throughput.js'

export interface DescribeGlobalTableSettingsInput {
  GlobalTableName: string
}

export interface DescribeGlobalTableSettingsOutput {
  GlobalTableName?: string | undefined
  ReplicaSettings?: ReplicaSettingsDescription[] | undefined
}

export interface ReplicaSettingsDescription {
  RegionName: string | undefined
  ReplicaStatus?: ReplicaStatus | undefined
  ReplicaBillingModeSummary?: BillingModeSummary | undefined
  ReplicaProvisionedReadCapacityUnits?: number | undefined
  ReplicaProvisionedReadCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
  ReplicaProvisionedWriteCapacityUnits?: number | undefined
  ReplicaProvisionedWriteCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
  ReplicaGlobalSecondaryIndexSettings?: ReplicaGlobalSecondaryIndexSettingsDescription[] | undefined
  ReplicaTableClassSummary?: TableClassSummary | undefined
}

export interface ReplicaGlobalSecondaryIndexSettingsDescription {
  IndexName: string | undefined
  IndexStatus?: 'CREATING' | 'UPDATING' | 'DELETING' | 'ACTIVE' | undefined
  ProvisionedReadCapacityUnits?: number | undefined
  ProvisionedReadCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
  ProvisionedWriteCapacityUnits?: number | undefined
  ProvisionedWriteCapacityAutoScalingSettings?: AutoScalingSettingsDescription | undefined
}

export interface UpdateGlobalTableSettingsInput {
  GlobalTableName: string
  GlobalTableBillingMode?: BillingMode | undefined
  GlobalTableProvisionedWriteCapacityUnits?: number | undefined
  GlobalTableProvisionedWriteCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdate | undefined
  GlobalTableGlobalSecondaryIndexSettingsUpdate?: GlobalTableGlobalSecondaryIndexSettingsUpdate[] | undefined
  ReplicaSettingsUpdate?: ReplicaSettingsUpdate[] | undefined
}

export interface AutoScalingSettingsUpdate {
  MinimumUnits?: number | undefined
  MaximumUnits?: number | undefined
  AutoScalingDisabled?: boolean | undefined
  AutoScalingRoleArn?: string | undefined
  ScalingPolicyUpdate?: AutoScalingPolicyUpdate | undefined
}

export interface AutoScalingPolicyUpdate {
  PolicyName?: string | undefined
  TargetTrackingScalingPolicyConfiguration: {
    DisableScaleIn?: boolean | undefined
    ScaleInCooldown?: number | undefined
    ScaleOutCooldown?: number | undefined
    TargetValue: number
  }
}

export interface GlobalTableGlobalSecondaryIndexSettingsUpdate {
  IndexName: string
  ProvisionedWriteCapacityUnits?: number | undefined
  ProvisionedWriteCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdate | undefined
}

export interface ReplicaSettingsUpdate {
  RegionName: string
  ReplicaProvisionedReadCapacityUnits?: number | undefined
  ReplicaProvisionedReadCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdate | undefined
  ReplicaGlobalSecondaryIndexSettingsUpdate?: ReplicaGlobalSecondaryIndexSettingsUpdate[] | undefined
  ReplicaTableClass?: TableClass | undefined
}

export interface ReplicaGlobalSecondaryIndexSettingsUpdate {
  IndexName: string
  ProvisionedReadCapacityUnits?: number | undefined
  ProvisionedReadCapacityAutoScalingSettingsUpdate?: AutoScalingSettingsUpdate | undefined
}

export interface UpdateGlobalTableSettingsOutput {
  GlobalTableName?: string | undefined
  ReplicaSettings?: ReplicaSettingsDescription[] | undefined
}
