import { LIST_INSIGHTS } from '../../../dynamodb/limits.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { refused, same } from '../expect.js'
import { index, SINGLE, withGlobal } from './table-definitions.js'

const noTable = (name: string) =>
  ['ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`] as const

async function enabledTable(bench: Bench): Promise<string> {
  const TableName = await bench.ownTable(SINGLE)
  const answer = await bench.service.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' })
  same([answer.TableName, answer.ContributorInsightsStatus], [TableName, 'ENABLING'])
  return TableName
}

const updateCases = cases('updateContributorInsights', {
  'the insights of a table are enabled, for keys that are used and that are throttled': async bench => {
    const TableName = await enabledTable(bench)
    await bench.eventually(async () => {
      const told = await bench.service.describeContributorInsights({ TableName })
      same([told.ContributorInsightsStatus, told.ContributorInsightsRuleList?.length], ['ENABLED', 2])
    })
    const again = await bench.service.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' })
    same(again.ContributorInsightsStatus, 'ENABLED')
  },

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    const request = { TableName, ContributorInsightsAction: 'ENABLE' } as const
    await refused(bench.service.updateContributorInsights(request), ...noTable(TableName))
  },
})

const describeCases = cases('describeContributorInsights', {
  'the insights of a new table and of its indexes are disabled': async bench => {
    const TableName = await bench.ownTable(withGlobal(index('byName')))
    for (const IndexName of [undefined, 'byName']) {
      const told = await bench.service.describeContributorInsights({ TableName, ...(IndexName && { IndexName }) })
      same([told.TableName, told.IndexName, told.ContributorInsightsStatus], [TableName, IndexName, 'DISABLED'])
    }
  },

  'an index that is not there is named in the refusal': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await refused(
      bench.service.describeContributorInsights({ TableName, IndexName: 'missing' }),
      'ResourceNotFoundException',
      `Requested resource not found: Index: missing not found for table: ${TableName}`,
    )
  },
})

const listCases = cases('listContributorInsights', {
  'a table is listed once its insights are not disabled': covering(['limit:LIST_INSIGHTS'], async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const listed = async () => {
      const told = await bench.service.listContributorInsights({ TableName, MaxResults: LIST_INSIGHTS })
      return told.ContributorInsightsSummaries!.map(summary => summary.TableName)
    }
    same(await listed(), [])
    await bench.service.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' })
    same(await listed(), [TableName])
  }),

  'a table that is not there is named in the refusal': async bench => {
    const TableName = bench.ownName()
    await refused(bench.service.listContributorInsights({ TableName }), ...noTable(TableName))
  },
})

export const contributorInsightsCases = [...updateCases, ...describeCases, ...listCases]
