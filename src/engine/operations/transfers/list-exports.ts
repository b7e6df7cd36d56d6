import type { ListExportsInput, ListExportsOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { listPage } from '../../transfers/list-page.js'
import { type TableExport, toExportDescription } from '../../transfers/table-export.js'
import { parseTableArn } from '../../transfers/transfer-arns.js'

/** The exports of a table are listed while the table exists, as on DynamoDB. */
export function listExports(engine: Engine, request: ListExportsInput): ListExportsOutput {
  const { TableArn, MaxResults, NextToken } = request
  const isWanted = TableArn === undefined ? () => true : exportsOf(engine, TableArn)
  const all = [...engine.exports.values()].filter(isWanted)
  const { transfers, nextToken } = listPage('export', all, MaxResults, NextToken)
  const ExportSummaries = transfers.map(each => {
    const { ExportArn, ExportStatus } = toExportDescription(engine, each)
    return { ExportArn, ExportStatus, ExportType: each.period ? 'INCREMENTAL_EXPORT' : 'FULL_EXPORT' } as const
  })
  return { ExportSummaries, ...(nextToken !== undefined && { NextToken: nextToken }) }
}

function exportsOf(engine: Engine, arn: string): (of: TableExport) => boolean {
  const name = parseTableArn(engine, arn)
  const id = name === undefined ? undefined : engine.tables.get(name)?.description.TableId
  return ({ tableName, tableId }) => id !== undefined && tableName === name && tableId === id
}
