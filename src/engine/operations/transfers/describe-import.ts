import type { DescribeImportInput, DescribeImportOutput } from '../../../dynamodb/operations/imports.js'
import type { Engine } from '../../engine.js'
import { describeImport as describe, findImport } from '../../transfers/table-import.js'

export function describeImport(engine: Engine, { ImportArn }: DescribeImportInput): DescribeImportOutput {
  return { ImportTableDescription: describe(engine, findImport(engine, ImportArn)) }
}
