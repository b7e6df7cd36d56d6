import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { DeleteTableAnswer, DeleteTableRequest } from '../../dynamodb/operations/tables.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { dropSpaces } from '../tables/build.js'
import { describeTable } from '../tables/describe.js'
import { findTableItself } from '../tables/find.js'

export function deleteTable(engine: Engine, request: DeleteTableRequest): DeleteTableAnswer {
  const table = findTableItself(engine, request.TableName)
  if (table.description.DeletionProtectionEnabled) {
    throw validation(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
  }
  const description = asDeleting(describeTable(table))
  engine.tables.delete(table.name)
  dropSpaces(engine, table)
  return { TableDescription: description }
}

/** The service's answer no longer tells how the table is made up. */
function asDeleting(description: TableDescription): TableDescription {
  const {
    AttributeDefinitions,
    KeySchema,
    CreationDateTime,
    LocalSecondaryIndexes,
    GlobalSecondaryIndexes,
    VectorIndexes,
    WarmThroughput,
    ...rest
  } = description
  return { ...rest, TableStatus: 'DELETING' }
}
