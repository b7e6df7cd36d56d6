import { LIST_INSIGHTS } from '../limits.js'
import { max } from './constraints.js'
import { managedTable, managedTableName, nameLabeled } from './members.js'
import { enumShape, integerShape, requiredShape, structureShape, textShape } from './shapes.js'

const indexName = nameLabeled('IndexName')

export const updateContributorInsights = structureShape('UpdateContributorInsightsInput', {
  TableName: managedTableName,
  IndexName: indexName,
  ContributorInsightsAction: requiredShape(enumShape('ENABLE', 'DISABLE')),
  ContributorInsightsMode: enumShape('THROTTLED_KEYS', 'ACCESSED_AND_THROTTLED_KEYS'),
})
export const describeContributorInsights = structureShape('DescribeContributorInsightsInput', {
  TableName: managedTableName,
  IndexName: indexName,
})
export const listContributorInsights = structureShape('ListContributorInsightsInput', {
  TableName: managedTable,
  NextToken: textShape(),
  MaxResults: integerShape(max(LIST_INSIGHTS)),
})
