import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import type { QueryInput } from '../../dynamodb/operation-types.js'
import { keyAttributeText } from '../../layout/items/compose-item.js'
import { isInternalItem } from '../../layout/items/internal-items.js'
import { canMakeKey } from '../../layout/keys/encode-template.js'
import type { KeyTemplate } from '../../layout/keys/template.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { memoize } from '../../layout/memoize.js'
import { idSlots, normalizeEnds } from '../../layout/slots.js'
import { keyOfItem, ownKindOf, tableKeyOf, tenantOf, uniqueKeyTextOf } from '../../plan/identity.js'
import type { SlotValues } from '../../plan/plan.js'
import { planPath } from '../../plan/read/path.js'
import { rowOf, valuesOf } from '../../plan/row.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import { partitionEndOf } from '../../plan/write/effects/stream-counters.js'
import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../../schema/declarations.js'
import { type DerivationContext, readCurrentItems } from './context.js'

/** An item of the table with its kind and the values of its slots. */
export interface ParsedItem {
  readonly kind: Kind
  readonly item: Item
  readonly values: SlotValues
}

const kindsByMark = memoize(({ kinds }: Layout) => {
  const lists = new Map<string, Kind[]>()
  for (const kind of kinds) lists.set(kind.typeMark, [...(lists.get(kind.typeMark) ?? []), kind])
  return lists
})

/**
 * Returns the kind of an item by its type mark. If several kinds share the mark, or the mark is missing, the keys
 * decide. Returns undefined if the keys do not fit the marked kind: the item belongs to an older layout or to another
 * application.
 */
export function kindOfItem(layout: Layout, item: Item): Kind | undefined {
  const { names, kinds } = layout
  const mark = item[names.type]?.S
  const candidates = mark === undefined ? kinds : (kindsByMark(layout).get(mark) ?? [])
  const { keys } = names
  if (mark !== undefined && candidates.length < 2)
    return candidates.find(kind => keys.every(name => canComeFromTemplate(kind.keys[name]!, item[name])))
  if (isInternalItem(layout, item)) return undefined
  return findKindsByKeys(layout, candidates, item)[0]
}

/**
 * Returns the kinds whose key templates match an item. Both items of an undirected edge match the same templates; the
 * edge's own item is stored under the lesser end.
 */
export function findKindsByKeys(layout: Layout, kinds: readonly Kind[], item: Item): readonly Kind[] {
  const { keys } = layout.names
  const matching = kinds.filter(kind => keys.every(name => canMakeKey(kind.keys[name]!, keyAttributeText(item[name]))))
  const [first, ...rest] = matching
  if (rest.length === 0 || rest.some(({ type }) => type !== first!.type)) return matching
  const ordered = matching.find(kind => isAtOrderedKey(layout, kind, item))
  return ordered ? [ordered] : matching
}

function isAtOrderedKey(layout: Layout, kind: Kind, item: Item): boolean {
  const { type } = kind
  try {
    const key = tableKeyOf(layout, kind, normalizeEnds(type, valuesOf(layout, kind, item)))
    return uniqueKeyTextOf(layout, key) === uniqueKeyTextOf(layout, item)
  } catch {
    // The values of the item do not form a key.
    return false
  }
}

/** Whether a key fits a template. Raw keys are not parsed; a missing key is reported when the item is read. */
const canComeFromTemplate = (template: KeyTemplate, value: AttributeValue | undefined): boolean =>
  template.mode === 'raw' || value === undefined || canMakeKey(template, keyAttributeText(value))

/** Parses an item of a node, an edge or a mirror. Returns undefined for any other item. */
export function parseItem(layout: Layout, item: Item): ParsedItem | undefined {
  const kind = kindOfItem(layout, item)
  const isIndexItem = kind?.role === 'facet' || kind?.role === 'unique'
  return kind && !isIndexItem && !hasWrongKey(layout, kind, item)
    ? { kind, item, values: valuesOf(layout, kind, item) }
    : undefined
}

/**
 * Whether the own item of a node or an edge is stored under another key than its values form. Raw keys cannot be
 * parsed, and other applications may use the same type mark.
 */
export function hasWrongKey(layout: Layout, kind: Kind, item: Item): boolean {
  const { names } = layout
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  const isRaw = names.keys.some(name => kind.keys[name]!.mode === 'raw')
  return isOwn && isRaw && isAtExpectedKey(layout, kind, item) === false
}

/**
 * Whether an item is stored at the key that its values form, in any shard or in its own. Undefined if values are
 * missing.
 */
export function isAtExpectedKey(
  layout: Layout,
  kind: Kind,
  item: Item,
  shard: 'any' | 'its own' = 'any',
): boolean | undefined {
  const { partition } = layout.names
  try {
    const key = tableKeyOf(layout, kind, valuesOf(layout, kind, item))
    const acceptsAnyShard = shard === 'any' && kind.shards[partition]
    return (
      uniqueKeyTextOf(layout, { ...key, ...(acceptsAnyShard && { [partition]: item[partition]! }) }) ===
      uniqueKeyTextOf(layout, item)
    )
  } catch {
    return undefined
  }
}

export const hasKnownKind = (layout: Layout, item: Item): boolean => kindOfItem(layout, item) !== undefined

/** A path by which a node finds edges that it counts or that carry its values. */
export interface DerivedPath {
  readonly edge: DeclaredEdge
  readonly end: DeclaredEnd
  readonly hasCounters: boolean
  readonly hasCopies: boolean
}

const listDerivedPaths = memoize(({ graph: { declared } }: Layout) => {
  const allPaths = declared.edges.flatMap(edge => {
    const { ends, count, sum, carry, undirected } = edge
    return (undirected ? ends.slice(0, 1) : ends).map(
      (end): DerivedPath => ({
        edge,
        end,
        hasCounters: [...count, ...sum].some(derived => derived.end === end.name && derived.by === 'stream'),
        hasCopies: carry.some(derived => derived.end === end.name && derived.sync !== undefined),
      }),
    )
  })
  return allPaths.filter(({ hasCounters, hasCopies }) => hasCounters || hasCopies)
})

/**
 * Returns the derived paths of a node type. An undirected edge has one path, because either end finds all of its
 * edges.
 */
export const derivedPathsOf = (layout: Layout, node: DeclaredNode): DerivedPath[] =>
  listDerivedPaths(layout).filter(({ end }) => end.node === node)

/** Returns the node whose partition holds a side item. */
export function nodeOfSideItem(
  layout: Layout,
  { kind, values }: ParsedItem,
): { end: DeclaredEnd; key: Key } | undefined {
  const end = partitionEndOf(kind, layout)
  return end && { end, key: endNodeOf(layout, end, values).key }
}

/** Returns a node's item without its aggregates, which may still have the format of an older layout. */
export function withoutAggregates({ names }: Layout, type: DeclaredNode, item: Item): Item {
  const derivedSlots = Object.keys(type.attributes).filter(name => type.attributes[name]!.derived)
  const derivedNames = derivedSlots.map(name => names.attributeOf(type, name))
  return Object.fromEntries(Object.entries(item).filter(([name]) => !derivedNames.includes(name)))
}

/**
 * Returns a node's item with only the attributes of its identity, so that an unreadable value does not prevent finding
 * its edges.
 */
export function toIdentityItem({ names }: Layout, type: DeclaredNode, item: Item): Item {
  const otherSlots = Object.keys(type.attributes).filter(name => !type.id.includes(name))
  const otherNames = new Set(otherSlots.map(name => names.attributeOf(type, name)))
  return Object.fromEntries(Object.entries(item).filter(([name]) => !otherNames.has(name)))
}

/** Reads the side items of a node on a path, page by page, with strong consistency. */
export async function* readSideItems(
  derivation: DerivationContext,
  node: Item,
  { edge, end }: DerivedPath,
): AsyncGenerator<ParsedItem[]> {
  const { layout, store } = derivation.context
  const kind = ownKindOf(layout, end.node)
  const row = rowOf(layout, kind, toIdentityItem(layout, end.node, node))
  const tenant = tenantOf(layout, valuesOf(layout, kind, node))
  const id = idSlots(end.node).length === 1 ? row[end.node.id[0]!] : row
  const { steps } = planPath(layout, { type: edge.name, path: end.name, start: id, tenant, consistent: true })
  const queries = steps.filter(({ request }) => request.operation === 'query')
  // A local index may project only part of an item, so read the whole item by its key.
  const hasWholeItems = queries.length === steps.length
  for (const { request } of queries) {
    let startKey: Record<string, AttributeValue> | undefined
    do {
      const query = request.input as unknown as QueryInput
      const { Items = [], LastEvaluatedKey } = await store.query({
        ...query,
        ...(startKey && { ExclusiveStartKey: startKey }),
      })
      const keys = hasWholeItems ? [] : Items.map(item => keyOfItem(layout.names, item))
      const items = hasWholeItems ? Items : (await readCurrentItems(derivation, keys)).values()
      yield [...items].flatMap(item => parseItem(layout, item) ?? [])
      startKey = LastEvaluatedKey
    } while (startKey)
  }
}
