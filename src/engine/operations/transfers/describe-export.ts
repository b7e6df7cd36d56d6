import type { DescribeExportInput, DescribeExportOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { findExport, toExportDescription } from '../../transfers/table-export.js'

export function describeExport(engine: Engine, { ExportArn }: DescribeExportInput): DescribeExportOutput {
  return { ExportDescription: toExportDescription(engine, findExport(engine, ExportArn)) }
}
