import type {
  BatchGetItemAnswer,
  BatchGetItemRequest,
  BatchWriteItemAnswer,
  BatchWriteItemRequest,
} from '../dynamodb/operations/batches.js'
import type { ItemCollectionMetrics } from '../dynamodb/operations/capacity.js'
import { addCapacities } from './consumed-capacity.js'

type Tables = (BatchGetItemRequest | BatchWriteItemRequest)['RequestItems']
type BatchRequest = { readonly RequestItems: Tables }
type BatchAnswer = BatchGetItemAnswer & BatchWriteItemAnswer

/** The keys to read of a table, or the writes to it. */
const partsOf = (table: Tables[string]): readonly object[] => (Array.isArray(table) ? table : (table.Keys ?? []))

/** The request for what the answer to a batch left undone; undefined when it left nothing, or is of no batch. */
export function restOf<Request>(sent: Request, answer: unknown): Request | undefined {
  const { UnprocessedKeys, UnprocessedItems } = answer as BatchAnswer
  const left: Tables | undefined = UnprocessedKeys ?? UnprocessedItems
  const tables = left && Object.entries(left).filter(([, table]) => partsOf(table)[0])
  if (!tables?.length) return undefined
  // How a table is to be read is taken from the request: an answer need not repeat it.
  const rest = tables.map(([name, table]) => [
    name,
    Array.isArray(table) ? table : { ...(sent as BatchRequest).RequestItems[name], Keys: table.Keys },
  ])
  return { ...sent, RequestItems: Object.fromEntries(rest) }
}

/** How many keys or writes a batch holds. */
export const sizeOf = (request: unknown): number =>
  Object.values<Tables[string]>((request as BatchRequest).RequestItems).flatMap(partsOf).length

/** Both answers to a batch as one. What is unprocessed is what the later one left. */
export function merged<Answer>(before: Answer, after: Answer): Answer {
  const { Responses: rows, ItemCollectionMetrics: metrics } = before as BatchAnswer
  const { Responses, ItemCollectionMetrics } = after as BatchAnswer
  return {
    ...after,
    ...(rows && { Responses: concatenate(rows, Responses, (earlier, later) => [...earlier, ...later]) }),
    ...(metrics && { ItemCollectionMetrics: concatenate(metrics, ItemCollectionMetrics, newest) }),
    ...addCapacities(before as BatchAnswer, after as BatchAnswer),
  }
}

function concatenate<T>(
  before: Record<string, T[]>,
  after: Record<string, T[]> = {},
  join: (earlier: T[], later: T[]) => T[],
): Record<string, T[]> {
  const tables = { ...before }
  for (const table in after) tables[table] = join(tables[table] ?? [], after[table]!)
  return tables
}

/** Of two estimates of one collection's size only the later one still says something. */
function newest(earlier: ItemCollectionMetrics[], later: ItemCollectionMetrics[]): ItemCollectionMetrics[] {
  const keyText = (metrics: ItemCollectionMetrics) => JSON.stringify(metrics.ItemCollectionKey)
  const known = later.map(keyText)
  return [...earlier.filter(metrics => !known.includes(keyText(metrics))), ...later]
}
