import type {
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
} from '../dynamodb/operation-types.js'

type RandomNumbers = () => number

/** Splits the entries at random into two groups with at least one entry each. */
function splitEntries<Entry>(entries: readonly Entry[], random: RandomNumbers): { done: Entry[]; left: Entry[] } {
  const firstUnprocessed = Math.floor(random() * entries.length)
  const firstProcessed = (firstUnprocessed + 1 + Math.floor(random() * (entries.length - 1))) % entries.length
  const isUnprocessed = entries.map((_, i) => i === firstUnprocessed || (i !== firstProcessed && random() < 0.5))
  return { done: entries.filter((_, i) => !isUnprocessed[i]), left: entries.filter((_, i) => isUnprocessed[i]) }
}

function groupByTable<Value>(entries: readonly (readonly [table: string, value: Value])[]): [string, Value[]][] {
  const tables = new Map<string, Value[]>()
  for (const [table, value] of entries) tables.set(table, [...(tables.get(table) ?? []), value])
  return [...tables]
}

interface BatchPart<Request, Output> {
  readonly request: Request
  /** The response for the entries that stay unprocessed. */
  readonly unprocessed: Output
}

/** A request for a random part of the keys; undefined for fewer than two keys. */
export function splitBatchGet(
  request: BatchGetItemInput,
  random: RandomNumbers,
): BatchPart<BatchGetItemInput, BatchGetItemOutput> | undefined {
  const tables = request.RequestItems
  const entries = Object.entries(tables).flatMap(([table, { Keys = [] }]) => Keys.map(key => [table, key] as const))
  if (entries.length < 2) return undefined
  const { done: processed, left: unprocessed } = splitEntries(entries, random)
  const toRequestItems = (selected: typeof entries): BatchGetItemInput['RequestItems'] =>
    Object.fromEntries(groupByTable(selected).map(([table, Keys]) => [table, { ...tables[table], Keys }]))
  return {
    request: { ...request, RequestItems: toRequestItems(processed) },
    unprocessed: { UnprocessedKeys: toRequestItems(unprocessed) },
  }
}

/** A request for a random part of the writes; undefined for fewer than two writes. */
export function splitBatchWrite(
  request: BatchWriteItemInput,
  random: RandomNumbers,
): BatchPart<BatchWriteItemInput, BatchWriteItemOutput> | undefined {
  const entries = Object.entries(request.RequestItems).flatMap(([table, writes]) =>
    writes.map(write => [table, write] as const),
  )
  if (entries.length < 2) return undefined
  const { done: processed, left: unprocessed } = splitEntries(entries, random)
  return {
    request: { ...request, RequestItems: Object.fromEntries(groupByTable(processed)) },
    unprocessed: { UnprocessedItems: Object.fromEntries(groupByTable(unprocessed)) },
  }
}

/** The found items in a different order: the service does not guarantee an order. */
export function shuffleResponses(output: BatchGetItemOutput, random: RandomNumbers): BatchGetItemOutput {
  const tables = Object.entries(output.Responses ?? {}).map(([table, items]) => {
    const ranked = items.map(item => ({ item, rank: random() })).sort((a, b) => a.rank - b.rank)
    return [table, ranked.map(({ item }) => item)]
  })
  return { ...output, Responses: Object.fromEntries(tables) }
}
