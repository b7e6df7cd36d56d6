import type { UpdateTableReplicaAutoScalingInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { notFoundError } from '../../errors.js'
import { resolveTableName } from '../../tables/find-table.js'
import { globalTableNotFoundMessage } from '../../tables/global-table-errors.js'

/** Always fails: the service reports a table with one region as not found, as DescribeTableReplicaAutoScaling does. */
export function updateTableReplicaAutoScaling(
  engine: Engine,
  { TableName }: UpdateTableReplicaAutoScalingInput,
): never {
  throw notFoundError(globalTableNotFoundMessage(resolveTableName(engine, TableName)))
}
