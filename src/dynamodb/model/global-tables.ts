import { min } from './constraints.js'
import { scaling } from './global-table-settings.js'
import { managedTableName, NAME_RULES, nameLabeled } from './members.js'
import { integerShape, listShape, requiredShape, structureShape, textShape } from './shapes.js'

/** The complete message of the service for some requests. */
export const INVALID_VALUES = 'One or more parameter values were invalid'

const action = (name: string) => structureShape(name, { RegionName: requiredShape(textShape()) })

export const createGlobalTable = structureShape('CreateGlobalTableInput', {
  GlobalTableName: requiredShape(nameLabeled('TableName'), INVALID_VALUES),
  ReplicationGroup: requiredShape(listShape(structureShape('Replica', { RegionName: textShape() })), INVALID_VALUES),
})
export const updateGlobalTable = structureShape('UpdateGlobalTableInput', {
  GlobalTableName: requiredShape(textShape(...NAME_RULES)),
  ReplicaUpdates: requiredShape(
    listShape(
      structureShape('ReplicaUpdate', { Create: action('CreateReplicaAction'), Delete: action('DeleteReplicaAction') }),
    ),
  ),
})
export const describeGlobalTable = structureShape('DescribeGlobalTableInput', {
  GlobalTableName: requiredShape(nameLabeled('TableName')),
})
export const listGlobalTables = structureShape('ListGlobalTablesInput', {
  ExclusiveStartGlobalTableName: textShape(...NAME_RULES),
  Limit: integerShape(min(1)),
  RegionName: textShape(),
})
export const describeTableReplicaAutoScaling = structureShape('DescribeTableReplicaAutoScalingInput', {
  TableName: managedTableName,
})
export const updateTableReplicaAutoScaling = structureShape('UpdateTableReplicaAutoScalingInput', {
  GlobalSecondaryIndexUpdates: listShape(
    structureShape('GlobalSecondaryIndexAutoScalingUpdate', {
      IndexName: textShape(...NAME_RULES),
      ProvisionedWriteCapacityAutoScalingUpdate: scaling,
    }),
    min(1),
  ),
  TableName: managedTableName,
  ProvisionedWriteCapacityAutoScalingUpdate: scaling,
  ReplicaUpdates: listShape(
    structureShape('ReplicaAutoScalingUpdate', {
      RegionName: requiredShape(textShape()),
      ReplicaGlobalSecondaryIndexUpdates: listShape(
        structureShape('ReplicaGlobalSecondaryIndexAutoScalingUpdate', {
          IndexName: textShape(...NAME_RULES),
          ProvisionedReadCapacityAutoScalingUpdate: scaling,
        }),
      ),
      ReplicaProvisionedReadCapacityAutoScalingUpdate: scaling,
    }),
    min(1),
  ),
})
