import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { isObject } from '../../schema/checks/assertions.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredNode } from '../../schema/declarations.js'
import { isClosure } from '../../schema/edge/closure.js'
import { findEnd } from '../../schema/edge/ends.js'
import { GraphError } from '../../schema/error.js'
import type { KeySlotValues } from '../keys/encode-template.js'
import { type Kind, keySlotsOf, tableKeySlots } from '../kinds.js'
import type { Layout } from '../layout.js'
import { requireLayout } from '../require-layout.js'
import { type DeclaredType, expandSets, identitySlotsOf, referenceSlots, TENANT_SLOT, toSlotValues } from '../slots.js'
import { closureRowsOfTree } from './closure.js'
import { composeItem, keyAttributeText, tableKeyOf } from './compose-item.js'
import {
  addNumberValues,
  embeddedEntryName,
  embeddedEntryOf,
  isCounted,
  rankingCountersOf,
  TREE_DEPTH,
} from './derived-values.js'
import { bindValue, caseFoldingOf, rowBoundAttributes } from './row-bindings.js'
import { EMPTY_TALLY, TALLY_PER_EDGE, talliedSumsOf, tallyName } from './tally.js'

/** A row of a node or an edge, as plain values. */
export type Row = Readonly<Record<string, unknown>>
/** Rows by the name of their type. */
export type Example = Readonly<Record<string, readonly Row[]>>

/** An item of the table, with the name of its kind. */
export interface PhysicalItem {
  readonly kind: string
  readonly item: Item
}

/** A row with stored values. */
export interface StoredRow {
  readonly type: DeclaredNode | DeclaredEdge
  readonly values: Record<string, AttributeValue>
}

/**
 * Returns every item that the rows of an example are stored as, with derived and computed attributes. Etags and the
 * counting marks of the stream consumer are left out.
 *
 * @param example - rows of nodes and edges by type; types that the graph does not have are ignored
 * @param tenant - the tenant, for a graph with tenants
 * @throws {call.argument} if the example is invalid, or the graph has no tenants
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { itemsOf, printItems } from 'edgewise/layout'
 *
 * const social = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * console.log(printItems(social, itemsOf(social, { user: [{ name: 'ann' }] })))
 * ```
 */
export function itemsOf(layout: Layout, example: Example, tenant?: string): PhysicalItem[] {
  // Without tenants in the graph, no write would produce these items.
  if (tenant !== undefined && !requireLayout(layout).design.tenant)
    throw new GraphError('call.argument', 'itemsOf: the graph has no tenants; omit the tenant.')
  checkExample(example)
  return itemsOfStoredRows(layout, toStoredRows(requireLayout(layout), example, tenant).map(withComputed))
}

/**
 * Rejects values that are not rows. Rows of unknown types are accepted, because one example may serve several graphs.
 */
function checkExample(example: Example): void {
  const check = (condition: boolean, message: string) => {
    if (!condition) throw new GraphError('call.argument', message)
  }
  check(
    isObject(example),
    'itemsOf: the example is not an object; give rows by the names of their types, such as { user: [{ … }] }.',
  )
  for (const [name, rows] of Object.entries(example)) {
    const isRows = rows === undefined || (Array.isArray(rows) && rows.every(isObject))
    check(isRows, `itemsOf: the rows of '${name}' are not a list of objects; give a list.`)
  }
}

/** Returns the items of rows that were read, whose computed attributes keep their stored values. */
export function itemsOfReadRows(layout: Layout, rows: Example, tenant: string | undefined): PhysicalItem[] {
  return itemsOfStoredRows(layout, toStoredRows(layout, rows, tenant))
}

function toStoredRows({ graph }: Layout, rows: Example, tenant: string | undefined): StoredRow[] {
  const { nodes, edges } = graph.declared
  return [...nodes, ...edges].flatMap(type =>
    (rows[type.name] ?? []).map(
      (row): StoredRow => ({ type, values: { ...tenantValue(tenant), ...toSlotValues(type, row) } }),
    ),
  )
}

/**
 * Sets the computed attributes of a row. A row of an example may lack generated values; attributes that depend on them
 * are left out.
 */
function withComputed({ type, values: stored }: StoredRow): StoredRow {
  const { attributes } = type
  const values = { ...stored }
  for (const [name, { recomputation }] of Object.entries(attributes)) {
    if (!recomputation?.compute) continue
    const isKnown = recomputation.sources!.every(source => stored[source] || !attributes[source]!.fallback)
    const value = isKnown ? recomputation.compute(type, name, stored) : undefined
    if (value) values[name] = value
    else delete values[name]
  }
  return { type, values }
}

/** Binds the encrypted values of a row to the row. */
function withBindings(layout: Layout, { type, values: stored }: StoredRow): StoredRow {
  const values = { ...stored }
  const { fold } = caseFoldingOf(layout)
  for (const name of rowBoundAttributes(type))
    if (values[name]) values[name] = bindValue(type, name, values[name], stored, fold)
  return { type, values }
}

/** Returns every item of stored rows, with derived attributes. */
function itemsOfStoredRows(layout: Layout, rows: readonly StoredRow[]): PhysicalItem[] {
  const boundRows = withClosures(layout, rows).map(row => withBindings(layout, row))
  let allValues = withDerived(layout, boundRows, boundRows)
  // In a tree, what one level keeps is a part of what the next keeps: once more for each level.
  if (layout.graph.declared.edges.some(({ tree }) => tree))
    for (let level = 0; level < TREE_DEPTH; level++) {
      const before = JSON.stringify(allValues)
      allValues = withDerived(layout, boundRows, allValues)
      if (JSON.stringify(allValues) === before) break
    }
  return allValues.flatMap(({ type, values }) => {
    const tallies = type.kind === 'node' ? talliesOf(layout, type, values, allValues) : {}
    return itemsOfStoredRow(layout, type, values).map(({ kind, item }) => ({
      kind: kind.name,
      item: kind.role === 'node' ? { ...item, ...tallies } : item,
    }))
  })
}

/** Replaces the rows of closures by those that the edges of their trees require. */
function withClosures({ graph }: Layout, rows: readonly StoredRow[]): readonly StoredRow[] {
  const { edges } = graph.declared
  const closures = edges.filter(isClosure)
  if (closures.length === 0) return rows
  const written = rows.filter(({ type }) => !isClosure(type))
  const derived = closures.flatMap(type => {
    const tree = edges.find(({ name }) => name === type.closureOf)!
    const edgesOfTree = rows.filter(row => row.type === tree).map(({ values }) => values)
    return closureRowsOfTree(tree, type, edgesOfTree).map((values): StoredRow => ({ type, values }))
  })
  return [...written, ...derived]
}

/** Adds the carried values of edges, and then the aggregates of nodes. */
function withDerived(layout: Layout, facts: readonly StoredRow[], nodes: readonly StoredRow[]): StoredRow[] {
  const carried = facts.map(fact =>
    fact.type.kind === 'edge' ? withCarried(layout, fact.type, fact.values, nodes) : fact,
  )
  return carried.map(({ type, values }) =>
    type.kind === 'node'
      ? { type, values: { ...values, ...derivedValuesOf(layout, type, values, carried) } }
      : { type, values },
  )
}

/** An item of the table, with its kind. */
export interface KindItem {
  readonly kind: Kind
  readonly item: Item
}

/** Returns every item of one row, its own item first. A self-loop on an undirected edge has no mirror. */
export function itemsOfStoredRow(layout: Layout, type: DeclaredType, values: KeySlotValues): KindItem[] {
  const kinds = layout.kinds.filter(kind => kind.type === type)
  const [ownItem, ...otherItems] = kinds.flatMap(kind => itemsOfKind(layout, kind, values))
  const ownKeyText = uniqueKeyTextOf(layout, ownItem!.item)
  return [ownItem!, ...otherItems.filter(({ item }) => uniqueKeyTextOf(layout, item) !== ownKeyText)]
}

/** Returns a text that is unique per key of the table. */
export function uniqueKeyTextOf({ names }: Pick<Layout, 'names'>, key: Key): string {
  const text = keyAttributeText(key[names.partition])
  return `${text.length} ${text}${keyAttributeText(key[names.sort])}`
}

const tenantValue = (tenant: string | undefined) =>
  tenant === undefined ? undefined : { [TENANT_SLOT]: { S: tenant } }

/**
 * Returns the items of one kind for a row. A facet has one item per member of its set, and no item if a part is
 * missing.
 */
function itemsOfKind(layout: Layout, kind: Kind, values: KeySlotValues): KindItem[] {
  const { role } = kind
  const { names } = layout
  const rows = role === 'facet' ? expandSets(values, keySlotsOf(kind)) : [values]
  const needed = tableKeySlots(kind, names)
  const present = rows.filter(row => role === 'node' || role === 'edge' || needed.every(slot => row[slot]))
  return present.map(row => ({ kind, item: composeItem(kind, names, row) }))
}

export function withCarried(
  layout: Layout,
  edge: DeclaredEdge,
  values: Record<string, AttributeValue>,
  rows: readonly StoredRow[],
): StoredRow {
  const copies = edge.carry.flatMap(({ copyName, end, attribute }) => {
    const source = rows.find(row => isNodeAtEnd(layout, row, findEnd(edge, end)!, values))
    const value = source?.values[attribute]
    return value ? [[copyName, value] as const] : []
  })
  return { type: edge, values: { ...values, ...Object.fromEntries(copies) } }
}

/**
 * Whether a row is the node at an end of an edge. Keys are compared instead of values, because keys may ignore case.
 */
function isNodeAtEnd(layout: Layout, { type, values }: StoredRow, end: DeclaredEnd, edge: KeySlotValues): boolean {
  if (type !== end.node) return false
  const references = referenceSlots(end)
  const identity = identitySlotsOf(type).map((slot, i) => [slot, edge[references[i]!]])
  const nodeKind = layout.kinds.find(kind => kind.type === type)!
  const keyTextOf = (id: KeySlotValues) => uniqueKeyTextOf(layout, tableKeyOf(layout, nodeKind, id))
  return keyTextOf(values) === keyTextOf({ ...values, ...Object.fromEntries(identity) })
}

/** Returns the values that edges add to a node: counters, sums and embedded entries. */
export function derivedValuesOf(
  layout: Layout,
  node: DeclaredNode,
  values: KeySlotValues,
  rows: readonly StoredRow[],
): Record<string, AttributeValue> {
  const derived: Record<string, AttributeValue> = Object.fromEntries(
    rankingCountersOf(node).map(name => [name, { N: '0' }]),
  )
  const nodeRow: StoredRow = { type: node, values: values as Record<string, AttributeValue> }
  for (const { type: edge, values: edgeValues } of rows) {
    if (edge.kind !== 'edge') continue
    for (const end of edge.ends) {
      // An edge without derived data may refer to a node that cannot exist: raw keys reject some ids.
      if (![...edge.count, ...edge.sum, ...edge.embed].some(rule => rule.end === end.name)) continue
      if (!isNodeAtEnd(layout, nodeRow, end, edgeValues)) continue
      const isCountedHere = (count: DeclaredCount) => count.end === end.name && isCounted(count, edgeValues)
      for (const { into } of edge.count.filter(isCountedHere))
        derived[into] = addNumberValues(derived[into], { N: '1' })
      for (const { into, of } of edge.sum.filter(isCountedHere))
        derived[into] = addNumberValues(derived[into], edgeValues[of])
      for (const { into } of edge.embed.filter(embed => embed.end === end.name))
        derived[into] = {
          M: {
            ...derived[into]?.M,
            [embeddedEntryName(edge, end, edgeValues)]: { M: embeddedEntryOf(node, into, edgeValues) },
          },
        }
    }
  }
  return derived
}

/** Returns the tallies of a node by stored name. */
export function talliesOf(
  layout: Layout,
  node: DeclaredNode,
  values: KeySlotValues,
  rows: readonly StoredRow[],
): Record<string, AttributeValue> {
  const tallies: Record<string, AttributeValue> = {}
  const nodeRow: StoredRow = { type: node, values: values as Record<string, AttributeValue> }
  for (const edge of layout.graph.declared.edges)
    for (const end of edge.ends) {
      if (end.node !== node) continue
      for (const sum of talliedSumsOf(edge).filter(rule => rule.end === end.name)) {
        const name = tallyName(layout.names.attributeOf(node, sum.into))
        const edges = rows.filter(
          ({ type, values: edgeValues }) =>
            type === edge && isCounted(sum, edgeValues) && isNodeAtEnd(layout, nodeRow, end, edgeValues),
        )
        tallies[name] = edges.reduce(
          (tally: AttributeValue, _) => addNumberValues(tally, TALLY_PER_EDGE),
          tallies[name] ?? EMPTY_TALLY,
        )
      }
    }
  return tallies
}
