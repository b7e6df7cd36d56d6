import { LIST_INSIGHTS } from '../limits.js'
import { max } from './constraints.js'
import { managedTable, managedTableName, nameCalled } from './members.js'
import { enumeration, integer, required, structure, text } from './shapes.js'

const indexName = nameCalled('IndexName')

export const updateContributorInsights = structure('UpdateContributorInsightsInput', {
  TableName: managedTableName,
  IndexName: indexName,
  ContributorInsightsAction: required(enumeration('ENABLE', 'DISABLE')),
  ContributorInsightsMode: enumeration('THROTTLED_KEYS', 'ACCESSED_AND_THROTTLED_KEYS'),
})
export const describeContributorInsights = structure('DescribeContributorInsightsInput', {
  TableName: managedTableName,
  IndexName: indexName,
})
export const listContributorInsights = structure('ListContributorInsightsInput', {
  TableName: managedTable,
  NextToken: text(),
  MaxResults: integer(max(LIST_INSIGHTS)),
})
