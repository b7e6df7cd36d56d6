import type { CreateGlobalTableRequest } from '../../dynamodb/operations/global-tables.js'
import type { Engine } from '../engine.js'
import { oldVersion } from '../tables/no-global-tables.js'
import { validateCreateGlobalTable } from './create-global-table.validation.js'

/** The service makes none any more. */
export function createGlobalTable(_: Engine, request: CreateGlobalTableRequest): never {
  validateCreateGlobalTable(request)
  throw oldVersion()
}
