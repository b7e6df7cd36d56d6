import { max, min } from './constraints.js'
import { globalSecondaryIndexUpdates, vectorIndexUpdates } from './indexes.js'
import { managedTableName, NAME_RULES } from './members.js'
import { booleanShape, enumShape, listShape, longShape, requiredShape, structureShape, textShape } from './shapes.js'
import {
  attributeDefinitions,
  billingMode,
  encryption,
  settingsReplicationMode,
  streamSpecificationShape,
  tableClass,
} from './tables.js'
import { onDemandThroughput, provisionedThroughput, warmThroughput } from './throughput.js'

const region = requiredShape(textShape())
const member = (name: string) => structureShape(name, { RegionName: region })

const overrides = {
  ProvisionedThroughputOverride: structureShape('ProvisionedThroughputOverride', {
    ReadCapacityUnits: longShape(min(1)),
  }),
  OnDemandThroughputOverride: structureShape('OnDemandThroughputOverride', { MaxReadRequestUnits: longShape() }),
}

const replica = (name: string) =>
  structureShape(name, {
    RegionName: region,
    KMSMasterKeyId: textShape(min(1)),
    ...overrides,
    GlobalSecondaryIndexes: listShape(
      structureShape('ReplicaGlobalSecondaryIndex', {
        IndexName: requiredShape(textShape(...NAME_RULES)),
        ...overrides,
      }),
      min(1),
    ),
    TableClassOverride: tableClass,
  })

const replicaUpdates = listShape(
  structureShape('ReplicationGroupUpdate', {
    Create: replica('CreateReplicationGroupMemberAction'),
    Update: replica('UpdateReplicationGroupMemberAction'),
    Delete: member('DeleteReplicationGroupMemberAction'),
    Disassociate: structureShape('DisassociateReplicationGroupMemberAction', {
      RegionName: region,
      DisassociationMode: requiredShape(enumShape('WAIT_FOR_REPLICATION')),
    }),
  }),
  min(1),
)

const witnessUpdates = listShape(
  structureShape('GlobalTableWitnessGroupUpdate', {
    Create: member('CreateGlobalTableWitnessGroupMemberAction'),
    Delete: member('DeleteGlobalTableWitnessGroupMemberAction'),
  }),
  min(1),
  max(1),
)

export const updateTable = structureShape(
  'UpdateTableInput',
  {
    AttributeDefinitions: attributeDefinitions,
    TableName: managedTableName,
    BillingMode: billingMode,
    ProvisionedThroughput: provisionedThroughput,
    GlobalSecondaryIndexUpdates: globalSecondaryIndexUpdates,
    StreamSpecification: streamSpecificationShape,
    SSESpecification: encryption,
    ReplicaUpdates: replicaUpdates,
    TableClass: tableClass,
    DeletionProtectionEnabled: booleanShape,
    MultiRegionConsistency: enumShape('EVENTUAL', 'STRONG'),
    GlobalTableWitnessUpdates: witnessUpdates,
    OnDemandThroughput: onDemandThroughput,
    WarmThroughput: warmThroughput,
    GlobalTableSettingsReplicationMode: settingsReplicationMode,
    DisassociationProtectionEnabled: booleanShape,
    VectorIndexUpdates: vectorIndexUpdates,
  },
  { first: ['AttributeDefinitions', 'TableName', 'BillingMode', 'ProvisionedThroughput'] },
)
