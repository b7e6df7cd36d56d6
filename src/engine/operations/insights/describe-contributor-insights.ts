import type {
  DescribeContributorInsightsInput,
  DescribeContributorInsightsOutput,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import {
  type ContributorInsights,
  findInsights,
  insightsStatusOf,
  insightsSummaryOf,
} from '../../tables/contributor-insights.js'
import type { Table } from '../../tables/table.js'

export function describeContributorInsights(
  engine: Engine,
  request: DescribeContributorInsightsInput,
): DescribeContributorInsightsOutput {
  const { table, insights } = findInsights(engine, request.TableName, request.IndexName)
  const summary = insightsSummaryOf(engine, table.name, request.IndexName, insights)
  if (!insights) return summary
  const { changedMs, untilMs } = insights
  return {
    ...summary,
    ...(insightsStatusOf(engine, insights) === 'ENABLED' && {
      ContributorInsightsRuleList: ruleNamesOf(table, insights),
    }),
    LastUpdateDateTime: new Date(engine.now() < untilMs ? changedMs : untilMs),
  }
}

/**
 * Returns the names of the rules for accessed and throttled keys, by partition key and, if the table has one, by sort
 * key.
 */
function ruleNamesOf(table: Table, { indexName, mode, rulesMs }: ContributorInsights): string[] {
  const { keys } = table.indexes.find(({ name }) => name === indexName) ?? table
  const parts = keys.sort.length > 0 ? ['PK', 'SK'] : ['PK']
  const measures = mode === 'THROTTLED_KEYS' ? ['T'] : ['C', 'T']
  const resource = indexName === undefined ? table.name : `${table.name}-${indexName}`
  return measures.flatMap(measure =>
    parts.map(part => `DynamoDBContributorInsights-${part}${measure}-${resource}-${rulesMs}`),
  )
}
