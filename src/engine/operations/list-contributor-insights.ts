import { LIST_INSIGHTS } from '../../dynamodb/limits.js'
import type {
  ContributorInsightsSummary,
  ListContributorInsightsAnswer,
  ListContributorInsightsRequest,
} from '../../dynamodb/operations/contributor-insights.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { findCreatedTable } from '../tables/find.js'
import { statusOf, summaryOf } from '../tables/insights.js'
import { settle } from '../tables/transition.js'

/** Those that are not disabled, of one table or of all: of a table first, and then of its indexes. */
export function listContributorInsights(
  engine: Engine,
  { TableName, NextToken, MaxResults }: ListContributorInsightsRequest,
): ListContributorInsightsAnswer {
  const tables =
    TableName === undefined
      ? [...engine.tables.values()].filter(table => settle(engine, table))
      : [findCreatedTable(engine, TableName)]
  const after = NextToken === undefined ? '' : placeIn(NextToken)
  const summaries = tables
    .flatMap(({ name, insights }) =>
      insights
        .filter(each => statusOf(engine, each) !== 'DISABLED')
        .map(each => summaryOf(engine, name, each.indexName, each)),
    )
    .filter(summary => placeOf(summary) > after)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const page = summaries.slice(0, Math.max(MaxResults ?? LIST_INSIGHTS, 1))
  const isLast = page.length === summaries.length
  return {
    ContributorInsightsSummaries: page,
    ...(!isLast && { NextToken: Buffer.from(placeOf(page.at(-1)!)).toString('base64') }),
  }
}

/** No name has a slash, and all that a name has sorts after a space. */
const placeOf = ({ TableName, IndexName = '' }: ContributorInsightsSummary) => `${TableName} /${IndexName}`

function placeIn(token: string): string {
  const place = Buffer.from(token, 'base64').toString()
  if (!/^[\w.-]+ \/[\w.-]*$/.test(place)) throw validation('Invalid NextToken')
  return place
}
