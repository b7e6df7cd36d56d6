import type { CreateGlobalTableInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { legacyGlobalTableError } from '../../tables/global-table-errors.js'
import { validateCreateGlobalTable } from './create-global-table.validation.js'

/** The service no longer creates global tables of the legacy version. */
export function createGlobalTable(_: Engine, request: CreateGlobalTableInput): never {
  validateCreateGlobalTable(request)
  throw legacyGlobalTableError()
}
