import type { UpdateGlobalTableSettingsRequest } from '../../dynamodb/operations/global-table-settings.js'
import type { Engine } from '../engine.js'
import { noGlobalTableSettings } from '../tables/no-global-tables.js'

/** There is no table of the old version whose replicas could have others. */
export function updateGlobalTableSettings(_: Engine, { GlobalTableName }: UpdateGlobalTableSettingsRequest): never {
  throw noGlobalTableSettings(GlobalTableName)
}
