import type { DescribeGlobalTableInput } from '../../../dynamodb/operations/global-tables.js'
import type { Engine } from '../../engine.js'
import { globalTableNotFoundError } from '../../tables/global-table-errors.js'

/** A table of one region is none, nor is one whose replicas DescribeTable tells of. */
export function describeGlobalTable(_: Engine, { GlobalTableName }: DescribeGlobalTableInput): never {
  throw globalTableNotFoundError(GlobalTableName)
}
