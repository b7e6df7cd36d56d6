import type {
  DescribeContributorInsightsAnswer,
  DescribeContributorInsightsRequest,
} from '../../dynamodb/operations/contributor-insights.js'
import type { Engine } from '../engine.js'
import { findInsights, type Insights, statusOf, summaryOf } from '../tables/insights.js'
import type { Table } from '../tables/table.js'

export function describeContributorInsights(
  engine: Engine,
  request: DescribeContributorInsightsRequest,
): DescribeContributorInsightsAnswer {
  const { table, insights } = findInsights(engine, request.TableName, request.IndexName)
  const summary = summaryOf(engine, table.name, request.IndexName, insights)
  if (!insights) return summary
  const { changedMs, untilMs } = insights
  return {
    ...summary,
    ...(statusOf(engine, insights) === 'ENABLED' && { ContributorInsightsRuleList: rulesOf(table, insights) }),
    LastUpdateDateTime: new Date(engine.now() < untilMs ? changedMs : untilMs),
  }
}

/** Keys that are used and keys that are throttled, each by partition, and with the sort key where there is one. */
function rulesOf(table: Table, { indexName, mode, rulesMs }: Insights): string[] {
  const { keys } = table.indexes.find(({ name }) => name === indexName) ?? table
  const parts = keys.sort.length > 0 ? ['PK', 'SK'] : ['PK']
  const measures = mode === 'THROTTLED_KEYS' ? ['T'] : ['C', 'T']
  const resource = indexName === undefined ? table.name : `${table.name}-${indexName}`
  return measures.flatMap(measure =>
    parts.map(part => `DynamoDBContributorInsights-${part}${measure}-${resource}-${rulesMs}`),
  )
}
