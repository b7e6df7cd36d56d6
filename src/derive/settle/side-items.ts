import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import type { QueryInput } from '../../dynamodb/operations/reads.js'
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

/** An item of the table with the kind that it is of, and what it says. */
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
 * The kind of an item: by its mark, or where several have that one or others wrote it without, by its keys, which no two
 * kinds have. None where it has the mark of a kind and keys that are not of it: it is of a layout before, or of others.
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
 * Those of the kinds that have such keys. Both items of an undirected edge have the same: its own lies under the lesser of
 * its ends.
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
    // What it says does not make a key.
    return false
  }
}

/** Raw keys are not read, and one that is missing is a fault, which reading the item tells. */
const canComeFromTemplate = (template: KeyTemplate, value: AttributeValue | undefined): boolean =>
  template.mode === 'raw' || value === undefined || canMakeKey(template, keyAttributeText(value))

/** What an item is: undefined where it is none of a node, an edge or a mirror. */
export function parseItem(layout: Layout, item: Item): ParsedItem | undefined {
  const kind = kindOfItem(layout, item)
  const isIndexItem = kind?.role === 'facet' || kind?.role === 'unique'
  return kind && !isIndexItem && !hasWrongKey(layout, kind, item)
    ? { kind, item, values: valuesOf(layout, kind, item) }
    : undefined
}

/**
 * Whether the item of a node or an edge lies where none is that says what it says: raw keys tell nothing, and others may
 * keep items of theirs under the same mark.
 */
export function hasWrongKey(layout: Layout, kind: Kind, item: Item): boolean {
  const { names } = layout
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  const isRaw = names.keys.some(name => kind.keys[name]!.mode === 'raw')
  return isOwn && isRaw && isAtExpectedKey(layout, kind, item) === false
}

/** Whether it lies where a layout has what it says, in a shard; undefined where it does not say enough. */
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

/** A path by which a node finds the edges that its counters hold, or that carry its values. */
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

/** Those of a type of node. Either end of an undirected edge finds all of them. */
export const derivedPathsOf = (layout: Layout, node: DeclaredNode): DerivedPath[] =>
  listDerivedPaths(layout).filter(({ end }) => end.node === node)

/** The node in whose partition a side item lies. */
export function nodeOfSideItem(
  layout: Layout,
  { kind, values }: ParsedItem,
): { end: DeclaredEnd; key: Key } | undefined {
  const end = partitionEndOf(kind, layout)
  return end && { end, key: endNodeOf(layout, end, values).key }
}

/** A node without what is kept of its edges, which may be as the layout before has it. */
export function withoutAggregates({ names }: Layout, type: DeclaredNode, item: Item): Item {
  const derivedSlots = Object.keys(type.attributes).filter(name => type.attributes[name]!.derived)
  const derivedNames = derivedSlots.map(name => names.attributeOf(type, name))
  return Object.fromEntries(Object.entries(item).filter(([name]) => !derivedNames.includes(name)))
}

/** A node without what tells nothing of which it is: a value that cannot be read keeps nobody from finding its edges. */
export function toIdentityItem({ names }: Layout, type: DeclaredNode, item: Item): Item {
  const otherSlots = Object.keys(type.attributes).filter(name => !type.id.includes(name))
  const otherNames = new Set(otherSlots.map(name => names.attributeOf(type, name)))
  return Object.fromEntries(Object.entries(item).filter(([name]) => !otherNames.has(name)))
}

/** The side items that a node finds by a path, page by page, as they are now. */
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
  // A local index may not hold all of an item, which is then read by its key.
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
