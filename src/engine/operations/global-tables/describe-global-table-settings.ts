import type { DescribeGlobalTableSettingsInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { globalTableSettingsNotFoundError } from '../../tables/global-table-errors.js'

/** Always fails: only global tables of the legacy version have settings, not tables with replicas in DescribeTable. */
export function describeGlobalTableSettings(_: Engine, { GlobalTableName }: DescribeGlobalTableSettingsInput): never {
  throw globalTableSettingsNotFoundError(GlobalTableName)
}
