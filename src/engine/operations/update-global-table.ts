import type { UpdateGlobalTableRequest } from '../../dynamodb/operations/global-tables.js'
import type { Engine } from '../engine.js'
import { noGlobalTable, oldVersion } from '../tables/no-global-tables.js'
import { validateUpdateGlobalTable } from './update-global-table.validation.js'

/** No replica is added to any table, and there is none to take one from. */
export function updateGlobalTable(_: Engine, request: UpdateGlobalTableRequest): never {
  validateUpdateGlobalTable(request)
  throw request.ReplicaUpdates.some(({ Create }) => Create) ? oldVersion() : noGlobalTable(request.GlobalTableName)
}
