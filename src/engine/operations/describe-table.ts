import type { DescribeTableAnswer, DescribeTableRequest } from '../../dynamodb/operations/tables.js'
import type { Engine } from '../engine.js'
import { describeTable as describe } from '../tables/describe.js'
import { findTableItself } from '../tables/find.js'

export function describeTable(engine: Engine, request: DescribeTableRequest): DescribeTableAnswer {
  return { Table: describe(engine, findTableItself(engine, request.TableName)) }
}
