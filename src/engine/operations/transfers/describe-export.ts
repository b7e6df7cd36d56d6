import type { DescribeExportInput, DescribeExportOutput } from '../../../dynamodb/operations/exports.js'
import type { Engine } from '../../engine.js'
import { describeExport as describe, findExport } from '../../transfers/table-export.js'

export function describeExport(engine: Engine, { ExportArn }: DescribeExportInput): DescribeExportOutput {
  return { ExportDescription: describe(engine, findExport(engine, ExportArn)) }
}
