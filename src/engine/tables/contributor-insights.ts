import type {
  ContributorInsightsMode,
  ContributorInsightsStatus,
  ContributorInsightsSummary,
} from '../../dynamodb/operations/contributor-insights.js'
import type { Engine } from '../engine.js'
import { notFoundError } from '../errors.js'
import { findCreatedTable } from './find-table.js'
import type { Table } from './table.js'

/** Contributor Insights of a table or of one of its global indexes, once they were enabled. Nothing is counted for them. */
export interface ContributorInsights {
  /** Absent for those of the table itself. */
  readonly indexName?: string | undefined
  readonly isEnabled: boolean
  readonly mode: ContributorInsightsMode
  /** When the rules were made, which is in their names. */
  readonly rulesMs: number
  readonly changedMs: number
  /** Until when they are being enabled or disabled. */
  readonly untilMs: number
}

/** What an operation on insights names. */
interface InsightsLookup {
  readonly table: Table
  readonly insights: ContributorInsights | undefined
}

export function findInsights(engine: Engine, tableName: string, indexName: string | undefined): InsightsLookup {
  const table = findCreatedTable(engine, tableName)
  if (indexName !== undefined && !hasGlobalIndex(table, indexName))
    throw notFoundError(`Requested resource not found: Index: ${indexName} not found for table: ${table.name}`)
  return { table, insights: table.insights.find(each => each.indexName === indexName) }
}

/** An index that has no place yet is not there. */
function hasGlobalIndex({ indexes, underWay }: Table, name: string): boolean {
  return (
    indexes.some(index => index.kind === 'global' && index.name === name) &&
    !underWay.some(({ allocates }) => allocates === name)
  )
}

export function insightsStatusOf(
  { now }: Engine,
  insights: ContributorInsights | undefined,
): ContributorInsightsStatus {
  if (!insights) return 'DISABLED'
  const isUnderWay = now() < insights.untilMs
  if (insights.isEnabled) return isUnderWay ? 'ENABLING' : 'ENABLED'
  return isUnderWay ? 'DISABLING' : 'DISABLED'
}

/** What every answer tells of insights. Those that never were have no mode. */
export function insightsSummaryOf(
  engine: Engine,
  tableName: string,
  indexName: string | undefined,
  insights: ContributorInsights | undefined,
): ContributorInsightsSummary {
  return {
    TableName: tableName,
    ...(indexName !== undefined && { IndexName: indexName }),
    ContributorInsightsStatus: insightsStatusOf(engine, insights),
    ...(insights && { ContributorInsightsMode: insights.mode }),
  }
}
