import type { Engine } from '../engine.js'
import { notFound, validation } from '../errors.js'
import type { Index, Table } from './table.js'

const TABLE_ARN = /^arn:aws[a-z-]*:dynamodb:[^:]*:[^:]*:table\/([^/]+)$/

/** The table that a data operation names, by name or ARN. */
export function findTable(engine: Engine, nameOrArn: string): Table {
  const table = engine.tables.get(nameOrArn) ?? engine.tables.get(TABLE_ARN.exec(nameOrArn)?.[1] ?? '')
  if (!table) throw notFound('Requested resource not found')
  return table
}

/** The table that an operation on tables names, by name or ARN; only these say which one is missing. */
export function findTableItself(engine: Engine, nameOrArn: string): Table {
  const name = TABLE_ARN.exec(nameOrArn)?.[1] ?? nameOrArn
  const table = engine.tables.get(name)
  if (!table) throw notFound(`Requested resource not found: Table: ${name} not found`)
  return table
}

export function findIndex(table: Table, name: string): Index {
  const index = table.indexes.find(candidate => candidate.name === name)
  if (!index) throw validation(`The table does not have the specified index: ${name}`)
  return index
}
