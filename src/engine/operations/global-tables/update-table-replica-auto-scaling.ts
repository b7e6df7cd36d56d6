import type { UpdateTableReplicaAutoScalingInput } from '../../../dynamodb/operations/global-tables.js'
import type { Engine } from '../../engine.js'
import { notFoundError } from '../../errors.js'
import { resolveTableName } from '../../tables/find-table.js'
import { globalTableNotFoundMessage } from '../../tables/global-table-errors.js'

/** To the service a table of one region is not there to be scaled, as when it is described. */
export function updateTableReplicaAutoScaling(
  engine: Engine,
  { TableName }: UpdateTableReplicaAutoScalingInput,
): never {
  throw notFoundError(globalTableNotFoundMessage(resolveTableName(engine, TableName)))
}
