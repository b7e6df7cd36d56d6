import type {
  BatchGetItemAnswer,
  BatchGetItemRequest,
  BatchWriteItemAnswer,
  BatchWriteItemRequest,
} from '../dynamodb/operations/batches.js'

type Draw = () => number

/** Each part goes to one of the two; at least one to each. */
function split<Part>(parts: readonly Part[], draw: Draw): { done: Part[]; left: Part[] } {
  const first = Math.floor(draw() * parts.length)
  const second = (first + 1 + Math.floor(draw() * (parts.length - 1))) % parts.length
  const isLeft = parts.map((_, i) => i === first || (i !== second && draw() < 0.5))
  return { done: parts.filter((_, i) => !isLeft[i]), left: parts.filter((_, i) => isLeft[i]) }
}

function byTable<Value>(parts: readonly (readonly [table: string, value: Value])[]): [string, Value[]][] {
  const tables = new Map<string, Value[]>()
  for (const [table, value] of parts) tables.set(table, [...(tables.get(table) ?? []), value])
  return [...tables]
}

interface Part<Request, Answer> {
  readonly request: Request
  /** What the answer says of the rest. */
  readonly unprocessed: Answer
}

/** Some of the keys as a request of its own; undefined where there are not two. */
export function partOfGet(
  request: BatchGetItemRequest,
  draw: Draw,
): Part<BatchGetItemRequest, BatchGetItemAnswer> | undefined {
  const tables = request.RequestItems
  const parts = Object.entries(tables).flatMap(([table, { Keys = [] }]) => Keys.map(key => [table, key] as const))
  if (parts.length < 2) return undefined
  const { done, left } = split(parts, draw)
  const asked = (some: typeof parts): BatchGetItemRequest['RequestItems'] =>
    Object.fromEntries(byTable(some).map(([table, Keys]) => [table, { ...tables[table], Keys }]))
  return {
    request: { ...request, RequestItems: asked(done) },
    unprocessed: { UnprocessedKeys: asked(left) },
  }
}

/** The same of a batch of writes. */
export function partOfWrite(
  request: BatchWriteItemRequest,
  draw: Draw,
): Part<BatchWriteItemRequest, BatchWriteItemAnswer> | undefined {
  const parts = Object.entries(request.RequestItems).flatMap(([table, writes]) =>
    writes.map(write => [table, write] as const),
  )
  if (parts.length < 2) return undefined
  const { done, left } = split(parts, draw)
  return {
    request: { ...request, RequestItems: Object.fromEntries(byTable(done)) },
    unprocessed: { UnprocessedItems: Object.fromEntries(byTable(left)) },
  }
}

/** The items that were found, in another order: the service promises none. */
export function disordered(answer: BatchGetItemAnswer, draw: Draw): BatchGetItemAnswer {
  const tables = Object.entries(answer.Responses ?? {}).map(([table, items]) => {
    const ranked = items.map(item => ({ item, rank: draw() })).sort((a, b) => a.rank - b.rank)
    return [table, ranked.map(({ item }) => item)]
  })
  return { ...answer, Responses: Object.fromEntries(tables) }
}
