import type { RestoreSummary, TableDescription } from '../../dynamodb/operations/table-description.js'
import type { Engine } from '../engine.js'
import { inUse } from '../errors.js'
import { dropSpaces } from './build.js'
import type { Table } from './table.js'

/** The making or the deletion of a table, while it is under way. What it does to the table is done at once; it shows for some time. */
export interface Transition {
  readonly status: 'CREATING' | 'DELETING'
  readonly untilMs: number
  /** What DescribeTable answers meanwhile. */
  readonly shown: TableDescription
}

/** The change shows for as long as the engine is told to take for it. */
export function beginTransition(engine: Engine, table: Table, shown: TableDescription): void {
  const { transitionMs } = engine.settings
  if (transitionMs === 0) return
  const status = shown.TableStatus as Transition['status']
  table.transition = { status, untilMs: engine.now() + transitionMs, shown: structuredClone(shown) }
}

/** Ends what is over by now. Answers whether the table is still there. */
export function settle(engine: Engine, table: Table): boolean {
  const { transition, underWay } = table
  const isOver = ({ untilMs }: { untilMs: number }) => untilMs <= engine.now()
  if (underWay.some(isOver)) table.underWay = underWay.filter(each => !isOver(each))
  if (!transition || !isOver(transition)) return true
  table.transition = undefined
  if (transition.status !== 'DELETING') return true
  forgetTable(engine, table)
  return false
}

export function forgetTable(engine: Engine, table: Table): void {
  engine.tables.delete(table.name)
  dropSpaces(engine, table)
}

export const STILL_IN_USE = 'Attempt to change a resource which is still in use: '

/** What is beside a table, such as its tags, is not found as long as it is. */
export const isBeingCreated = ({ transition }: Table) => transition?.status === 'CREATING'

/** Of what it is being made, while a table is being restored. */
export function restoreUnderWay(engine: Engine, table: Table): RestoreSummary | undefined {
  return settle(engine, table) && isBeingCreated(table) ? table.transition?.shown.RestoreSummary : undefined
}

export function refuseWhileCreating(table: Table): void {
  if (isBeingCreated(table)) throw inUse(`${STILL_IN_USE}Table is being created: ${table.name}`)
}

export function refuseWhileCreatingOrDeleting(table: Table): void {
  refuseWhileCreating(table)
  const { name, transition } = table
  if (transition?.status === 'DELETING') throw inUse(`${STILL_IN_USE}Table is being deleted: ${name}`)
}
