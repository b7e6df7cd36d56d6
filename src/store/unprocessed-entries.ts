import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
  ItemCollectionMetrics,
} from '../dynamodb/operation-types.js'
import { sumConsumedCapacity } from './consumed-capacity.js'

type RequestItems = (BatchGetItemInput | BatchWriteItemInput)['RequestItems']
type BatchInput = { readonly RequestItems: RequestItems }
type BatchOutput = BatchGetItemOutput & BatchWriteItemOutput

/** The keys to read from one table, or the writes to it. */
const batchEntriesOf = (table: RequestItems[string]): readonly object[] =>
  Array.isArray(table) ? table : (table.Keys ?? [])

/**
 * The request for the entries that a batch response left unprocessed; undefined if nothing is left or the operation is
 * not a batch.
 */
export function remainingRequestOf<Request>(request: Request, output: unknown): Request | undefined {
  const { UnprocessedKeys, UnprocessedItems } = output as BatchOutput
  const unprocessed: RequestItems | undefined = UnprocessedKeys ?? UnprocessedItems
  const tables = unprocessed && Object.entries(unprocessed).filter(([, table]) => batchEntriesOf(table).length > 0)
  if (!tables?.length) return undefined
  // The projection and consistency come from the request: a response need not repeat them.
  const remaining = tables.map(([name, table]) => [
    name,
    Array.isArray(table) ? table : { ...(request as BatchInput).RequestItems[name], Keys: table.Keys },
  ])
  return { ...request, RequestItems: Object.fromEntries(remaining) }
}

/** The number of keys or writes in a batch. */
export const countBatchEntries = (request: unknown): number =>
  Object.values<RequestItems[string]>((request as BatchInput).RequestItems).flatMap(batchEntriesOf).length

/** Merges two responses to a batch. The later response lists the unprocessed entries. */
export function mergeOutputs<Output>(first: Output, second: Output): Output {
  const { Responses: firstResponses, ItemCollectionMetrics: firstMetrics } = first as BatchOutput
  const { Responses, ItemCollectionMetrics } = second as BatchOutput
  return {
    ...second,
    ...(firstResponses && {
      Responses: mergeByTable(firstResponses, Responses, (earlier, later) => [...earlier, ...later]),
    }),
    ...(firstMetrics && { ItemCollectionMetrics: mergeByTable(firstMetrics, ItemCollectionMetrics, latestMetrics) }),
    ...sumConsumedCapacity(first as BatchOutput, second as BatchOutput),
  }
}

function mergeByTable<T>(
  before: Record<string, T[]>,
  after: Record<string, T[]> = {},
  join: (earlier: T[], later: T[]) => T[],
): Record<string, T[]> {
  const tables = { ...before }
  for (const table in after) tables[table] = join(tables[table] ?? [], after[table]!)
  return tables
}

/** The later of two size estimates for one collection replaces the earlier one. */
function latestMetrics(earlier: ItemCollectionMetrics[], later: ItemCollectionMetrics[]): ItemCollectionMetrics[] {
  const keyText = (metrics: ItemCollectionMetrics) => JSON.stringify(metrics.ItemCollectionKey)
  const laterKeys = later.map(keyText)
  return [...earlier.filter(metrics => !laterKeys.includes(keyText(metrics))), ...later]
}
