import type { DescribeTableInput, DescribeTableOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { toTableDescription as describe } from '../../tables/description/table-description.js'
import { findControlPlaneTable } from '../../tables/find-table.js'

export function describeTable(engine: Engine, request: DescribeTableInput): DescribeTableOutput {
  return { Table: describe(engine, findControlPlaneTable(engine, request.TableName)) }
}
