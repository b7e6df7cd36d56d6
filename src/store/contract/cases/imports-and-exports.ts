import { LIST_EXPORTS, LIST_IMPORTS } from '../../../dynamodb/limits.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import { SINGLE } from './table-definitions.js'

async function tableArn(bench: Bench): Promise<string> {
  const TableName = await bench.ownTable(SINGLE)
  return (await bench.store.describeTable({ TableName })).Table!.TableArn!
}

const exportCases = cases('listExports', {
  'a new table was not exported': covering(['limit:LIST_EXPORTS'], async bench => {
    const TableArn = await tableArn(bench)
    const { ExportSummaries } = await bench.service.listExports({ TableArn, MaxResults: LIST_EXPORTS })
    same(ExportSummaries, [])
  }),
})

const importCases = cases('listImports', {
  'a table that was created was not imported': covering(['limit:LIST_IMPORTS'], async bench => {
    const TableArn = await tableArn(bench)
    const { ImportSummaryList } = await bench.service.listImports({ TableArn, PageSize: LIST_IMPORTS })
    same(ImportSummaryList, [])
  }),
})

export const importAndExportCases = [...exportCases, ...importCases]
