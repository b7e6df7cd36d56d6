import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { QueryRequest } from '../dynamodb/operations/reads.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { once } from '../layout/once.js'
import { isOwnItem } from '../layout/own-items.js'
import { endsInOrder, idSlots } from '../layout/slots.js'
import { textOf } from '../layout/store-item.js'
import type { Template } from '../layout/template.js'
import { matches } from '../layout/template-encode.js'
import { endOf } from '../plan/change-part.js'
import { keyOf, keyText, ownKind, tableKey, tenantOf } from '../plan/identity.js'
import { endOfSide } from '../plan/kept-by-stream.js'
import type { Slots } from '../plan/plan.js'
import { planPath } from '../plan/read-path.js'
import { rowOf, valuesOf } from '../plan/row.js'
import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { type Deriving, itemsAt } from './deriving.js'

/** An item of the table with the kind that it is of, and what it says. */
export interface Seen {
  readonly kind: Kind
  readonly item: Item
  readonly values: Slots
}

const byMark = once(({ kinds }: Layout) => {
  const all = new Map<string, Kind[]>()
  for (const kind of kinds) all.set(kind.mark, [...(all.get(kind.mark) ?? []), kind])
  return all
})

/**
 * The kind of an item: by its mark, or where several have that one or others wrote it without, by its keys, which no two
 * kinds have. None where it has the mark of a kind and keys that are not of it: it is of a layout before, or of others.
 */
export function kindOf(layout: Layout, item: Item): Kind | undefined {
  const { names, kinds } = layout
  const mark = item[names.type]?.S
  const marked = mark === undefined ? kinds : (byMark(layout).get(mark) ?? [])
  const { keys } = names
  if (mark !== undefined && marked.length < 2)
    return marked.find(kind => keys.every(name => isMadeBy(kind.keys[name]!, item[name])))
  if (isOwnItem(layout, item)) return undefined
  return kindsUnder(layout, marked, item)[0]
}

/**
 * Those of the kinds that have such keys. Both items of an undirected edge have the same: its own lies under the lesser of
 * its ends.
 */
export function kindsUnder(layout: Layout, kinds: readonly Kind[], item: Item): readonly Kind[] {
  const { keys } = layout.names
  const under = kinds.filter(kind => keys.every(name => matches(kind.keys[name]!, textOf(item[name]))))
  const [first, ...others] = under
  if (others.length === 0 || others.some(({ type }) => type !== first!.type)) return under
  const own = under.find(kind => isInOrder(layout, kind, item))
  return own ? [own] : under
}

function isInOrder(layout: Layout, kind: Kind, item: Item): boolean {
  const { type } = kind
  try {
    const key = tableKey(layout, kind, endsInOrder(type, valuesOf(layout, kind, item)))
    return keyText(layout, key) === keyText(layout, item)
  } catch {
    // What it says does not make a key.
    return false
  }
}

/** Raw keys are not read, and one that is missing is a fault, which reading the item tells. */
const isMadeBy = (template: Template, value: AttributeValue | undefined): boolean =>
  template.mode === 'raw' || value === undefined || matches(template, textOf(value))

/** What an item is: undefined where it is none of a node, an edge or a mirror. */
export function seen(layout: Layout, item: Item): Seen | undefined {
  const kind = kindOf(layout, item)
  const isSide = kind?.role === 'facet' || kind?.role === 'unique'
  return kind && !isSide && !isElsewhere(layout, kind, item)
    ? { kind, item, values: valuesOf(layout, kind, item) }
    : undefined
}

/**
 * Whether the item of a node or an edge lies where none is that says what it says: raw keys tell nothing, and others may
 * keep items of theirs under the same mark.
 */
export function isElsewhere(layout: Layout, kind: Kind, item: Item): boolean {
  const { names } = layout
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  const isRaw = names.keys.some(name => kind.keys[name]!.mode === 'raw')
  return isOwn && isRaw && isInPlace(layout, kind, item) === false
}

/** Whether it lies where a layout has what it says, in a shard; undefined where it does not say enough. */
export function isInPlace(
  layout: Layout,
  kind: Kind,
  item: Item,
  shard: 'any' | 'its own' = 'any',
): boolean | undefined {
  const { partition } = layout.names
  try {
    const key = tableKey(layout, kind, valuesOf(layout, kind, item))
    const isAny = shard === 'any' && kind.shards[partition]
    return keyText(layout, { ...key, ...(isAny && { [partition]: item[partition]! }) }) === keyText(layout, item)
  } catch {
    return undefined
  }
}

export const isReadable = (layout: Layout, item: Item): boolean => kindOf(layout, item) !== undefined

/** A path by which a node finds the edges that its counters hold, or that carry its values. */
export interface NodePath {
  readonly edge: DeclaredEdge
  readonly end: DeclaredEnd
  readonly counts: boolean
  readonly copies: boolean
}

const paths = once(({ graph: { declared } }: Layout) => {
  const made = declared.edges.flatMap(edge => {
    const { ends, count, sum, carry, undirected } = edge
    return (undirected ? ends.slice(0, 1) : ends).map(
      (end): NodePath => ({
        edge,
        end,
        counts: [...count, ...sum].some(each => each.end === end.name && each.by === 'stream'),
        copies: carry.some(each => each.end === end.name && each.sync !== undefined),
      }),
    )
  })
  return made.filter(({ counts, copies }) => counts || copies)
})

/** Those of a type of node. Either end of an undirected edge finds all of them. */
export const pathsOf = (layout: Layout, node: DeclaredNode): NodePath[] =>
  paths(layout).filter(({ end }) => end.node === node)

/** The node in whose partition a side item lies. */
export function nodeOfSide(layout: Layout, { kind, values }: Seen): { end: DeclaredEnd; key: Key } | undefined {
  const end = endOfSide(kind, layout)
  return end && { end, key: endOf(layout, end, values).key }
}

/** A node without what is kept of its edges, which may be as the layout before has it. */
export function withoutKept({ names }: Layout, type: DeclaredNode, item: Item): Item {
  const kept = Object.keys(type.attributes).filter(name => type.attributes[name]!.derived)
  const stored = kept.map(name => names.of(type, name))
  return Object.fromEntries(Object.entries(item).filter(([name]) => !stored.includes(name)))
}

/** A node without what tells nothing of which it is: a value that cannot be read keeps nobody from finding its edges. */
export function identifying({ names }: Layout, type: DeclaredNode, item: Item): Item {
  const others = Object.keys(type.attributes).filter(name => !type.id.includes(name))
  const stored = new Set(others.map(name => names.of(type, name)))
  return Object.fromEntries(Object.entries(item).filter(([name]) => !stored.has(name)))
}

/** The side items that a node finds by a path, page by page, as they are now. */
export async function* sidesOf(deriving: Deriving, node: Item, { edge, end }: NodePath): AsyncGenerator<Seen[]> {
  const { layout, store } = deriving.context
  const kind = ownKind(layout, end.node)
  const row = rowOf(layout, kind, identifying(layout, end.node, node))
  const tenant = tenantOf(layout, valuesOf(layout, kind, node))
  const given = idSlots(end.node).length === 1 ? row[end.node.id[0]!] : row
  const { steps } = planPath(layout, { type: edge.name, path: end.name, given, tenant, consistent: true })
  const queries = steps.filter(({ request }) => request.operation === 'query')
  // A local index may not hold all of an item, which is then read by its key.
  const isWhole = queries.length === steps.length
  for (const { request } of queries) {
    let from: Record<string, AttributeValue> | undefined
    do {
      const asked = request.input as unknown as QueryRequest
      const { Items = [], LastEvaluatedKey } = await store.query({
        ...asked,
        ...(from && { ExclusiveStartKey: from }),
      })
      const keys = isWhole ? [] : Items.map(item => keyOf(layout.names, item))
      const items = isWhole ? Items : (await itemsAt(deriving, keys)).values()
      yield [...items].flatMap(item => seen(layout, item) ?? [])
      from = LastEvaluatedKey
    } while (from)
  }
}
