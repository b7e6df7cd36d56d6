import { LIST_TABLES_NAMES } from '../../../dynamodb/limits.js'
import type { ListTablesInput, ListTablesOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { settleTable } from '../../tables/table-transition.js'

export function listTables(engine: Engine, request: ListTablesInput): ListTablesOutput {
  const { ExclusiveStartTableName: after = '', Limit = LIST_TABLES_NAMES } = request
  for (const table of engine.tables.values()) settleTable(engine, table)
  // Names are ASCII, so the order of characters is byte order.
  const names = [...engine.tables.keys()].filter(name => name > after).sort()
  if (names.length <= Limit) return { TableNames: names }
  const page = names.slice(0, Limit)
  return { TableNames: page, LastEvaluatedTableName: page.at(-1) }
}
