import type { UpdateTableAnswer, UpdateTableRequest } from '../../dynamodb/operations/update-table.js'
import type { Engine } from '../engine.js'
import { describeTable } from '../tables/describe.js'
import { findTableItself } from '../tables/find.js'
import { beginTransition } from '../tables/transition.js'
import { asUpdating, isUnderWay } from '../tables/update/answer.js'
import { applyUpdate } from '../tables/update/apply.js'
import { createdIndex } from '../tables/update/changes.js'
import { validateUpdateOfTable } from '../tables/update/table.validation.js'
import { checkAnyChange, forgetEmptyThroughput, validateUpdateTable } from './update-table.validation.js'

export function updateTable(engine: Engine, given: UpdateTableRequest): UpdateTableAnswer | Promise<UpdateTableAnswer> {
  // The caller may change the request afterwards.
  const request = structuredClone(given)
  validateUpdateTable(request)
  forgetEmptyThroughput(request)
  return engine.keyValues.write(() => {
    const table = findTableItself(engine, request.TableName)
    checkAnyChange(request)
    validateUpdateOfTable(engine, table, request)
    const before = describeTable(engine, table)
    applyUpdate(engine, table, request)
    const description = asUpdating(request, before, describeTable(engine, table))
    if (!table.transition && isUnderWay(description)) beginTransition(engine, table, description, createdIndex(request))
    return { TableDescription: description }
  })
}
