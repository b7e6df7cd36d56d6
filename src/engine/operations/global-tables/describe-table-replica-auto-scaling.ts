import type { DescribeTableReplicaAutoScalingInput } from '../../../dynamodb/operations/global-tables.js'
import type { Engine } from '../../engine.js'
import { notFoundError } from '../../errors.js'
import { resolveTableName } from '../../tables/find-table.js'
import { globalTableNotFoundMessage } from '../../tables/global-table-errors.js'

/** Only tables of several regions have it; to the service others are not there. */
export function describeTableReplicaAutoScaling(
  engine: Engine,
  { TableName }: DescribeTableReplicaAutoScalingInput,
): never {
  throw notFoundError(globalTableNotFoundMessage(resolveTableName(engine, TableName)))
}
