import type { Item, Key } from '../dynamodb/attribute-value.js'
import { sortText } from '../layout/key-text.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { compareUtf8 } from '../layout/template-order.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { endOf } from './change-part.js'
import { chunksOf } from './chunks.js'
import { keyOf, keyText, kindNamed, tableKey } from './identity.js'
import type { Found, Late, Sorted } from './plan.js'
import { isLive, valuesOf } from './row.js'

/** What DynamoDB answers to any of the reads. */
export interface Answer {
  readonly Item?: Item | undefined
  readonly Items?: readonly Item[] | undefined
  readonly Count?: number | undefined
  readonly LastEvaluatedKey?: Key | undefined
  readonly Responses?: Readonly<Record<string, readonly Item[]>> | readonly Answer[] | undefined
  readonly UnprocessedKeys?: Readonly<Record<string, { readonly Keys?: readonly Key[] | undefined }>> | undefined
}

/** Of each step of a plan, the answers to the requests that `next` told, in their order. */
export type Answered = readonly (readonly Answer[])[]

/** An item that was found, and from where. */
export interface Entry {
  readonly item: Item
  readonly step: number
  /** The kind that it is read as. */
  readonly kind: Kind
  readonly turned: boolean
  /** What its list is sorted by, where it is one of several. */
  readonly sort?: Sorted | undefined
  /** The last item before the next entry, where some between are left out. */
  past?: Item
}

/** All items of a step's answers, in their order. */
export function itemsIn(answers: readonly Answer[]): readonly Item[] {
  const items: Item[] = []
  for (const { Item, Items, Responses = [] } of answers) {
    if (Item) items.push(Item)
    // A page can hold more items than a call takes arguments.
    const more = Items ?? (Array.isArray(Responses) ? itemsIn(Responses) : Object.values(Responses).flat())
    for (const item of more) items.push(item)
  }
  return items
}

/** The rows that steps found. */
export interface Entries {
  readonly steps: readonly number[]
  /** As one list in the order that was asked for, no more of them than that. */
  readonly entries: readonly Entry[]
  readonly more: boolean
  /** By step, where its first comes after items that are none, the last of those. */
  readonly before: readonly (Item | undefined)[]
}

export function entriesOf(layout: Layout, found: Found, answered: Answered, nowMs: number | undefined): Entries {
  const { steps, sorts, marks, backwards, limit, turned } = found
  const before: (Item | undefined)[] = []
  const lists = steps.map((step, i) => {
    const back = !!turned?.steps.includes(step)
    const kind = kindNamed(layout, back ? turned!.kind : found.kind)
    const entries: Entry[] = []
    for (const item of itemsIn(answered[step]!)) {
      const isMarked = marks?.includes(item[layout.names.type]?.S ?? '') ?? true
      if (isLive(layout, item, nowMs) && isMarked && !(back && isLoop(layout, kind, item)))
        entries.push({ item, step, kind, turned: back, sort: sorts?.[i] })
      else if (entries[0]) entries.at(-1)!.past = item
      else before[step] = item
    }
    return entries
  })
  const ordered = merged(layout, found, lists)
  if (backwards) ordered.reverse()
  const entries = ordered.slice(0, limit)
  return {
    steps,
    entries,
    more: entries.length < ordered.length || steps.some(step => answered[step]!.at(-1)?.LastEvaluatedKey),
    before,
  }
}

/** An edge of a node with itself is found from both ends: once is enough. */
function isLoop(layout: Layout, kind: Kind, item: Item): boolean {
  const values = valuesOf(layout, kind, item)
  const [one, other] = (kind.type as DeclaredEdge).ends.map(end => keyText(layout, endOf(layout, end, values).key))
  return one === other
}

/**
 * Lists as one, by the attributes that each is sorted by, then by the table's key, no more than one past the limit. Each
 * stays in the order in which DynamoDB told it, so that what is left of it is after what was taken. There may be
 * hundreds, so they are merged two by two.
 */
function merged(layout: Layout, { reverse, limit }: Found, lists: readonly Entry[][]): Entry[] {
  const sorted = ({ item, sort }: Entry) => sortText(item[sort!.by]).slice(sort!.after)
  const order = (a: Entry, b: Entry) =>
    compareUtf8(sorted(a), sorted(b)) || compareUtf8(keyText(layout, a.item), keyText(layout, b.item))
  const both = ([one, other = []]: readonly Entry[][]): Entry[] => {
    const all: Entry[] = []
    let at = 0
    for (const entry of other) {
      for (; one![at] && (reverse ? order(entry, one![at]!) : order(one![at]!, entry)) <= 0; at++) all.push(one![at]!)
      all.push(entry)
    }
    return all.concat(one!.slice(at)).slice(0, limit && limit + 1)
  }
  while (lists.length > 1) lists = chunksOf(lists, 2).map(both)
  return lists[0] ?? []
}

export type LateKeys = Extract<Late, { late: 'keys' }>

/**
 * The key of the item that an entry stands for, or of the node at one of its ends, as that item may tell. It is empty
 * where an edge leads to an id that the key of its node does not take: there is no such node.
 */
export function keyOfEntry(
  layout: Layout,
  { kind, end }: { readonly kind?: string; readonly end?: string | undefined },
  { item: found, kind: source, turned }: Entry,
  item = found,
): Key {
  const pointer = source.role === 'facet' || source.role === 'unique'
  if (!end && !pointer) return keyOf(layout.names, item)
  const values = valuesOf(layout, source, item, turned, end)
  if (!end) return tableKey(layout, kindNamed(layout, kind!), values)
  try {
    return endOf(layout, endNamed(source.type as DeclaredEdge, end)!, values).key
  } catch {
    return {}
  }
}
