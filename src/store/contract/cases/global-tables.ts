import { cases } from '../case.js'
import { refused, same } from '../expect.js'
import { SINGLE } from './table-definitions.js'

const describeCases = cases('describeGlobalTable', {
  'a table of one region is none': async bench => {
    const GlobalTableName = await bench.ownTable(SINGLE)
    await refused(
      bench.service.describeGlobalTable({ GlobalTableName }),
      'GlobalTableNotFoundException',
      `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
    )
  },
})

const listCases = cases('listGlobalTables', {
  'a table of one region is not listed': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { GlobalTables } = await bench.service.listGlobalTables({ Limit: 1 })
    same(
      GlobalTables!.filter(({ GlobalTableName }) => GlobalTableName === TableName),
      [],
    )
  },
})

const scalingCases = cases('describeTableReplicaAutoScaling', {
  'a table of one region has no replicas to be scaled': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    await refused(
      bench.service.describeTableReplicaAutoScaling({ TableName }),
      'ResourceNotFoundException',
      `Global table with name: '${TableName}' does not exist.`,
    )
  },
})

export const globalTableCases = [...describeCases, ...listCases, ...scalingCases]
