import type { AttributeDefinition, GlobalSecondaryIndex, VectorIndex } from './indexes.js'
import type { ReplicationGroupUpdate } from './replication.js'
import type {
  GlobalTableSettingsReplicationMode,
  StreamSpecification,
  TableClass,
  TableDescription,
} from './table-description.js'
import type { SSESpecification } from './tables.js'
import type { BillingMode, OnDemandThroughput, ProvisionedThroughput, WarmThroughput } from './throughput.js'

export interface UpdateGlobalSecondaryIndexAction {
  IndexName: string
  ProvisionedThroughput?: ProvisionedThroughput | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: WarmThroughput | undefined
}

export interface DeleteIndexAction {
  IndexName: string
}

/** An update has exactly one of the three members. */
export interface GlobalSecondaryIndexUpdate {
  Update?: UpdateGlobalSecondaryIndexAction | undefined
  Create?: GlobalSecondaryIndex | undefined
  Delete?: DeleteIndexAction | undefined
}

/** An update has exactly one of the two members. */
export interface VectorIndexUpdate {
  Create?: VectorIndex | undefined
  Delete?: DeleteIndexAction | undefined
}

export interface GlobalTableWitnessGroupUpdate {
  Create?: { RegionName: string } | undefined
  Delete?: { RegionName: string } | undefined
}

export interface UpdateTableInput {
  TableName: string
  /** The key attributes of new indexes, including those that the table already defines. */
  AttributeDefinitions?: AttributeDefinition[] | undefined
  BillingMode?: BillingMode | undefined
  ProvisionedThroughput?: ProvisionedThroughput | undefined
  GlobalSecondaryIndexUpdates?: GlobalSecondaryIndexUpdate[] | undefined
  StreamSpecification?: StreamSpecification | undefined
  SSESpecification?: SSESpecification | undefined
  ReplicaUpdates?: ReplicationGroupUpdate[] | undefined
  TableClass?: TableClass | undefined
  DeletionProtectionEnabled?: boolean | undefined
  MultiRegionConsistency?: 'EVENTUAL' | 'STRONG' | undefined
  GlobalTableWitnessUpdates?: GlobalTableWitnessGroupUpdate[] | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: WarmThroughput | undefined
  GlobalTableSettingsReplicationMode?: GlobalTableSettingsReplicationMode | undefined
  DisassociationProtectionEnabled?: boolean | undefined
  VectorIndexUpdates?: VectorIndexUpdate[] | undefined
}

export interface UpdateTableOutput {
  TableDescription?: TableDescription | undefined
}
