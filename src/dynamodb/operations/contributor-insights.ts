export type ContributorInsightsStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED' | 'FAILED'

export type ContributorInsightsMode = 'ACCESSED_AND_THROTTLED_KEYS' | 'THROTTLED_KEYS'

export interface UpdateContributorInsightsInput {
  TableName: string
  /** The name of a global index. */
  IndexName?: string | undefined
  ContributorInsightsAction: 'ENABLE' | 'DISABLE'
  ContributorInsightsMode?: ContributorInsightsMode | undefined
}

export interface ContributorInsightsSummary {
  TableName?: string | undefined
  IndexName?: string | undefined
  ContributorInsightsStatus?: ContributorInsightsStatus | undefined
  ContributorInsightsMode?: ContributorInsightsMode | undefined
}

export interface UpdateContributorInsightsOutput extends ContributorInsightsSummary {}

export interface DescribeContributorInsightsInput {
  TableName: string
  IndexName?: string | undefined
}

export interface DescribeContributorInsightsOutput extends ContributorInsightsSummary {
  ContributorInsightsRuleList?: string[] | undefined
  LastUpdateDateTime?: Date | undefined
  FailureException?: { ExceptionName?: string | undefined; ExceptionDescription?: string | undefined } | undefined
}

export interface ListContributorInsightsInput {
  TableName?: string | undefined
  NextToken?: string | undefined
  MaxResults?: number | undefined
}

export interface ListContributorInsightsOutput {
  ContributorInsightsSummaries?: ContributorInsightsSummary[] | undefined
  NextToken?: string | undefined
}
