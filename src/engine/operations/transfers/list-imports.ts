import type { ListImportsInput, ListImportsOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { listPage } from '../../transfers/list-page.js'
import { summarizeImport } from '../../transfers/table-import.js'
import { parseTableArn } from '../../transfers/transfer-arns.js'

/** Also lists imports of deleted tables, as DynamoDB does. */
export function listImports(engine: Engine, { TableArn, PageSize, NextToken }: ListImportsInput): ListImportsOutput {
  const name = TableArn === undefined ? undefined : parseTableArn(engine, TableArn)
  const all = [...engine.imports.values()].filter(of => TableArn === undefined || of.tableName === name)
  const { transfers, nextToken } = listPage('import', all, PageSize, NextToken)
  return {
    ImportSummaryList: transfers.map(each => summarizeImport(engine, each)),
    ...(nextToken !== undefined && { NextToken: nextToken }),
  }
}
