import type { UpdateTableInput, UpdateTableOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { toTableDescription } from '../../tables/description/table-description.js'
import { findTableUnlessRestoring } from '../../tables/find-table.js'
import { applyUpdate } from '../../tables/update/apply-update.js'
import { beginUpdate } from '../../tables/update/begin-update.js'
import { validateTableUpdate } from '../../tables/update/table.validation.js'
import { checkAnyChange, removeEmptyThroughput, validateUpdateTable } from './update-table.validation.js'

export function updateTable(engine: Engine, input: UpdateTableInput): UpdateTableOutput | Promise<UpdateTableOutput> {
  // The caller may modify the request after the call.
  const request = structuredClone(input)
  validateUpdateTable(engine, request)
  removeEmptyThroughput(request)
  return engine.keyValues.write(() => {
    const table = findTableUnlessRestoring(engine, request.TableName)
    checkAnyChange(request)
    validateTableUpdate(engine, table, request)
    const before = toTableDescription(engine, table)
    applyUpdate(engine, table, request)
    return { TableDescription: beginUpdate(engine, table, request, before) }
  })
}
