import type { ListGlobalTablesOutput } from '../../../dynamodb/operations/global-tables.js'

/** Of the version from before DescribeTable told of replicas, of which there are none any more. */
export function listGlobalTables(): ListGlobalTablesOutput {
  return { GlobalTables: [] }
}
