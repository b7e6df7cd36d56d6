import type { RestoreSummary, TableDescription } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { inUseError } from '../errors.js'
import { dropTableSpaces } from './build-table.js'
import type { Table } from './table.js'

/**
 * The creation or deletion of a table in progress. The change is applied immediately; only the description shows the
 * transition.
 */
export interface TableTransition {
  readonly status: 'CREATING' | 'DELETING'
  readonly untilMs: number
  /** The description that DescribeTable returns during the transition. */
  readonly shown: TableDescription
}

/** Begins a transition, which lasts as long as the option `transitionMs`. */
export function beginTransition(engine: Engine, table: Table, shown: TableDescription): void {
  const { transitionMs } = engine.settings
  if (transitionMs === 0) return
  const status = shown.TableStatus as TableTransition['status']
  table.transition = { status, untilMs: engine.now() + transitionMs, shown: structuredClone(shown) }
}

/** Ends transitions that are over. Returns whether the table still exists. */
export function settleTable(engine: Engine, table: Table): boolean {
  const { transition, underWay } = table
  const isOver = ({ untilMs }: { untilMs: number }) => untilMs <= engine.now()
  if (underWay.some(isOver)) table.underWay = underWay.filter(update => !isOver(update))
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

/** During creation, resources of a table, such as its tags, are not found. */
export const isTableCreating = ({ transition }: Table) => transition?.status === 'CREATING'

/** Returns the source of a restore in progress. */
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
