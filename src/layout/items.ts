import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { DeclaredCount, DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { GraphError } from '../schema/error.js'
import { isObject } from '../schema/refusal.js'
import { entryName, entryOf, isCounted, rankedBy, sumOf } from './derived.js'
import { givenLayout } from './given-layout.js'
import { type Kind, ownSlots, slotsOf } from './kinds.js'
import type { Layout } from './layout.js'
import { boundValue, foldOf, rowBoundNames } from './row-bindings.js'
import { type DeclaredType, eachMember, identityOf, referenceSlots, slotValues, TENANT_SLOT } from './slots.js'
import { storeItem, tableKey, textOf } from './store-item.js'
import { EMPTY_TALLY, TALLY_PER_EDGE, talliedSums, tallyName } from './tally.js'
import type { KeyValues } from './template-encode.js'

/** A node or an edge, as plain values. */
export type Row = Readonly<Record<string, unknown>>
/** Nodes and edges by type. */
export type Example = Readonly<Record<string, readonly Row[]>>

/** An item of the table, with the kind that it is of. */
export interface PhysicalItem {
  readonly kind: string
  readonly item: Item
}

/** A node or an edge, as it is stored. */
export interface Fact {
  readonly type: DeclaredNode | DeclaredEdge
  readonly values: Record<string, AttributeValue>
}

/** Every item that these nodes and edges become, with what is derived and computed; etags, and what the stream notes of a counting, are left out. */
export function itemsOf(layout: Layout, example: Example, tenant?: string): PhysicalItem[] {
  // No write would make items that have it.
  if (tenant !== undefined && !givenLayout(layout).design.tenant)
    throw new GraphError('call.given', 'the graph is not divided by tenants: leave the tenant out')
  checkExample(example)
  return itemsOfFacts(layout, factsOf(givenLayout(layout), example, tenant).map(withComputed))
}

/** Refuses rows that are none. Those of other types are taken: one example may serve several graphs. */
function checkExample(example: Example): void {
  const check = (holds: boolean, what: string) => {
    if (!holds) throw new GraphError('call.given', what)
  }
  check(isObject(example), 'give rows by the names of their types: { user: [{ … }] }')
  for (const [name, rows] of Object.entries(example)) {
    const isRows = rows === undefined || (Array.isArray(rows) && rows.every(isObject))
    check(isRows, `give the rows of '${name}' as a list of objects`)
  }
}

/** The same of rows that were read, in which what is computed is as it is stored. */
export function itemsAsRead(layout: Layout, rows: Example, tenant: string | undefined): PhysicalItem[] {
  return itemsOfFacts(layout, factsOf(layout, rows, tenant))
}

function factsOf({ graph }: Layout, example: Example, tenant: string | undefined): Fact[] {
  const { nodes, edges } = graph.declared
  return [...nodes, ...edges].flatMap(type =>
    (example[type.name] ?? []).map(
      (row): Fact => ({ type, values: { ...tenantValue(tenant), ...slotValues(type, row) } }),
    ),
  )
}

/** An example need not have what a write would make, and then lacks what is computed from that. */
function withComputed({ type, values: given }: Fact): Fact {
  const { attributes } = type
  const values = { ...given }
  for (const [name, { renewed }] of Object.entries(attributes)) {
    if (!renewed?.value) continue
    const isKnown = renewed.of!.every(source => given[source] || !attributes[source]!.fallback)
    const value = isKnown ? renewed.value(type, name, given) : undefined
    if (value) values[name] = value
    else delete values[name]
  }
  return { type, values }
}

/** Encrypted values are bound to their rows. */
function withBindings(layout: Layout, { type, values: given }: Fact): Fact {
  const values = { ...given }
  const { fold } = foldOf(layout)
  for (const name of rowBoundNames(type))
    if (values[name]) values[name] = boundValue(type, name, values[name], given, fold)
  return { type, values }
}

/** Every item that these become, with what is derived. */
function itemsOfFacts(layout: Layout, given: readonly Fact[]): PhysicalItem[] {
  const facts = given.map(fact => withBindings(layout, fact))
  const carried = facts.map(fact =>
    fact.type.kind === 'edge' ? withCarried(layout, fact.type, fact.values, facts) : fact,
  )
  return carried.flatMap(({ type, values }) => {
    const held = type.kind === 'node' ? { ...values, ...derivedOf(layout, type, values, carried) } : values
    const tallies = type.kind === 'node' ? talliesOf(layout, type, values, carried) : {}
    return itemsOfFact(layout, type, held).map(({ kind, item }) => ({
      kind: kind.name,
      item: kind.role === 'node' ? { ...item, ...tallies } : item,
    }))
  })
}

/** The same, with the kind itself. */
export interface KindItem {
  readonly kind: Kind
  readonly item: Item
}

/** Every item of one node or edge, its own first. An undirected edge of a node with itself is its own mirror. */
export function itemsOfFact(layout: Layout, type: DeclaredType, values: KeyValues): KindItem[] {
  const kinds = layout.kinds.filter(kind => kind.type === type)
  const [own, ...sides] = kinds.flatMap(kind => itemsOfKind(layout, kind, values))
  const text = keyText(layout, own!.item)
  return [own!, ...sides.filter(({ item }) => keyText(layout, item) !== text)]
}

/** A text that no other key of the table has. */
export function keyText({ names }: Pick<Layout, 'names'>, key: Key): string {
  const text = textOf(key[names.partition])
  return `${text.length} ${text}${textOf(key[names.sort])}`
}

const tenantValue = (tenant: string | undefined) =>
  tenant === undefined ? undefined : { [TENANT_SLOT]: { S: tenant } }

/** A facet has an item for each member of a set, and none where a part of it is absent. */
function itemsOfKind(layout: Layout, kind: Kind, values: KeyValues): KindItem[] {
  const { role } = kind
  const { names } = layout
  const rows = role === 'facet' ? eachMember(values, slotsOf(kind)) : [values]
  const needed = ownSlots(kind, names)
  const there = rows.filter(row => role === 'node' || role === 'edge' || needed.every(slot => row[slot]))
  return there.map(row => ({ kind, item: storeItem(kind, names, row) }))
}

export function withCarried(
  layout: Layout,
  edge: DeclaredEdge,
  values: Record<string, AttributeValue>,
  facts: readonly Fact[],
): Fact {
  const copies = edge.carry.flatMap(({ as, end, attribute }) => {
    const source = facts.find(fact => isAt(layout, fact, endNamed(edge, end)!, values))
    const value = source?.values[attribute]
    return value ? [[as, value] as const] : []
  })
  return { type: edge, values: { ...values, ...Object.fromEntries(copies) } }
}

/** Whether a fact is the node at that end of an edge: keys tell, which may fold what the two call it. */
function isAt(layout: Layout, { type, values }: Fact, end: DeclaredEnd, edge: KeyValues): boolean {
  if (type !== end.node) return false
  const references = referenceSlots(end)
  const identity = identityOf(type).map((slot, i) => [slot, edge[references[i]!]])
  const own = layout.kinds.find(kind => kind.type === type)!
  const textOf = (id: KeyValues) => keyText(layout, tableKey(layout, own, id))
  return textOf(values) === textOf({ ...values, ...Object.fromEntries(identity) })
}

/** What edges add to a node: counters, sums, and the entries that are kept in it. */
export function derivedOf(
  layout: Layout,
  node: DeclaredNode,
  values: KeyValues,
  facts: readonly Fact[],
): Record<string, AttributeValue> {
  const derived: Record<string, AttributeValue> = Object.fromEntries(rankedBy(node).map(name => [name, { N: '0' }]))
  const self: Fact = { type: node, values: values as Record<string, AttributeValue> }
  for (const { type: edge, values: held } of facts) {
    if (edge.kind !== 'edge') continue
    for (const end of edge.ends) {
      // An edge that leaves nothing in its node may lead to one that cannot be: raw keys refuse some ids.
      if (![...edge.count, ...edge.sum, ...edge.embed].some(kept => kept.end === end.name)) continue
      if (!isAt(layout, self, end, held)) continue
      const isKept = (count: DeclaredCount) => count.end === end.name && isCounted(count, held)
      for (const { into } of edge.count.filter(isKept)) derived[into] = sumOf(derived[into], { N: '1' })
      for (const { into, of } of edge.sum.filter(isKept)) derived[into] = sumOf(derived[into], held[of])
      for (const { into } of edge.embed.filter(embed => embed.end === end.name))
        derived[into] = { M: { ...derived[into]?.M, [entryName(edge, end, held)]: { M: entryOf(node, into, held) } } }
    }
  }
  return derived
}

/** The tallies of a node, by their stored names. */
export function talliesOf(
  layout: Layout,
  node: DeclaredNode,
  values: KeyValues,
  facts: readonly Fact[],
): Record<string, AttributeValue> {
  const tallies: Record<string, AttributeValue> = {}
  const self: Fact = { type: node, values: values as Record<string, AttributeValue> }
  for (const edge of layout.graph.declared.edges)
    for (const end of edge.ends) {
      if (end.node !== node) continue
      for (const sum of talliedSums(edge).filter(each => each.end === end.name)) {
        const name = tallyName(layout.names.of(node, sum.into))
        const edges = facts.filter(
          ({ type, values: held }) => type === edge && isCounted(sum, held) && isAt(layout, self, end, held),
        )
        tallies[name] = edges.reduce(
          (tally: AttributeValue, _) => sumOf(tally, TALLY_PER_EDGE),
          tallies[name] ?? EMPTY_TALLY,
        )
      }
    }
  return tallies
}
