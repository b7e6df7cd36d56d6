import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import { read as readRows } from '../graph/reading.js'
import { Sending } from '../graph/sending.js'
import { itemsOf } from '../layout/items.js'
import type { Layout } from '../layout/layout.js'
import { idSlots, referenceSlots, TENANT_SLOT } from '../layout/slots.js'
import type { Page } from '../plan/answer.js'
import { ownKind, tableKey } from '../plan/identity.js'
import { planPath } from '../plan/read-path.js'
import { rowOf } from '../plan/row.js'
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
  const found = read(layout, item)
  if (found?.type.kind !== 'node') return false
  const { type, values } = found
  const tenant = values[TENANT_SLOT]?.S
  const row = rowOf(layout, ownKind(layout, type), item)
  const id = idOf(layout, type, item)
  const example: Record<string, unknown[]> = { [type.name]: [row] }
  const into = new Set<string>()
  for (const edge of layout.graph.declared.edges) {
    const kept = [...edge.count, ...edge.sum, ...edge.embed]
    for (const { name, node } of edge.ends) {
      const here = kept.filter(({ end }) => end === name && node === type)
      for (const each of here) into.add(each.into)
      const edges = example[edge.name] ?? []
      if (here.length > 0)
        example[edge.name] = [...edges, ...(await edgesOf(store, layout, edge.name, name, id, tenant))]
    }
  }
  if (into.size === 0) return false
  const own = itemsOf(layout, example as never, tenant)[0]!.item
  const names = [...into].map(slot => layout.names.of(type, slot))
  const different = names.filter(name => JSON.stringify(own[name]) !== JSON.stringify(item[name]) && own[name])
  if (different.length === 0) return false
  await setAsRead(store, layout, item, different, own)
  return true
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
async function setAsRead(
  store: Store,
  layout: Layout,
  item: Item,
  changed: readonly string[],
  own: Item,
): Promise<void> {
  const { partition, sort } = layout.names
  const names = Object.fromEntries(changed.map((name, i) => [`#n${i}`, name]))
  const values: Record<string, AttributeValue> = {}
  const conditions = changed.map((name, i) => {
    values[`:v${i}`] = own[name]!
    if (!item[name]) return `attribute_not_exists(#n${i})`
    values[`:o${i}`] = item[name]!
    return `#n${i} = :o${i}`
  })
  await store.updateItem({
    TableName: layout.design.name,
    Key: { [partition]: item[partition]!, [sort]: item[sort]! },
    UpdateExpression: `SET ${changed.map((_, i) => `#n${i} = :v${i}`).join(', ')}`,
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: names,
    ExpressionAttributeValues: values,
  })
}
