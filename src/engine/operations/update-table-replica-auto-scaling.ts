import type { UpdateTableReplicaAutoScalingRequest } from '../../dynamodb/operations/global-tables.js'
import type { Engine } from '../engine.js'
import { notFound } from '../errors.js'
import { tableName } from '../tables/find.js'
import { doesNotExist } from '../tables/no-global-tables.js'

/** To the service a table of one region is not there to be scaled, as when it is described. */
export function updateTableReplicaAutoScaling(
  engine: Engine,
  { TableName }: UpdateTableReplicaAutoScalingRequest,
): never {
  throw notFound(doesNotExist(tableName(engine, TableName)))
}
