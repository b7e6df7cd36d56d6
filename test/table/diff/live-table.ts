import type { TableDescription } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/memory.js'
import type { TableDesign } from '../../../src/layout/design.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'

/** The description of a live table of this design from the engine, with changes. */
export async function described(design: TableDesign, changes: Partial<TableDescription> = {}) {
  const store = memory()
  await store.createTable(toCreateTableInput(design))
  const { Table } = await store.describeTable({ TableName: design.name })
  return { ...Table, ...changes }
}
