import type { BillingMode, TableDescription } from '../dynamodb/operation-types.js'

/** The operations whose response contains a table. */
const TABLE_OPERATIONS: ReadonlySet<string> = new Set([
  'CreateTable',
  'DescribeTable',
  'UpdateTable',
  'DeleteTable',
  'RestoreTableFromBackup',
  'RestoreTableToPointInTime',
])

type TableCall<T> = (request: unknown, context: T) => Promise<unknown>

/**
 * The service accepts and returns the billing mode under a second name that exists only in JSON; neither SDKs nor
 * stores know it. `BillingMode` takes precedence.
 */
export function withThroughputMode<T>(operation: string, call: TableCall<T>): TableCall<T> {
  if (!TABLE_OPERATIONS.has(operation)) return call
  return async (request, context) => {
    const answer = (await call(withBillingMode(request), context)) as Record<string, TableDescription | undefined>
    const name = operation === 'DescribeTable' ? 'Table' : 'TableDescription'
    const table = answer?.[name]
    return table?.BillingModeSummary ? { ...answer, [name]: withThroughputModeSummary(table) } : answer
  }
}

const MODES: ReadonlySet<unknown> = new Set<BillingMode>(['PROVISIONED', 'PAY_PER_REQUEST'])

function withBillingMode(request: unknown): unknown {
  const { BillingMode, TableThroughputMode } = Object(request)
  const isThroughputModeSet = (BillingMode ?? undefined) === undefined && MODES.has(TableThroughputMode)
  return isThroughputModeSet ? { ...Object(request), BillingMode: TableThroughputMode } : request
}

function withThroughputModeSummary(table: TableDescription) {
  const { BillingMode, ...rest } = table.BillingModeSummary!
  return { ...table, TableThroughputModeSummary: { TableThroughputMode: BillingMode, ...rest } }
}
