import type { DescribeGlobalTableInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { globalTableNotFoundError } from '../../tables/global-table-errors.js'

/** Always fails: a table is a legacy global table neither with one region nor with replicas in DescribeTable. */
export function describeGlobalTable(_: Engine, { GlobalTableName }: DescribeGlobalTableInput): never {
  throw globalTableNotFoundError(GlobalTableName)
}
