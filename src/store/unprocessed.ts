import type {
  BatchGetItemAnswer,
  BatchGetItemRequest,
  BatchWriteItemAnswer,
  BatchWriteItemRequest,
} from '../dynamodb/operations/batches.js'
import type { ItemCollectionMetrics } from '../dynamodb/operations/capacity.js'
import { addCapacities } from './consumed-capacity.js'
import type { Answer, Operation, Request } from './port.js'

/** How a batch that was answered in part goes on. */
export interface Batch<Request, Answer> {
  /** The request for what the answer left undone; undefined when it left nothing. */
  rest(sent: Request, answer: Answer): Request | undefined
  /** How many keys or writes a request holds. */
  size(request: Request): number
  /** Both answers as one. What is unprocessed is what the later one left. */
  merge(before: Answer, after: Answer): Answer
}

const BATCH_GET: Batch<BatchGetItemRequest, BatchGetItemAnswer> = {
  rest(sent, answer) {
    const tables = Object.entries(answer.UnprocessedKeys ?? {}).filter(([, left]) => left.Keys?.length)
    if (tables.length === 0) return undefined
    // How the table is to be read is taken from the request: an answer need not repeat it.
    const rest = tables.map(([table, left]) => [table, { ...sent.RequestItems[table], Keys: left.Keys }])
    return { ...sent, RequestItems: Object.fromEntries(rest) }
  },
  size: request => Object.values(request.RequestItems).flatMap(({ Keys = [] }) => Keys).length,
  merge: (before, after) => ({
    ...after,
    Responses: concatenate(before.Responses, after.Responses, (earlier, later) => [...earlier, ...later]),
    ...addCapacities(before, after),
  }),
}

const BATCH_WRITE: Batch<BatchWriteItemRequest, BatchWriteItemAnswer> = {
  rest(sent, answer) {
    const tables = Object.entries(answer.UnprocessedItems ?? {}).filter(([, left]) => left.length > 0)
    return tables.length === 0 ? undefined : { ...sent, RequestItems: Object.fromEntries(tables) }
  },
  size: request => Object.values(request.RequestItems).flat().length,
  merge(before, after) {
    const { ItemCollectionMetrics: earlier } = before
    const { ItemCollectionMetrics: later } = after
    return {
      ...after,
      ...((earlier ?? later) && { ItemCollectionMetrics: concatenate(earlier, later, newest) }),
      ...addCapacities(before, after),
    }
  },
}

/** Those that may be answered in part. */
export const BATCHES: { readonly [Name in Operation]?: Batch<Request<Name>, Answer<Name>> } = {
  batchGetItem: BATCH_GET,
  batchWriteItem: BATCH_WRITE,
}

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
  const keyText = (metrics: ItemCollectionMetrics) => JSON.stringify(metrics.ItemCollectionKey)
  const known = later.map(keyText)
  return [...earlier.filter(metrics => !known.includes(keyText(metrics))), ...later]
}
