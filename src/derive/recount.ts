import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { goneBeside, gonePartition } from '../layout/own-items.js'
import { sameValue } from '../plan/change-values.js'
import { keyOf, ownKind, tenantOf } from '../plan/identity.js'
import { valuesOf } from '../plan/row.js'
import type { DeclaredNode } from '../schema/declared.js'
import { countPath, sameLife } from './count.js'
import { countedOf, countingText, Total } from './counted.js'
import { type Act, act, type Deriving, fresh, itemAt, textOf, transact, untilSettled } from './deriving.js'
import { pathsOf, type Seen, seen, sidesOf } from './sides.js'
import { isSpent, sideOfTombstone } from './tombstone.js'

/** Sets the counters of a node to what its side items, and those that were deleted and are not spent, say of them. */
function recount(deriving: Deriving, key: Key): Promise<void> {
  return deriving.turns.take(textOf(deriving, key), () =>
    untilSettled(async () => {
      const node = await itemAt(deriving, key)
      const type = node && (seen(deriving.context.layout, node)?.kind.type as DeclaredNode | undefined)
      if (!node || !type) return true
      return setCounters(deriving, key, node, await countersOf(deriving, node, type))
    }),
  )
}

/**
 * Counts all edges of a node as if none had been: in another life of it, in which whatever stands on its side items and
 * their tombstones counts for nothing.
 */
export async function countAnew(deriving: Deriving, node: Item, type: DeclaredNode): Promise<void> {
  const { layout } = deriving.context
  const key = keyOf(layout.names, node)
  await deriving.turns.take(textOf(deriving, key), () =>
    untilSettled(
      async () => !(await itemAt(deriving, key)) || (await transact(deriving, [uncounted(deriving, key, type)])),
    ),
  )
  await countPaths(deriving, node, type)
}

/** Counts the edges of a node that are not counted yet, or otherwise, after its counters hold what is. */
export async function countRest(deriving: Deriving, node: Item, type: DeclaredNode): Promise<void> {
  await recount(deriving, keyOf(deriving.context.layout.names, node))
  await countPaths(deriving, node, type)
}

async function countPaths(deriving: Deriving, node: Item, type: DeclaredNode): Promise<void> {
  for (const path of pathsOf(deriving.context.layout, type)) if (path.counts) await countPath(deriving, node, path)
}

function uncounted(deriving: Deriving, key: Key, type: DeclaredNode): Act {
  const { layout } = deriving.context
  const { names } = layout
  const part = act('Update', key)
  const { expression } = part
  expression.where(expression.exists(names.partition))
  for (const name of counterNames(layout, type)) expression.set(expression.name(name), { N: '0' })
  expression.set(expression.name(names.life), undefined)
  expression.set(expression.name(names.counts), { S: fresh(deriving) })
  return part
}

type Counters = Record<string, AttributeValue>

/** What has been counted in this life of a node. */
export async function countersOf(deriving: Deriving, node: Item, type: DeclaredNode): Promise<Counters> {
  const { layout } = deriving.context
  const total = new Total()
  total.add(Object.fromEntries(counterNames(layout, type).map(name => [name, { N: '0' }])))
  const told = new Set<string>()
  const life = node[layout.names.life]?.S
  const add = (side: Key, item: Item) => {
    const counted = countedOf(layout, item)
    if (!counted || counted.life !== life) return
    // A side item that is deleted meanwhile is met again as a tombstone.
    const text = countingText(layout, side, item)
    if (!told.has(text)) total.add(counted.of)
    told.add(text)
  }
  for (const path of pathsOf(layout, type).filter(({ counts }) => counts)) {
    for await (const sides of sidesOf(deriving, node, path)) for (const { item } of sides) add(item, item)
  }
  // Tombstones after side items: what goes from the one to the other is met at least once.
  const tenant = tenantOf(layout, valuesOf(layout, ownKind(layout, type), node))
  for (const tombstone of await tombstonesOf(deriving, node, tenant))
    if (!isSpent(tombstone)) add(sideOfTombstone(tombstone), tombstone)
  return total.whole()
}

/** The stored names of what the stream counts in nodes of a type. */
export function counterNames({ graph, names }: Layout, type: DeclaredNode): string[] {
  const kept = graph.declared.edges.flatMap(({ ends, count, sum }) =>
    [...count, ...sum].filter(({ end, by }) => by === 'stream' && ends.find(({ name }) => name === end)?.node === type),
  )
  return [...new Set(kept.map(({ into }) => names.of(type, into)))]
}

/** Only where nobody has counted since: whoever has is not undone. */
async function setCounters(deriving: Deriving, key: Key, node: Item, total: Counters): Promise<boolean> {
  const { names } = deriving.context.layout
  const wrong = Object.keys(total).filter(name => (node[name]?.N ?? '0') !== total[name]!.N)
  if (wrong.length === 0) {
    // What was counted while its edges were read makes a wrong counter look right.
    const now = await itemAt(deriving, key)
    return !now || [names.life, names.counts].every(name => sameValue(now[name], node[name]))
  }
  const part = act('Update', key)
  const { expression } = part
  expression.where(expression.exists(names.partition)).where(sameLife(expression, names.life, node))
  expression.where(expression.is(names.counts, node[names.counts]))
  for (const name of wrong) expression.set(expression.name(name), total[name]!)
  expression.set(expression.name(names.counts), { S: fresh(deriving) })
  return transact(deriving, [part])
}

/** The tombstones of a node, or only those of one of its side items. */
export async function tombstonesOf(
  { context: { layout, store } }: Deriving,
  node: Key,
  tenant: string | undefined,
  side?: Key,
): Promise<Item[]> {
  const { partition, sort } = layout.names
  const prefix = side && goneBeside(layout, node, side, tenant).prefix
  const names = { '#p': partition, ...(prefix !== undefined && { '#s': sort }) }
  const values: Item = {
    ':p': { S: gonePartition(layout, node, tenant) },
    ...(prefix !== undefined && { ':s': { S: prefix } }),
  }
  const found: Item[] = []
  let from: Key | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await store.query({
      TableName: layout.design.name,
      ConsistentRead: true,
      KeyConditionExpression: `#p = :p${prefix === undefined ? '' : ' AND begins_with(#s, :s)'}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...(from && { ExclusiveStartKey: from }),
    })
    found.push(...Items)
    from = LastEvaluatedKey
  } while (from)
  return found
}

/** A side item went that a node had counted: where no tombstone says so, whoever deleted it was none of ours. Says whether all was counted anew. */
export async function removed(deriving: Deriving, node: Key, { item: side, values }: Seen): Promise<boolean> {
  const { layout } = deriving.context
  const counted = countedOf(layout, side)
  if (!counted) return false
  const item = await itemAt(deriving, node)
  if (!item || item[layout.names.life]?.S !== counted.life) return false
  const key = keyOf(layout.names, side)
  const tombstones = await tombstonesOf(deriving, node, tenantOf(layout, values), key)
  const text = countingText(layout, key, side)
  if (tombstones.some(tombstone => countingText(layout, sideOfTombstone(tombstone), tombstone) === text)) return false
  await recount(deriving, node)
  return true
}
