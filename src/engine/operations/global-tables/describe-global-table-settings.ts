import type { DescribeGlobalTableSettingsInput } from '../../../dynamodb/operations/global-table-settings.js'
import type { Engine } from '../../engine.js'
import { globalTableSettingsNotFoundError } from '../../tables/global-table-errors.js'

/** Not of a table whose replicas DescribeTable tells of either. */
export function describeGlobalTableSettings(_: Engine, { GlobalTableName }: DescribeGlobalTableSettingsInput): never {
  throw globalTableSettingsNotFoundError(GlobalTableName)
}
