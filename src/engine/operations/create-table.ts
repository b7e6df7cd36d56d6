import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { CreateTableAnswer, CreateTableRequest } from '../../dynamodb/operations/tables.js'
import type { Engine } from '../engine.js'
import { inUse } from '../errors.js'
import { buildTable } from '../tables/build.js'
import { describeTable } from '../tables/describe.js'
import { saysAnything } from '../tables/describe-throughput.js'
import { tableName } from '../tables/find.js'
import { checkQuotas } from '../tables/quotas.validation.js'
import { startStream } from '../tables/table-stream.js'
import { beginTransition, refuseWhileCreating, restoreUnderWay, settle } from '../tables/transition.js'
import { validateCreateTable } from './create-table.validation.js'

export function createTable(engine: Engine, request: CreateTableRequest): CreateTableAnswer {
  validateCreateTable(request)
  const name = tableName(engine, request.TableName)
  const existing = engine.tables.get(name)
  if (existing && settle(engine, existing)) {
    if (restoreUnderWay(engine, existing)) throw inUse(`Table is being used: ${name}`)
    refuseWhileCreating(existing)
    throw inUse(`Table already exists: ${name}`)
  }
  checkQuotas(engine, request)
  for (const index of request.GlobalSecondaryIndexes ?? []) checkQuotas(engine, index, index.IndexName)
  // The caller may change the request afterwards.
  const table = buildTable(engine, { ...structuredClone(request), TableName: name })
  engine.tables.set(table.name, table)
  const { StreamEnabled, StreamViewType } = request.StreamSpecification ?? {}
  if (StreamEnabled) startStream(engine, table, StreamViewType!)
  const description = asCreating(describeTable(engine, table), request)
  beginTransition(engine, table, withWarmIndexes(description, table.description))
  return { TableDescription: description }
}

/** The service's answer speaks of a table that is not there yet, and leaves out what is not settled. */
function asCreating(description: TableDescription, request: CreateTableRequest): TableDescription {
  description.TableStatus = 'CREATING'
  delete description.BillingModeSummary?.LastUpdateToPayPerRequestDateTime
  if (saysAnything(request.WarmThroughput)) description.WarmThroughput!.Status = 'UPDATING'
  else delete description.WarmThroughput
  for (const index of description.GlobalSecondaryIndexes ?? []) {
    index.IndexStatus = 'CREATING'
    delete index.WarmThroughput
  }
  for (const index of description.VectorIndexes ?? []) index.IndexStatus = 'CREATING'
  return description
}

/** What DescribeTable tells of indexes beyond the answer. */
function withWarmIndexes(creating: TableDescription, { GlobalSecondaryIndexes = [] }: TableDescription) {
  const shown = structuredClone(creating)
  for (const [i, { WarmThroughput }] of GlobalSecondaryIndexes.entries())
    shown.GlobalSecondaryIndexes![i]!.WarmThroughput = { ...WarmThroughput, Status: 'UPDATING' }
  return shown
}
