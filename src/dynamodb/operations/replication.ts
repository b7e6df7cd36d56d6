import type { TableClass } from './table-description.js'
import type { OnDemandThroughputOverride, ProvisionedThroughputOverride } from './throughput.js'

export interface ReplicaGlobalSecondaryIndex {
  IndexName: string
  ProvisionedThroughputOverride?: ProvisionedThroughputOverride | undefined
  OnDemandThroughputOverride?: OnDemandThroughputOverride | undefined
}

export interface ReplicationGroupMember {
  RegionName: string
  KMSMasterKeyId?: string | undefined
  ProvisionedThroughputOverride?: ProvisionedThroughputOverride | undefined
  OnDemandThroughputOverride?: OnDemandThroughputOverride | undefined
  GlobalSecondaryIndexes?: ReplicaGlobalSecondaryIndex[] | undefined
  TableClassOverride?: TableClass | undefined
}

/** An update has exactly one of the four members. */
export interface ReplicationGroupUpdate {
  Create?: ReplicationGroupMember | undefined
  Update?: ReplicationGroupMember | undefined
  Delete?: { RegionName: string } | undefined
  Disassociate?: { RegionName: string; DisassociationMode: 'WAIT_FOR_REPLICATION' } | undefined
}
