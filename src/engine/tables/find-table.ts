import type { Engine } from '../engine.js'
import { notFoundError, ServiceError, validationError } from '../errors.js'
import type { TableVectorIndex } from '../vectors/vector-index.js'
import type { Table, TableIndex } from './table.js'
import { isTableCreating, pendingRestoreOf, settleTable } from './table-transition.js'

const ARN = /^arn:([^:]*):dynamodb:([^:]*):([^:]*):([^/]+)\/([^/]+)(\/.*)?$/

/** The name of a table that an operation on tables names by name or by ARN. */
export function resolveTableName({ region, accountId }: Engine, nameOrArn: string): string {
  const arn = ARN.exec(nameOrArn)
  if (!arn) return nameOrArn
  const [, partition, itsRegion, itsAccount, kind, name, part] = arn
  if (partition !== 'aws') throw validationError(`1 validation error detected: Invalid AWS partition in '${nameOrArn}'`)
  if (itsRegion !== region) throw validationError(`1 validation error detected: Invalid AWS region in '${nameOrArn}'`)
  if (kind !== 'table' || part !== undefined) throw invalidResourceTypeError(nameOrArn)
  if (itsAccount !== accountId) throw new ServiceError('AccessDeniedException', 'Access is denied')
  return name!
}

/** The table that a data operation names, which must be there, and neither be made nor be deleted. */
export function findTable(engine: Engine, nameOrArn: string): Table {
  const table = engine.tables.get(nameOrArn) ?? findTableByArn(engine, nameOrArn)
  if (!table || ((table.transition || table.underWay.length > 0) && !isTableUsable(engine, table)))
    throw notFoundError('Requested resource not found')
  return table
}

function findTableByArn({ region, accountId, tables }: Engine, arn: string): Table | undefined {
  const [, partition, itsRegion, itsAccount, kind, name, part] = ARN.exec(arn) ?? []
  if (partition !== 'aws' || itsRegion !== region || itsAccount !== accountId) return undefined
  if (kind !== 'table' || part !== undefined) throw invalidResourceTypeError(arn)
  return tables.get(name!)
}

const invalidResourceTypeError = (arn: string) =>
  validationError(`1 validation error detected: Invalid resource type in '${arn}'`)

function isTableUsable(engine: Engine, table: Table): boolean {
  return settleTable(engine, table) && !table.transition
}

/** The table that an operation on tables names; only these say which one is missing. */
export function findControlPlaneTable(engine: Engine, nameOrArn: string): Table {
  const name = resolveTableName(engine, nameOrArn)
  const table = engine.tables.get(name)
  if (!table || !settleTable(engine, table)) throw tableNotFoundError(name)
  return table
}

/** The same for an operation to which a table that is being created is not there yet. */
export function findCreatedTable(engine: Engine, nameOrArn: string): Table {
  const table = findControlPlaneTable(engine, nameOrArn)
  if (isTableCreating(table)) throw tableNotFoundError(table.name)
  return table
}

/** The same for one to which only a table that is being restored is not. */
export function findTableUnlessRestoring(engine: Engine, nameOrArn: string): Table {
  const table = findControlPlaneTable(engine, nameOrArn)
  if (pendingRestoreOf(engine, table)) throw tableNotFoundError(table.name)
  return table
}

const tableNotFoundError = (name: string) => notFoundError(`Requested resource not found: Table: ${name} not found`)

export function findIndex(table: Table, name: string): TableIndex {
  const index = table.indexes.find(candidate => candidate.name === name)
  if (!index) throw validationError(`The table does not have the specified index: ${name}`)
  if (table.underWay.some(({ creates }) => creates === name))
    throw validationError(`Cannot read from backfilling global secondary index: ${name}`)
  return index
}

/** A vector index that can be searched. While it has no place yet it is as good as not there. */
export function findVectorIndex({ vectorIndexes, underWay }: Table, name: string): TableVectorIndex {
  const index = vectorIndexes.find(candidate => candidate.name === name)
  if (!index || underWay.some(({ allocates }) => allocates === name))
    throw validationError(`The table does not have the specified index: ${name}`)
  if (!index.isFilled || underWay.some(({ creates }) => creates === name))
    throw validationError(`Cannot search backfilling vector index: ${name}`)
  return index
}
