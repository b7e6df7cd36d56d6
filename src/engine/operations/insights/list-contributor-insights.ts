import { LIST_INSIGHTS } from '../../../dynamodb/limits.js'
import type {
  ContributorInsightsSummary,
  ListContributorInsightsInput,
  ListContributorInsightsOutput,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import { insightsStatusOf, insightsSummaryOf } from '../../tables/contributor-insights.js'
import { findCreatedTable } from '../../tables/find-table.js'
import { settleTable } from '../../tables/table-transition.js'

/** Lists the insights that are not disabled, of one table or all tables. A table comes before its indexes. */
export function listContributorInsights(
  engine: Engine,
  { TableName, NextToken, MaxResults }: ListContributorInsightsInput,
): ListContributorInsightsOutput {
  const tables =
    TableName === undefined
      ? [...engine.tables.values()].filter(table => settleTable(engine, table))
      : [findCreatedTable(engine, TableName)]
  const after = NextToken === undefined ? '' : parseNextToken(NextToken)
  const summaries = tables
    .flatMap(({ name, insights }) =>
      insights
        .filter(insight => insightsStatusOf(engine, insight) !== 'DISABLED')
        .map(insight => insightsSummaryOf(engine, name, insight.indexName, insight)),
    )
    .filter(summary => sortKeyOf(summary) > after)
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
  const page = summaries.slice(0, Math.max(MaxResults ?? LIST_INSIGHTS, 1))
  const isLast = page.length === summaries.length
  return {
    ContributorInsightsSummaries: page,
    ...(!isLast && { NextToken: Buffer.from(sortKeyOf(page.at(-1)!)).toString('base64') }),
  }
}

/** Names have no slash, and all characters of names sort after a space. */
const sortKeyOf = ({ TableName, IndexName = '' }: ContributorInsightsSummary) => `${TableName} /${IndexName}`

function parseNextToken(token: string): string {
  const place = Buffer.from(token, 'base64').toString()
  if (!/^[\w.-]+ \/[\w.-]*$/.test(place)) throw validationError('Invalid NextToken')
  return place
}
