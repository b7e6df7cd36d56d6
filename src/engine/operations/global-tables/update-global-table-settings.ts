import type { UpdateGlobalTableSettingsInput } from '../../../dynamodb/operations/global-table-settings.js'
import type { Engine } from '../../engine.js'
import { globalTableSettingsNotFoundError } from '../../tables/global-table-errors.js'

/** There is no table of the old version whose replicas could have others. */
export function updateGlobalTableSettings(_: Engine, { GlobalTableName }: UpdateGlobalTableSettingsInput): never {
  throw globalTableSettingsNotFoundError(GlobalTableName)
}
