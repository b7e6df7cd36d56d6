import type { ListGlobalTablesOutput } from '../../../dynamodb/operation-types.js'

/** Lists global tables of the legacy version, which can no longer be created. */
export function listGlobalTables(): ListGlobalTablesOutput {
  return { GlobalTables: [] }
}
