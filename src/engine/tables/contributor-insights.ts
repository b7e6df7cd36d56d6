import type {
  ContributorInsightsMode,
  ContributorInsightsStatus,
  ContributorInsightsSummary,
} from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { notFoundError } from '../errors.js'
import { findCreatedTable } from './find-table.js'
import type { Table } from './table.js'

/** Contributor Insights of a table or global index. The engine stores only the settings and counts nothing. */
export interface ContributorInsights {
  /** Undefined for the table itself. */
  readonly indexName?: string | undefined
  readonly isEnabled: boolean
  readonly mode: ContributorInsightsMode
  /** The time at which the rules were created, which is part of their names. */
  readonly rulesMs: number
  readonly changedMs: number
  /** The end of the current transition. */
  readonly untilMs: number
}

/** The table and insights that a request refers to. */
interface InsightsLookup {
  readonly table: Table
  readonly insights: ContributorInsights | undefined
}

export function findInsights(engine: Engine, tableName: string, indexName: string | undefined): InsightsLookup {
  const table = findCreatedTable(engine, tableName)
  if (indexName !== undefined && !hasGlobalIndex(table, indexName))
    throw notFoundError(`Requested resource not found: Index: ${indexName} not found for table: ${table.name}`)
  return { table, insights: table.insights.find(candidate => candidate.indexName === indexName) }
}

/** Returns whether a global index exists. An index in its allocation phase is not found. */
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

/** Returns the summary of insights. Insights that were never enabled have no mode. */
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
