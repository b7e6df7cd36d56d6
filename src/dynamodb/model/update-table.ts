import { max, min } from './constraints.js'
import { globalSecondaryIndexUpdates, vectorIndexUpdates } from './indexes.js'
import { managedTableName, NAME_RULES } from './members.js'
import { boolean, enumeration, list, long, required, structure, text } from './shapes.js'
import {
  attributeDefinitions,
  billingMode,
  encryption,
  settingsReplicationMode,
  streamSpecification,
  tableClass,
} from './tables.js'
import { onDemandThroughput, provisionedThroughput, warmThroughput } from './throughput.js'

const region = required(text())
const member = (name: string) => structure(name, { RegionName: region })

const overrides = {
  ProvisionedThroughputOverride: structure('ProvisionedThroughputOverride', { ReadCapacityUnits: long(min(1)) }),
  OnDemandThroughputOverride: structure('OnDemandThroughputOverride', { MaxReadRequestUnits: long() }),
}

const replica = (name: string) =>
  structure(name, {
    RegionName: region,
    KMSMasterKeyId: text(min(1)),
    ...overrides,
    GlobalSecondaryIndexes: list(
      structure('ReplicaGlobalSecondaryIndex', { IndexName: required(text(...NAME_RULES)), ...overrides }),
      min(1),
    ),
    TableClassOverride: tableClass,
  })

const replicaUpdates = list(
  structure('ReplicationGroupUpdate', {
    Create: replica('CreateReplicationGroupMemberAction'),
    Update: replica('UpdateReplicationGroupMemberAction'),
    Delete: member('DeleteReplicationGroupMemberAction'),
    Disassociate: structure('DisassociateReplicationGroupMemberAction', {
      RegionName: region,
      DisassociationMode: required(enumeration('WAIT_FOR_REPLICATION')),
    }),
  }),
  min(1),
)

const witnessUpdates = list(
  structure('GlobalTableWitnessGroupUpdate', {
    Create: member('CreateGlobalTableWitnessGroupMemberAction'),
    Delete: member('DeleteGlobalTableWitnessGroupMemberAction'),
  }),
  min(1),
  max(1),
)

export const updateTable = structure(
  'UpdateTableInput',
  {
    AttributeDefinitions: attributeDefinitions,
    TableName: managedTableName,
    BillingMode: billingMode,
    ProvisionedThroughput: provisionedThroughput,
    GlobalSecondaryIndexUpdates: globalSecondaryIndexUpdates,
    StreamSpecification: streamSpecification,
    SSESpecification: encryption,
    ReplicaUpdates: replicaUpdates,
    TableClass: tableClass,
    DeletionProtectionEnabled: boolean,
    MultiRegionConsistency: enumeration('EVENTUAL', 'STRONG'),
    GlobalTableWitnessUpdates: witnessUpdates,
    OnDemandThroughput: onDemandThroughput,
    WarmThroughput: warmThroughput,
    GlobalTableSettingsReplicationMode: settingsReplicationMode,
    DisassociationProtectionEnabled: boolean,
    VectorIndexUpdates: vectorIndexUpdates,
  },
  { first: ['AttributeDefinitions', 'TableName', 'BillingMode', 'ProvisionedThroughput'] },
)
