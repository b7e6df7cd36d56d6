import type { DescribeGlobalTableSettingsRequest } from '../../dynamodb/operations/global-table-settings.js'
import type { Engine } from '../engine.js'
import { noGlobalTableSettings } from '../tables/no-global-tables.js'

/** Not of a table whose replicas DescribeTable tells of either. */
export function describeGlobalTableSettings(_: Engine, { GlobalTableName }: DescribeGlobalTableSettingsRequest): never {
  throw noGlobalTableSettings(GlobalTableName)
}
