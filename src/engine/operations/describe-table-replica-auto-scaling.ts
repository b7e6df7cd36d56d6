import type { DescribeTableReplicaAutoScalingRequest } from '../../dynamodb/operations/global-tables.js'
import type { Engine } from '../engine.js'
import { notFound } from '../errors.js'
import { tableName } from '../tables/find.js'
import { doesNotExist } from '../tables/no-global-tables.js'

/** Only tables of several regions have it; to the service others are not there. */
export function describeTableReplicaAutoScaling(
  engine: Engine,
  { TableName }: DescribeTableReplicaAutoScalingRequest,
): never {
  throw notFound(doesNotExist(tableName(engine, TableName)))
}
