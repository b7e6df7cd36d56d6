import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
} from '../dynamodb/operations/batches.js'
import type { ItemCollectionMetrics } from '../dynamodb/operations/capacity.js'
import { sumConsumedCapacity } from './consumed-capacity.js'

type RequestItems = (BatchGetItemInput | BatchWriteItemInput)['RequestItems']
type BatchInput = { readonly RequestItems: RequestItems }
type BatchOutput = BatchGetItemOutput & BatchWriteItemOutput

/** The keys to read of a table, or the writes to it. */
const batchEntriesOf = (table: RequestItems[string]): readonly object[] =>
  Array.isArray(table) ? table : (table.Keys ?? [])

/** The request for what the answer to a batch left undone; undefined when it left nothing, or is of no batch. */
export function remainingRequestOf<Request>(request: Request, output: unknown): Request | undefined {
  const { UnprocessedKeys, UnprocessedItems } = output as BatchOutput
  const unprocessed: RequestItems | undefined = UnprocessedKeys ?? UnprocessedItems
  const tables = unprocessed && Object.entries(unprocessed).filter(([, table]) => batchEntriesOf(table)[0])
  if (!tables?.length) return undefined
  // How a table is to be read is taken from the request: an answer need not repeat it.
  const remaining = tables.map(([name, table]) => [
    name,
    Array.isArray(table) ? table : { ...(request as BatchInput).RequestItems[name], Keys: table.Keys },
  ])
  return { ...request, RequestItems: Object.fromEntries(remaining) }
}

/** How many keys or writes a batch holds. */
export const countBatchEntries = (request: unknown): number =>
  Object.values<RequestItems[string]>((request as BatchInput).RequestItems).flatMap(batchEntriesOf).length

/** Both answers to a batch as one. What is unprocessed is what the later one left. */
export function mergeOutputs<Answer>(first: Answer, second: Answer): Answer {
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

/** Of two estimates of one collection's size only the later one still says something. */
function latestMetrics(earlier: ItemCollectionMetrics[], later: ItemCollectionMetrics[]): ItemCollectionMetrics[] {
  const keyText = (metrics: ItemCollectionMetrics) => JSON.stringify(metrics.ItemCollectionKey)
  const laterKeys = later.map(keyText)
  return [...earlier.filter(metrics => !laterKeys.includes(keyText(metrics))), ...later]
}
