import type { UpdateGlobalTableInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { globalTableNotFoundError, legacyGlobalTableError } from '../../tables/global-table-errors.js'
import { validateUpdateGlobalTable } from './update-global-table.validation.js'

/** Always fails: a legacy global table cannot be created, so it has no replicas to change. */
export function updateGlobalTable(_: Engine, request: UpdateGlobalTableInput): never {
  validateUpdateGlobalTable(request)
  throw request.ReplicaUpdates.some(({ Create }) => Create)
    ? legacyGlobalTableError()
    : globalTableNotFoundError(request.GlobalTableName)
}
