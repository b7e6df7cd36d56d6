import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { UpdateItemRequest } from '../dynamodb/operations/items.js'
import { read as readRows } from '../graph/reading.js'
import { Sending } from '../graph/sending.js'
import { itemsOf } from '../layout/items.js'
import type { Layout } from '../layout/layout.js'
import { idSlots, referenceSlots, TENANT_SLOT } from '../layout/slots.js'
import type { Page } from '../plan/answer.js'
import { sameValue } from '../plan/change-values.js'
import { keyOf, ownKind, tableKey } from '../plan/identity.js'
import { planPath } from '../plan/read-path.js'
import { rowOf } from '../plan/row.js'
import { WriteExpression } from '../plan/write-expression.js'
import type { Store } from '../store/port.js'
import { idOf, read, typeIn, type Values } from './backfill-item.js'

/** What an edge is to carry and does not yet, from the nodes at its ends. */
export async function carriedOf(store: Store, before: Layout, after: Layout, item: Item): Promise<Values> {
  const was = read(before, item)
  const type = was && typeIn(after, was.type.name)
  if (!was || type?.kind !== 'edge') return {}
  const copies: Record<string, AttributeValue> = {}
  for (const { as, end, attribute } of type.carry) {
    if (was.values[as]) continue
    const { name, node } = type.ends.find(each => each.name === end)!
    const references = referenceSlots(name, node)
    const tenant = was.values[TENANT_SLOT]
    const id = Object.fromEntries(idSlots(node).map((slot, i) => [slot, was.values[references[i]!]!]))
    const Key = tableKey(after, ownKind(after, node), { ...(tenant && { [TENANT_SLOT]: tenant }), ...id })
    const { Item } = await store.getItem({ TableName: after.design.name, Key, ConsistentRead: true })
    const value = id[attribute] ?? Item?.[after.names.of(node, attribute)]
    if (value) copies[as] = value
  }
  return copies
}

/** Counts, sums and entries of a node, from the edges that it has: true where they were not as they should be. */
export async function derivedOf(store: Store, layout: Layout, item: Item): Promise<boolean> {
  const { expected, names } = await keptOf(store, layout, item)
  const different = names.filter(name => !sameValue(expected[name], item[name]))
  if (different.length === 0) return false
  await setKept(store, layout, item, different, expected)
  return true
}

/** What writers keep of its edges in a node, as it should be, and the stored names of it. */
export async function keptOf(
  store: Store,
  layout: Layout,
  item: Item,
): Promise<{ readonly expected: Item; readonly names: readonly string[] }> {
  const found = read(layout, item)
  if (found?.type.kind !== 'node') return { expected: {}, names: [] }
  const { type, values } = found
  const tenant = values[TENANT_SLOT]?.S
  const row = rowOf(layout, ownKind(layout, type), item)
  const id = idOf(layout, type, item)
  const example: Record<string, unknown[]> = { [type.name]: [row] }
  const into = new Set<string>()
  for (const edge of layout.graph.declared.edges) {
    const kept = [...[...edge.count, ...edge.sum].filter(({ by }) => by === 'transaction'), ...edge.embed]
    for (const { name, node } of edge.ends) {
      const here = kept.filter(({ end }) => end === name && node === type)
      for (const each of here) into.add(each.into)
      if (here.length === 0) continue
      const edges = [...(example[edge.name] ?? []), ...(await edgesOf(store, layout, edge.name, name, id, tenant))]
      // An edge of a node with itself is found from both ends.
      example[edge.name] = [...new Map(edges.map(each => [JSON.stringify(each), each])).values()]
    }
  }
  if (into.size === 0) return { expected: {}, names: [] }
  const expected = itemsOf(layout, example as never, tenant)[0]!.item
  return { expected, names: [...into].map(slot => layout.names.of(type, slot)) }
}

async function edgesOf(
  store: Store,
  layout: Layout,
  type: string,
  path: string,
  given: unknown,
  tenant: string | undefined,
) {
  const surroundings = { now: Date.now, random: (bytes: number) => new Uint8Array(bytes) }
  const sending = new Sending(
    { layout, store, surroundings, tenant, caps: {}, listener: undefined, state: { closed: false } },
    {},
    false,
  )
  const { consistent } = layout.accesses.find(access => access.type.name === type && access.name === path)!
  const page = (await readRows(sending, planPath(layout, { type, path, given, tenant, consistent }))) as Page
  return page.items
}

/** Only where what it replaces is as it was read: a writer who counted meanwhile is not undone. */
export async function setKept(
  store: Store,
  layout: Layout,
  item: Item,
  changed: readonly string[],
  own: Item,
): Promise<void> {
  const expression = new WriteExpression()
  expression.where(expression.exists(layout.names.partition))
  for (const name of changed) {
    const path = expression.name(name)
    expression.where(expression.is(name, item[name]))
    if (own[name]) expression.set(path, own[name])
    else expression.remove(path)
  }
  const Key = keyOf(layout.names, item)
  await store.updateItem(expression.into({ TableName: layout.design.name, Key }) as unknown as UpdateItemRequest)
}
