import type { DescribeGlobalTableRequest } from '../../dynamodb/operations/global-tables.js'
import type { Engine } from '../engine.js'
import { noGlobalTable } from '../tables/no-global-tables.js'

/** A table of one region is none, nor is one whose replicas DescribeTable tells of. */
export function describeGlobalTable(_: Engine, { GlobalTableName }: DescribeGlobalTableRequest): never {
  throw noGlobalTable(GlobalTableName)
}
