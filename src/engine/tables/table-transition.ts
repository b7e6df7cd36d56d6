import type { RestoreSummary, TableDescription } from '../../dynamodb/operations/table-description.js'
import type { Engine } from '../engine.js'
import { inUseError } from '../errors.js'
import { dropTableSpaces } from './build-table.js'
import type { Table } from './table.js'

/** The making or the deletion of a table, while it is under way. What it does to the table is done at once; it shows for some time. */
export interface TableTransition {
  readonly status: 'CREATING' | 'DELETING'
  readonly untilMs: number
  /** What DescribeTable answers meanwhile. */
  readonly shown: TableDescription
}

/** The change shows for as long as the engine is told to take for it. */
export function beginTransition(engine: Engine, table: Table, shown: TableDescription): void {
  const { transitionMs } = engine.settings
  if (transitionMs === 0) return
  const status = shown.TableStatus as TableTransition['status']
  table.transition = { status, untilMs: engine.now() + transitionMs, shown: structuredClone(shown) }
}

/** Ends what is over by now. Answers whether the table is still there. */
export function settleTable(engine: Engine, table: Table): boolean {
  const { transition, underWay } = table
  const isOver = ({ untilMs }: { untilMs: number }) => untilMs <= engine.now()
  if (underWay.some(isOver)) table.underWay = underWay.filter(each => !isOver(each))
  if (!transition || !isOver(transition)) return true
  table.transition = undefined
  if (transition.status !== 'DELETING') return true
  removeTable(engine, table)
  return false
}

export function removeTable(engine: Engine, table: Table): void {
  engine.tables.delete(table.name)
  dropTableSpaces(engine, table)
}

export const STILL_IN_USE = 'Attempt to change a resource which is still in use: '

/** What is beside a table, such as its tags, is not found as long as it is. */
export const isTableCreating = ({ transition }: Table) => transition?.status === 'CREATING'

/** Of what it is being made, while a table is being restored. */
export function pendingRestoreOf(engine: Engine, table: Table): RestoreSummary | undefined {
  return settleTable(engine, table) && isTableCreating(table) ? table.transition?.shown.RestoreSummary : undefined
}

export function checkNotCreating(table: Table): void {
  if (isTableCreating(table)) throw inUseError(`${STILL_IN_USE}Table is being created: ${table.name}`)
}

export function checkNotCreatingOrDeleting(table: Table): void {
  checkNotCreating(table)
  const { name, transition } = table
  if (transition?.status === 'DELETING') throw inUseError(`${STILL_IN_USE}Table is being deleted: ${name}`)
}
