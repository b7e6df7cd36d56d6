import { min } from './constraints.js'
import { managedTableName, NAME_RULES, nameCalled } from './members.js'
import { integer, required, structure, text } from './shapes.js'

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
