import type { DescribeImportInput, DescribeImportOutput } from '../../../dynamodb/operations/imports.js'
import type { Engine } from '../../engine.js'
import { findImport, toImportDescription } from '../../transfers/table-import.js'

export function describeImport(engine: Engine, { ImportArn }: DescribeImportInput): DescribeImportOutput {
  return { ImportTableDescription: toImportDescription(engine, findImport(engine, ImportArn)) }
}
