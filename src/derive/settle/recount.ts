import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { tombstoneLocation, tombstonePartition } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, ownKindOf, tenantOf } from '../../plan/identity.js'
import { valuesOf } from '../../plan/row.js'
import { isSameValue } from '../../plan/slot-values.js'
import type { DeclaredNode } from '../../schema/declarations.js'
import {
  createTransactionPart,
  type DerivationContext,
  generateToken,
  keyTextOf,
  readCurrentItem,
  retryUntilStable,
  type TransactionPart,
  tryTransaction,
} from './context.js'
import { CounterTotals, contributionIdOf, contributionOf } from './contribution.js'
import { countEdgesOnPath, sameLifeCondition } from './counters.js'
import { derivedPathsOf, type ParsedItem, parseItem, readSideItems } from './side-items.js'
import { isSpent, sideOfTombstone } from './tombstone.js'

/** Sets the counters of a node to what its side items, and those that were deleted and are not spent, say of them. */
function recountNode(derivation: DerivationContext, key: Key): Promise<void> {
  return derivation.nodeMutex.runExclusive(keyTextOf(derivation, key), () =>
    retryUntilStable(async () => {
      const node = await readCurrentItem(derivation, key)
      const type = node && (parseItem(derivation.context.layout, node)?.kind.type as DeclaredNode | undefined)
      if (!node || !type) return true
      return setCounters(derivation, key, node, await readCounterTotals(derivation, node, type))
    }),
  )
}

/**
 * Counts all edges of a node as if none had been: in another life of it, in which whatever stands on its side items and
 * their tombstones counts for nothing.
 */
export async function recountFromZero(derivation: DerivationContext, node: Item, type: DeclaredNode): Promise<void> {
  const { layout } = derivation.context
  const key = keyOfItem(layout.names, node)
  await derivation.nodeMutex.runExclusive(keyTextOf(derivation, key), () =>
    retryUntilStable(
      async () =>
        !(await readCurrentItem(derivation, key)) ||
        (await tryTransaction(derivation, [createCounterReset(derivation, key, type)])),
    ),
  )
  await countAllEdges(derivation, node, type)
}

/** Counts the edges of a node that are not counted yet, or otherwise, after its counters hold what is. */
export async function repairCounters(derivation: DerivationContext, node: Item, type: DeclaredNode): Promise<void> {
  await recountNode(derivation, keyOfItem(derivation.context.layout.names, node))
  await countAllEdges(derivation, node, type)
}

async function countAllEdges(derivation: DerivationContext, node: Item, type: DeclaredNode): Promise<void> {
  for (const path of derivedPathsOf(derivation.context.layout, type))
    if (path.hasCounters) await countEdgesOnPath(derivation, node, path)
}

function createCounterReset(derivation: DerivationContext, key: Key, type: DeclaredNode): TransactionPart {
  const { layout } = derivation.context
  const { names } = layout
  const update = createTransactionPart('Update', key)
  const { expression } = update
  expression.where(expression.exists(names.partition))
  for (const name of counterNamesOf(layout, type)) expression.set(expression.name(name), { N: '0' })
  expression.set(expression.name(names.incarnation), undefined)
  expression.set(expression.name(names.countTag), { S: generateToken(derivation) })
  return update
}

type Counters = Record<string, AttributeValue>

/** What has been counted in this life of a node. */
export async function readCounterTotals(
  derivation: DerivationContext,
  node: Item,
  type: DeclaredNode,
): Promise<Counters> {
  const { layout } = derivation.context
  const totals = new CounterTotals()
  totals.add(Object.fromEntries(counterNamesOf(layout, type).map(name => [name, { N: '0' }])))
  const addedIds = new Set<string>()
  const life = node[layout.names.incarnation]?.S
  const add = (side: Key, item: Item) => {
    const contribution = contributionOf(layout, item)
    if (!contribution || contribution.life !== life) return
    // A side item that is deleted meanwhile is met again as a tombstone.
    const contributionId = contributionIdOf(layout, side, item)
    if (!addedIds.has(contributionId)) totals.add(contribution.amounts)
    addedIds.add(contributionId)
  }
  for (const path of derivedPathsOf(layout, type).filter(({ hasCounters }) => hasCounters)) {
    for await (const sideItems of readSideItems(derivation, node, path))
      for (const { item } of sideItems) add(item, item)
  }
  // Tombstones after side items: what goes from the one to the other is met at least once.
  const tenant = tenantOf(layout, valuesOf(layout, ownKindOf(layout, type), node))
  for (const tombstone of await readTombstones(derivation, node, tenant))
    if (!isSpent(tombstone)) add(sideOfTombstone(tombstone), tombstone)
  return totals.toAmounts()
}

/** The stored names of what the stream counts in nodes of a type. */
export function counterNamesOf({ graph, names }: Layout, type: DeclaredNode): string[] {
  const counters = graph.declared.edges.flatMap(({ ends, count, sum }) =>
    [...count, ...sum].filter(({ end, by }) => by === 'stream' && ends.find(({ name }) => name === end)?.node === type),
  )
  return [...new Set(counters.map(({ into }) => names.attributeOf(type, into)))]
}

/** Only where nobody has counted since: whoever has is not undone. */
async function setCounters(derivation: DerivationContext, key: Key, node: Item, totals: Counters): Promise<boolean> {
  const { names } = derivation.context.layout
  const wrongNames = Object.keys(totals).filter(name => (node[name]?.N ?? '0') !== totals[name]!.N)
  if (wrongNames.length === 0) {
    // What was counted while its edges were read makes a wrong counter look right.
    const currentNode = await readCurrentItem(derivation, key)
    return !currentNode || [names.incarnation, names.countTag].every(name => isSameValue(currentNode[name], node[name]))
  }
  const update = createTransactionPart('Update', key)
  const { expression } = update
  expression.where(expression.exists(names.partition)).where(sameLifeCondition(expression, names.incarnation, node))
  expression.where(expression.equalsOrMissing(names.countTag, node[names.countTag]))
  for (const name of wrongNames) expression.set(expression.name(name), totals[name]!)
  expression.set(expression.name(names.countTag), { S: generateToken(derivation) })
  return tryTransaction(derivation, [update])
}

/** The tombstones of a node, or only those of one of its side items. */
export async function readTombstones(
  { context: { layout, store } }: DerivationContext,
  node: Key,
  tenant: string | undefined,
  side?: Key,
): Promise<Item[]> {
  const { partition, sort } = layout.names
  const prefix = side && tombstoneLocation(layout, node, side, tenant).prefix
  const names = { '#p': partition, ...(prefix !== undefined && { '#s': sort }) }
  const values: Item = {
    ':p': { S: tombstonePartition(layout, node, tenant) },
    ...(prefix !== undefined && { ':s': { S: prefix } }),
  }
  const tombstones: Item[] = []
  let startKey: Key | undefined
  do {
    const { Items = [], LastEvaluatedKey } = await store.query({
      TableName: layout.design.name,
      ConsistentRead: true,
      KeyConditionExpression: `#p = :p${prefix === undefined ? '' : ' AND begins_with(#s, :s)'}`,
      ExpressionAttributeNames: names,
      ExpressionAttributeValues: values,
      ...(startKey && { ExclusiveStartKey: startKey }),
    })
    tombstones.push(...Items)
    startKey = LastEvaluatedKey
  } while (startKey)
  return tombstones
}

/** A side item went that a node had counted: where no tombstone says so, whoever deleted it was none of ours. Says whether all was counted anew. */
export async function recountUnlessTombstoned(
  derivation: DerivationContext,
  nodeKey: Key,
  { item: side, values }: ParsedItem,
): Promise<boolean> {
  const { layout } = derivation.context
  const contribution = contributionOf(layout, side)
  if (!contribution) return false
  const nodeItem = await readCurrentItem(derivation, nodeKey)
  if (!nodeItem || nodeItem[layout.names.incarnation]?.S !== contribution.life) return false
  const key = keyOfItem(layout.names, side)
  const tombstones = await readTombstones(derivation, nodeKey, tenantOf(layout, values), key)
  const contributionId = contributionIdOf(layout, key, side)
  if (tombstones.some(tombstone => contributionIdOf(layout, sideOfTombstone(tombstone), tombstone) === contributionId))
    return false
  await recountNode(derivation, nodeKey)
  return true
}
