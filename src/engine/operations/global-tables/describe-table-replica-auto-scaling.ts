import type { DescribeTableReplicaAutoScalingInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { notFoundError } from '../../errors.js'
import { resolveTableName } from '../../tables/find-table.js'
import { globalTableNotFoundMessage } from '../../tables/global-table-errors.js'

/**
 * Always fails: only tables with several regions have auto scaling of replicas, and the service reports others as not
 * found.
 */
export function describeTableReplicaAutoScaling(
  engine: Engine,
  { TableName }: DescribeTableReplicaAutoScalingInput,
): never {
  throw notFoundError(globalTableNotFoundMessage(resolveTableName(engine, TableName)))
}
