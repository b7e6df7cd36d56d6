import type { DescribeImportInput, DescribeImportOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { findImport, toImportDescription } from '../../transfers/table-import.js'

export function describeImport(engine: Engine, { ImportArn }: DescribeImportInput): DescribeImportOutput {
  return { ImportTableDescription: toImportDescription(engine, findImport(engine, ImportArn)) }
}
