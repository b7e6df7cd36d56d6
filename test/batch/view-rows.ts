import type { SqlRow } from '../../src/batch/duckdb.js'
import type { TypeView, ViewColumn } from '../../src/batch/views/create-views.js'
import type { AttributeValue } from '../../src/dynamodb/index.js'
import { membersOf } from '../../src/layout/row-members.js'
import { setRowMember } from '../../src/plan/row.js'

/** The row of edgewise that a row of a view stands for. */
export function graphRow(view: TypeView, row: SqlRow): Record<string, unknown> {
  const made: Record<string, unknown> = {}
  for (const column of view.columns) {
    const value = row[column.name]
    if (value === null || column.slot === 'tenant') continue
    setRowMember(made, column.at, graphValue(view, column, value))
  }
  return made
}

function graphValue({ kind: { type } }: TypeView, { slot }: ViewColumn, value: unknown): unknown {
  const { attribute } = membersOf(type).find(member => member.slot === slot)!
  switch (attribute.kind) {
    case 'set':
      return new Set(value as unknown[])
    case 'number':
    case 'counter':
      return Number(value)
    case 'bigint':
      return BigInt(value as string)
    case 'embedded':
      return attribute.decode({ M: value as Record<string, AttributeValue> })
    case 'json':
    case 'validated':
      return attribute.decode(value as AttributeValue)
    case 'binary':
      return new Uint8Array(value as Uint8Array)
    default:
      return value
  }
}
