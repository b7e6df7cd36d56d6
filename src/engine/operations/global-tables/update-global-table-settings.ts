import type { UpdateGlobalTableSettingsInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { globalTableSettingsNotFoundError } from '../../tables/global-table-errors.js'

/** Always fails: no table of the legacy version exists. */
export function updateGlobalTableSettings(_: Engine, { GlobalTableName }: UpdateGlobalTableSettingsInput): never {
  throw globalTableSettingsNotFoundError(GlobalTableName)
}
