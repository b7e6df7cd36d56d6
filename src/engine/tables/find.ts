import type { Engine } from '../engine.js'
import { notFound, validation } from '../errors.js'
import type { Index, Table } from './table.js'

const TABLE_ARN = /^arn:aws[a-z-]*:dynamodb:([^:]*):([^:]*):table\/([^/]+)$/

/** The name of a table that is named by name or by ARN; undefined for one of another region or account. */
export function tableName({ region, accountId }: Engine, nameOrArn: string): string | undefined {
  const arn = TABLE_ARN.exec(nameOrArn)
  if (!arn) return nameOrArn
  return arn[1] === region && arn[2] === accountId ? arn[3] : undefined
}

/** The table that a data operation names. */
export function findTable(engine: Engine, nameOrArn: string): Table {
  const table = engine.tables.get(nameOrArn) ?? engine.tables.get(tableName(engine, nameOrArn) ?? '')
  if (!table) throw notFound('Requested resource not found')
  return table
}

/** The table that an operation on tables names; only these say which one is missing. */
export function findTableItself(engine: Engine, nameOrArn: string): Table {
  const name = tableName(engine, nameOrArn) ?? nameOrArn
  const table = engine.tables.get(name)
  if (!table) throw notFound(`Requested resource not found: Table: ${name} not found`)
  return table
}

export function findIndex(table: Table, name: string): Index {
  const index = table.indexes.find(candidate => candidate.name === name)
  if (!index) throw validation(`The table does not have the specified index: ${name}`)
  return index
}
