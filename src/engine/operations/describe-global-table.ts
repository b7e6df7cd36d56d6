import type { DescribeGlobalTableRequest } from '../../dynamodb/operations/global-tables.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'

/** A table of one region is none, nor is one whose replicas DescribeTable tells of. */
export function describeGlobalTable(_: Engine, { GlobalTableName }: DescribeGlobalTableRequest): never {
  throw new ServiceError(
    'GlobalTableNotFoundException',
    `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
  )
}
