import type { CreateTableInput, CreateTableOutput, TableDescription } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { inUseError } from '../../errors.js'
import { buildTable } from '../../tables/build-table.js'
import { checkCapacityQuotas } from '../../tables/definition/quotas.validation.js'
import { toTableDescription } from '../../tables/description/table-description.js'
import { hasAnyMember } from '../../tables/description/throughput-description.js'
import { resolveTableName } from '../../tables/find-table.js'
import { startStream } from '../../tables/table-stream.js'
import { beginTransition, checkNotCreating, pendingRestoreOf, settleTable } from '../../tables/table-transition.js'
import { validateCreateTable } from './create-table.validation.js'

export function createTable(engine: Engine, request: CreateTableInput): CreateTableOutput {
  validateCreateTable(request)
  const name = resolveTableName(engine, request.TableName)
  const existing = engine.tables.get(name)
  if (existing && settleTable(engine, existing)) {
    if (pendingRestoreOf(engine, existing)) throw inUseError(`Table is being used: ${name}`)
    checkNotCreating(existing)
    throw inUseError(`Table already exists: ${name}`)
  }
  checkCapacityQuotas(engine, request)
  for (const index of request.GlobalSecondaryIndexes ?? []) checkCapacityQuotas(engine, index, index.IndexName)
  // The caller may modify the request after the call.
  const table = buildTable(engine, { ...structuredClone(request), TableName: name })
  engine.tables.set(table.name, table)
  const { StreamEnabled, StreamViewType } = request.StreamSpecification ?? {}
  if (StreamEnabled) startStream(engine, table, StreamViewType!)
  const description = toCreatingDescription(toTableDescription(engine, table), request)
  beginTransition(engine, table, withWarmThroughput(description, table.description))
  return { TableDescription: description }
}

/** Describes a table as the response of CreateTable does, which omits values that are not final. */
function toCreatingDescription(description: TableDescription, request: CreateTableInput): TableDescription {
  description.TableStatus = 'CREATING'
  delete description.BillingModeSummary?.LastUpdateToPayPerRequestDateTime
  if (hasAnyMember(request.WarmThroughput)) description.WarmThroughput!.Status = 'UPDATING'
  else delete description.WarmThroughput
  for (const index of description.GlobalSecondaryIndexes ?? []) {
    index.IndexStatus = 'CREATING'
    delete index.WarmThroughput
  }
  for (const index of description.VectorIndexes ?? []) index.IndexStatus = 'CREATING'
  return description
}

/** Adds the warm throughput of indexes, which DescribeTable shows and the response does not. */
function withWarmThroughput(creating: TableDescription, { GlobalSecondaryIndexes = [] }: TableDescription) {
  const shown = structuredClone(creating)
  for (const [i, { WarmThroughput }] of GlobalSecondaryIndexes.entries())
    shown.GlobalSecondaryIndexes![i]!.WarmThroughput = { ...WarmThroughput, Status: 'UPDATING' }
  return shown
}
