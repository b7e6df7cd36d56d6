import type { TableDescription } from '../dynamodb/operations/table-description.js'
import type { BillingMode } from '../dynamodb/operations/throughput.js'

/** The operations that answer with a table. */
const TABLES: ReadonlySet<string> = new Set([
  'CreateTable',
  'DescribeTable',
  'UpdateTable',
  'DeleteTable',
  'RestoreTableFromBackup',
  'RestoreTableToPointInTime',
])

type Call<T> = (request: unknown, told: T) => Promise<unknown>

/**
 * The service tells and takes how a table is billed under a second name, which is on the wire alone: no SDK knows it, nor
 * does a store. What is given as `BillingMode` goes before.
 */
export function withThroughputMode<T>(operation: string, call: Call<T>): Call<T> {
  if (!TABLES.has(operation)) return call
  return async (request, told) => {
    const answer = (await call(billed(request), told)) as Record<string, TableDescription | undefined>
    const name = operation === 'DescribeTable' ? 'Table' : 'TableDescription'
    const table = answer?.[name]
    return table?.BillingModeSummary ? { ...answer, [name]: mirrored(table) } : answer
  }
}

const MODES: ReadonlySet<unknown> = new Set<BillingMode>(['PROVISIONED', 'PAY_PER_REQUEST'])

function billed(request: unknown): unknown {
  const { BillingMode, TableThroughputMode } = Object(request)
  const isGiven = (BillingMode ?? undefined) === undefined && MODES.has(TableThroughputMode)
  return isGiven ? { ...Object(request), BillingMode: TableThroughputMode } : request
}

function mirrored(table: TableDescription) {
  const { BillingMode, ...rest } = table.BillingModeSummary!
  return { ...table, TableThroughputModeSummary: { TableThroughputMode: BillingMode, ...rest } }
}
