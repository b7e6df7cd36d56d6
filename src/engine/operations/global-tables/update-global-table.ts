import type { UpdateGlobalTableInput } from '../../../dynamodb/operations/global-tables.js'
import type { Engine } from '../../engine.js'
import { globalTableNotFoundError, legacyGlobalTableError } from '../../tables/global-table-errors.js'
import { validateUpdateGlobalTable } from './update-global-table.validation.js'

/** No replica is added to any table, and there is none to take one from. */
export function updateGlobalTable(_: Engine, request: UpdateGlobalTableInput): never {
  validateUpdateGlobalTable(request)
  throw request.ReplicaUpdates.some(({ Create }) => Create)
    ? legacyGlobalTableError()
    : globalTableNotFoundError(request.GlobalTableName)
}
