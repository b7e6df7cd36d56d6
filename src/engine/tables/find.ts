import type { Engine } from '../engine.js'
import { notFound, ServiceError, validation } from '../errors.js'
import type { VectorIndex } from '../vectors/vector-index.js'
import type { Index, Table } from './table.js'
import { isBeingCreated, restoreUnderWay, settle } from './transition.js'

const ARN = /^arn:([^:]*):dynamodb:([^:]*):([^:]*):([^/]+)\/([^/]+)(\/.*)?$/

/** The name of a table that an operation on tables names by name or by ARN. */
export function tableName({ region, accountId }: Engine, nameOrArn: string): string {
  const arn = ARN.exec(nameOrArn)
  if (!arn) return nameOrArn
  const [, partition, itsRegion, itsAccount, kind, name, part] = arn
  if (partition !== 'aws') throw validation(`1 validation error detected: Invalid AWS partition in '${nameOrArn}'`)
  if (itsRegion !== region) throw validation(`1 validation error detected: Invalid AWS region in '${nameOrArn}'`)
  if (kind !== 'table' || part !== undefined) throw noTable(nameOrArn)
  if (itsAccount !== accountId) throw new ServiceError('AccessDeniedException', 'Access is denied')
  return name!
}

/** The table that a data operation names, which must be there, and neither be made nor be deleted. */
export function findTable(engine: Engine, nameOrArn: string): Table {
  const table = engine.tables.get(nameOrArn) ?? tableOfArn(engine, nameOrArn)
  if (!table || ((table.transition || table.underWay.length > 0) && !isUsable(engine, table)))
    throw notFound('Requested resource not found')
  return table
}

function tableOfArn({ region, accountId, tables }: Engine, arn: string): Table | undefined {
  const [, partition, itsRegion, itsAccount, kind, name, part] = ARN.exec(arn) ?? []
  if (partition !== 'aws' || itsRegion !== region || itsAccount !== accountId) return undefined
  if (kind !== 'table' || part !== undefined) throw noTable(arn)
  return tables.get(name!)
}

const noTable = (arn: string) => validation(`1 validation error detected: Invalid resource type in '${arn}'`)

function isUsable(engine: Engine, table: Table): boolean {
  return settle(engine, table) && !table.transition
}

/** The table that an operation on tables names; only these say which one is missing. */
export function findTableItself(engine: Engine, nameOrArn: string): Table {
  const name = tableName(engine, nameOrArn)
  const table = engine.tables.get(name)
  if (!table || !settle(engine, table)) throw tableNotFound(name)
  return table
}

/** The same for an operation to which a table that is being created is not there yet. */
export function findCreatedTable(engine: Engine, nameOrArn: string): Table {
  const table = findTableItself(engine, nameOrArn)
  if (isBeingCreated(table)) throw tableNotFound(table.name)
  return table
}

/** The same for one to which only a table that is being restored is not. */
export function findUnlessRestoring(engine: Engine, nameOrArn: string): Table {
  const table = findTableItself(engine, nameOrArn)
  if (restoreUnderWay(engine, table)) throw tableNotFound(table.name)
  return table
}

const tableNotFound = (name: string) => notFound(`Requested resource not found: Table: ${name} not found`)

export function findIndex(table: Table, name: string): Index {
  const index = table.indexes.find(candidate => candidate.name === name)
  if (!index) throw validation(`The table does not have the specified index: ${name}`)
  if (table.underWay.some(({ creates }) => creates === name))
    throw validation(`Cannot read from backfilling global secondary index: ${name}`)
  return index
}

/** A vector index that can be searched. While it has no place yet it is as good as not there. */
export function findVectorIndex({ vectorIndexes, underWay }: Table, name: string): VectorIndex {
  const index = vectorIndexes.find(candidate => candidate.name === name)
  if (!index || underWay.some(({ allocates }) => allocates === name))
    throw validation(`The table does not have the specified index: ${name}`)
  if (!index.isFilled || underWay.some(({ creates }) => creates === name))
    throw validation(`Cannot search backfilling vector index: ${name}`)
  return index
}
