import type { UpdateTableAnswer, UpdateTableRequest } from '../../dynamodb/operations/update-table.js'
import type { Engine } from '../engine.js'
import { describeTable } from '../tables/describe.js'
import { findUnlessRestoring } from '../tables/find.js'
import { applyUpdate } from '../tables/update/apply.js'
import { beginUpdate } from '../tables/update/begin.js'
import { validateUpdateOfTable } from '../tables/update/table.validation.js'
import { checkAnyChange, forgetEmptyThroughput, validateUpdateTable } from './update-table.validation.js'

export function updateTable(engine: Engine, given: UpdateTableRequest): UpdateTableAnswer | Promise<UpdateTableAnswer> {
  // The caller may change the request afterwards.
  const request = structuredClone(given)
  validateUpdateTable(engine, request)
  forgetEmptyThroughput(request)
  return engine.keyValues.write(() => {
    const table = findUnlessRestoring(engine, request.TableName)
    checkAnyChange(request)
    validateUpdateOfTable(engine, table, request)
    const before = describeTable(engine, table)
    applyUpdate(engine, table, request)
    return { TableDescription: beginUpdate(engine, table, request, before) }
  })
}
