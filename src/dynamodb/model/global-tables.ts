import { min } from './constraints.js'
import { scaling } from './global-table-settings.js'
import { managedTableName, NAME_RULES, nameCalled } from './members.js'
import { integer, list, required, structure, text } from './shapes.js'

/** All that the service says of some requests. */
export const INVALID_VALUES = 'One or more parameter values were invalid'

const action = (name: string) => structure(name, { RegionName: required(text()) })

export const createGlobalTable = structure('CreateGlobalTableInput', {
  GlobalTableName: required(nameCalled('TableName'), INVALID_VALUES),
  ReplicationGroup: required(list(structure('Replica', { RegionName: text() })), INVALID_VALUES),
})
export const updateGlobalTable = structure('UpdateGlobalTableInput', {
  GlobalTableName: required(text(...NAME_RULES)),
  ReplicaUpdates: required(
    list(structure('ReplicaUpdate', { Create: action('CreateReplicaAction'), Delete: action('DeleteReplicaAction') })),
  ),
})
export const describeGlobalTable = structure('DescribeGlobalTableInput', {
  GlobalTableName: required(nameCalled('TableName')),
})
export const listGlobalTables = structure('ListGlobalTablesInput', {
  ExclusiveStartGlobalTableName: text(...NAME_RULES),
  Limit: integer(min(1)),
  RegionName: text(),
})
export const describeTableReplicaAutoScaling = structure('DescribeTableReplicaAutoScalingInput', {
  TableName: managedTableName,
})
export const updateTableReplicaAutoScaling = structure('UpdateTableReplicaAutoScalingInput', {
  GlobalSecondaryIndexUpdates: list(
    structure('GlobalSecondaryIndexAutoScalingUpdate', {
      IndexName: text(...NAME_RULES),
      ProvisionedWriteCapacityAutoScalingUpdate: scaling,
    }),
    min(1),
  ),
  TableName: managedTableName,
  ProvisionedWriteCapacityAutoScalingUpdate: scaling,
  ReplicaUpdates: list(
    structure('ReplicaAutoScalingUpdate', {
      RegionName: required(text()),
      ReplicaGlobalSecondaryIndexUpdates: list(
        structure('ReplicaGlobalSecondaryIndexAutoScalingUpdate', {
          IndexName: text(...NAME_RULES),
          ProvisionedReadCapacityAutoScalingUpdate: scaling,
        }),
      ),
      ReplicaProvisionedReadCapacityAutoScalingUpdate: scaling,
    }),
    min(1),
  ),
})
