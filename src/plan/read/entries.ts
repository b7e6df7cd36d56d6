import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { compareUtf8 } from '../../layout/keys/compare-utf8.js'
import { toSortText } from '../../layout/keys/key-text-codec.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { chunksOf } from '../chunks.js'
import { keyOfItem, kindByName, tableKeyOf, uniqueKeyTextOf } from '../identity.js'
import type { Deferred, RowSelection, SortOrder } from '../plan.js'
import { isLive, valuesOf } from '../row.js'
import { endNodeOf } from '../write/effects/item-write.js'

/** The members of all DynamoDB read responses. */
export interface ReadResponse {
  readonly Item?: Item | undefined
  readonly Items?: readonly Item[] | undefined
  readonly Count?: number | undefined
  readonly LastEvaluatedKey?: Key | undefined
  readonly Responses?: Readonly<Record<string, readonly Item[]>> | readonly ReadResponse[] | undefined
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys?: readonly Key[] | undefined }>> | undefined
}

/** For each step of a plan, the responses to the requests of `nextRequests`, in the same order. */
export type StepResponses = readonly (readonly ReadResponse[])[]

/** An item that was found, and the step that found it. */
export interface FoundEntry {
  readonly item: Item
  readonly step: number
  /** The kind that decodes the item. */
  readonly kind: Kind
  readonly endsSwapped: boolean
  /** The sort attributes of its list, when several lists are merged. */
  readonly sortOrder?: SortOrder | undefined
  /** The last skipped item before the next entry. */
  lastSkipped?: Item
}

/** All items of a step's responses, in order. */
export function itemsIn(responses: readonly ReadResponse[]): readonly Item[] {
  if (responses.length === 1 && responses[0]!.Items) return responses[0]!.Items
  const items: Item[] = []
  for (const { Item, Items, Responses = [] } of responses) {
    if (Item) items.push(Item)
    // A page can hold more items than the maximum number of call arguments, so `push(...items)` would throw.
    const more = Items ?? (Array.isArray(Responses) ? itemsIn(Responses) : Object.values(Responses).flat())
    for (const item of more) items.push(item)
  }
  return items
}

/** The rows that steps found. */
export interface FoundEntries {
  readonly steps: readonly number[]
  /** One list in the requested order, at most as long as the limit. */
  readonly entries: readonly FoundEntry[]
  readonly hasMore: boolean
  /** By step: the last item that was skipped before the first entry. */
  readonly skippedBefore: readonly (Item | undefined)[]
}

export function entriesOf(
  layout: Layout,
  selection: RowSelection,
  responses: StepResponses,
  nowMs: number | undefined,
): FoundEntries {
  const { steps, sortOrders, typeMarks, readBackwards, limit, fromOtherEnd } = selection
  const skippedBefore: (Item | undefined)[] = []
  const lists = steps.map((step, i) => {
    const isFromOtherEnd = !!fromOtherEnd?.steps.includes(step)
    const kind = kindByName(layout, isFromOtherEnd ? fromOtherEnd!.kind : selection.kind)
    const entries: FoundEntry[] = []
    for (const item of itemsIn(responses[step]!)) {
      const isMarked = typeMarks?.includes(item[layout.names.type]?.S ?? '') ?? true
      if (isLive(layout, item, nowMs) && isMarked && !(isFromOtherEnd && isSelfLoop(layout, kind, item)))
        entries.push({ item, step, kind, endsSwapped: isFromOtherEnd, sortOrder: sortOrders?.[i] })
      else if (entries.length > 0) entries.at(-1)!.lastSkipped = item
      else skippedBefore[step] = item
    }
    return entries
  })
  const ordered = mergeLists(layout, selection, lists)
  if (readBackwards) ordered.reverse()
  const entries = ordered.slice(0, limit)
  return {
    steps,
    entries,
    hasMore: entries.length < ordered.length || steps.some(step => responses[step]!.at(-1)?.LastEvaluatedKey),
    skippedBefore,
  }
}

/** Whether an edge is a self-loop. A self-loop is found from both ends and is returned only the first time. */
function isSelfLoop(layout: Layout, kind: Kind, item: Item): boolean {
  const values = valuesOf(layout, kind, item)
  const [firstKey, secondKey] = (kind.type as DeclaredEdge).ends.map(end =>
    uniqueKeyTextOf(layout, endNodeOf(layout, end, values).key),
  )
  return firstKey === secondKey
}

/**
 * Merges lists by their sort attributes, then by the table key, up to one entry past the limit. Each list keeps
 * DynamoDB's order, so that the rest of a list always follows the entries taken. There may be hundreds of lists, so
 * they are merged pairwise.
 */
function mergeLists(layout: Layout, { reverse, limit }: RowSelection, lists: readonly FoundEntry[][]): FoundEntry[] {
  const sorted = ({ item, sortOrder }: FoundEntry) =>
    toSortText(item[sortOrder!.attribute]).slice(sortOrder!.prefixLength)
  const order = (a: FoundEntry, b: FoundEntry) =>
    compareUtf8(sorted(a), sorted(b)) || compareUtf8(uniqueKeyTextOf(layout, a.item), uniqueKeyTextOf(layout, b.item))
  const mergeTwo = ([first, second = []]: readonly FoundEntry[][]): FoundEntry[] => {
    const all: FoundEntry[] = []
    let at = 0
    for (const entry of second) {
      for (; first![at] && (reverse ? order(entry, first![at]!) : order(first![at]!, entry)) <= 0; at++)
        all.push(first![at]!)
      all.push(entry)
    }
    return all.concat(first!.slice(at)).slice(0, limit && limit + 1)
  }
  while (lists.length > 1) lists = chunksOf(lists, 2).map(mergeTwo)
  return lists[0] ?? []
}

export type DeferredKeys = Extract<Deferred, { deferred: 'keys' }>

/**
 * The key of the item that an entry points to, or of the node at one of its ends. Returns an empty list when an edge
 * refers to an id that the node's key cannot hold, because that node cannot exist.
 */
export function keyOfEntry(
  layout: Layout,
  { kind, end }: { readonly kind?: string; readonly end?: string | undefined },
  { item: foundItem, kind: source, endsSwapped }: FoundEntry,
  item = foundItem,
): Key {
  const isPointer = source.role === 'facet' || source.role === 'unique'
  if (!end && !isPointer) return keyOfItem(layout.names, item)
  const values = valuesOf(layout, source, item, endsSwapped, end)
  if (!end) return tableKeyOf(layout, kindByName(layout, kind!), values)
  try {
    return endNodeOf(layout, findEnd(source.type as DeclaredEdge, end)!, values).key
  } catch {
    return {}
  }
}
