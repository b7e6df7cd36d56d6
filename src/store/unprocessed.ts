import type {
  BatchGetItemAnswer,
  BatchGetItemRequest,
  BatchWriteItemAnswer,
  BatchWriteItemRequest,
} from '../dynamodb/operations/batches.js'
import type { ItemCollectionMetrics } from '../dynamodb/operations/capacity.js'
import { addCapacities } from './consumed-capacity.js'

/** How a batch that was answered in part goes on. */
export interface Batch<Request, Answer> {
  /** The request for what the answer left undone; undefined when it left nothing. */
  rest(sent: Request, answer: Answer): Request | undefined
  /** How many keys or writes a request holds. */
  size(request: Request): number
  /** Both answers as one. What is unprocessed is what the later one left. */
  merge(before: Answer, after: Answer): Answer
}

export const BATCH_GET: Batch<BatchGetItemRequest, BatchGetItemAnswer> = {
  rest(sent, answer) {
    const tables = Object.entries(answer.UnprocessedKeys ?? {}).filter(([, left]) => left.Keys?.length)
    if (tables.length === 0) return undefined
    // How the table is to be read is taken from the request: an answer need not repeat it.
    const rest = tables.map(([table, left]) => [table, { ...ownMember(sent.RequestItems, table), Keys: left.Keys }])
    return { ...sent, RequestItems: Object.fromEntries(rest) }
  },
  size: request => count(Object.values(request.RequestItems).map(table => table.Keys)),
  merge: (before, after) => ({
    ...after,
    Responses: concatenate(before.Responses, after.Responses, (earlier, later) => [...earlier, ...later]),
    ...capacity(addCapacities(before.ConsumedCapacity, after.ConsumedCapacity)),
  }),
}

export const BATCH_WRITE: Batch<BatchWriteItemRequest, BatchWriteItemAnswer> = {
  rest(sent, answer) {
    const tables = Object.entries(answer.UnprocessedItems ?? {}).filter(([, left]) => left.length > 0)
    return tables.length === 0 ? undefined : { ...sent, RequestItems: Object.fromEntries(tables) }
  },
  size: request => count(Object.values(request.RequestItems)),
  merge(before, after) {
    const { ItemCollectionMetrics: earlier } = before
    const { ItemCollectionMetrics: later } = after
    return {
      ...after,
      ...((earlier ?? later) ? { ItemCollectionMetrics: concatenate(earlier, later, newest) } : {}),
      ...capacity(addCapacities(before.ConsumedCapacity, after.ConsumedCapacity)),
    }
  },
}

/** A table may be called `constructor`. */
function ownMember<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

function count(lists: readonly (readonly unknown[] | undefined)[]): number {
  return lists.reduce((sum, list) => sum + (list?.length ?? 0), 0)
}

const capacity = (sum: BatchGetItemAnswer['ConsumedCapacity']) => (sum === undefined ? {} : { ConsumedCapacity: sum })

function concatenate<T>(
  before: Record<string, T[]> = {},
  after: Record<string, T[]> = {},
  join: (earlier: T[], later: T[]) => T[],
): Record<string, T[]> {
  const tables = new Map(Object.entries(before))
  for (const [table, later] of Object.entries(after)) tables.set(table, join(tables.get(table) ?? [], later))
  return Object.fromEntries(tables)
}

/** Of two estimates of one collection's size only the later one still says something. */
function newest(earlier: ItemCollectionMetrics[], later: ItemCollectionMetrics[]): ItemCollectionMetrics[] {
  const known = new Set(later.map(metrics => JSON.stringify(metrics.ItemCollectionKey)))
  return [...earlier.filter(metrics => !known.has(JSON.stringify(metrics.ItemCollectionKey))), ...later]
}
