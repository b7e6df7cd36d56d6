import { LIST_INSIGHTS } from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { indexDefinition, SIMPLE_KEY_TABLE, withGlobalIndexes } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

const tableNotFoundMessage = (name: string) =>
  ['ResourceNotFoundException', `Requested resource not found: Table: ${name} not found`] as const

async function createTableWithInsights(bench: TestBench): Promise<string> {
  const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
  const answer = await bench.service.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' })
  expectEqual([answer.TableName, answer.ContributorInsightsStatus], [TableName, 'ENABLING'])
  return TableName
}

const updateCases = defineCases('updateContributorInsights', {
  'insights are enabled for accessed and for throttled keys': async bench => {
    const TableName = await createTableWithInsights(bench)
    await bench.eventually(async () => {
      const description = await bench.service.describeContributorInsights({ TableName })
      expectEqual(
        [description.ContributorInsightsStatus, description.ContributorInsightsRuleList?.length],
        ['ENABLED', 2],
      )
    })
    const again = await bench.service.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' })
    expectEqual(again.ContributorInsightsStatus, 'ENABLED')
  },

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    const request = { TableName, ContributorInsightsAction: 'ENABLE' } as const
    await expectRejection(bench.service.updateContributorInsights(request), ...tableNotFoundMessage(TableName))
  },
})

const describeCases = defineCases('describeContributorInsights', {
  'the insights of a new table and of its indexes are disabled': async bench => {
    const TableName = await bench.createOwnTable(withGlobalIndexes(indexDefinition('byName')))
    for (const IndexName of [undefined, 'byName']) {
      const description = await bench.service.describeContributorInsights({
        TableName,
        ...(IndexName && { IndexName }),
      })
      expectEqual(
        [description.TableName, description.IndexName, description.ContributorInsightsStatus],
        [TableName, IndexName, 'DISABLED'],
      )
    }
  },

  'a missing index is named in the error': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    await expectRejection(
      bench.service.describeContributorInsights({ TableName, IndexName: 'missing' }),
      'ResourceNotFoundException',
      `Requested resource not found: Index: missing not found for table: ${TableName}`,
    )
  },
})

const listCases = defineCases('listContributorInsights', {
  'a table is listed while its insights are not disabled': withCoverage(['limit:LIST_INSIGHTS'], async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const listed = async () => {
      const page = await bench.service.listContributorInsights({ TableName, MaxResults: LIST_INSIGHTS })
      return page.ContributorInsightsSummaries!.map(summary => summary.TableName)
    }
    expectEqual(await listed(), [])
    await bench.service.updateContributorInsights({ TableName, ContributorInsightsAction: 'ENABLE' })
    expectEqual(await listed(), [TableName])
  }),

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(bench.service.listContributorInsights({ TableName }), ...tableNotFoundMessage(TableName))
  },
})

export const contributorInsightsCases = [...updateCases, ...describeCases, ...listCases]
