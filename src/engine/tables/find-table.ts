import type { Engine } from '../engine.js'
import { notFoundError, ServiceError, validationError } from '../errors.js'
import type { TableVectorIndex } from '../vectors/vector-index.js'
import type { Table, TableIndex } from './table.js'
import { isTableCreating, pendingRestoreOf, settleTable } from './table-transition.js'

const ARN = /^arn:([^:]*):dynamodb:([^:]*):([^:]*):([^/]+)\/([^/]+)(\/.*)?$/

/** Returns the name of a table from its name or ARN. */
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

/** Finds the table of a data operation. Throws if it does not exist or is being created or deleted. */
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

/** Finds the table of a control plane operation, whose error names the missing table. */
export function findControlPlaneTable(engine: Engine, nameOrArn: string): Table {
  const name = resolveTableName(engine, nameOrArn)
  const table = engine.tables.get(name)
  if (!table || !settleTable(engine, table)) throw tableNotFoundError(name)
  return table
}

/** Finds the table of an operation that reports a table in creation as missing. */
export function findCreatedTable(engine: Engine, nameOrArn: string): Table {
  const table = findControlPlaneTable(engine, nameOrArn)
  if (isTableCreating(table)) throw tableNotFoundError(table.name)
  return table
}

/** Finds the table of an operation that reports only a table in restoration as missing. */
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

/** Finds a vector index to search. An index in its allocation phase is not found. */
export function findVectorIndex({ vectorIndexes, underWay }: Table, name: string): TableVectorIndex {
  const index = vectorIndexes.find(candidate => candidate.name === name)
  if (!index || underWay.some(({ allocates }) => allocates === name))
    throw validationError(`The table does not have the specified index: ${name}`)
  if (!index.isFilled || underWay.some(({ creates }) => creates === name))
    throw validationError(`Cannot search backfilling vector index: ${name}`)
  return index
}
