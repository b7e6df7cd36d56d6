import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import { tombstoneLocation, tombstonePartition } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { keyOfItem, ownKindOf, tenantOf } from '../../plan/identity.js'
import { valuesOf } from '../../plan/row.js'
import { isSameValue } from '../../plan/slot-values.js'
import { createTransactionPart, type TransactionPart } from '../../plan/write/transaction-part.js'
import type { DeclaredNode } from '../../schema/declarations.js'
import {
  type DerivationContext,
  generateToken,
  keyTextOf,
  readCurrentItem,
  retryUntilStable,
  tryTransaction,
} from './context.js'
import { CounterTotals, contributionIdOf, contributionOf } from './contribution.js'
import { countEdgesOnPath } from './counters.js'
import { derivedPathsOf, type ParsedItem, parseItem, readSideItems } from './side-items.js'
import { isSpent, sideOfTombstone } from './tombstone.js'

/** Sets the counters of a node to the sum of the contributions on its side items and unspent tombstones. */
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
 * Counts all edges of a node from zero. Removing the incarnation invalidates all existing contributions and
 * tombstones.
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

/**
 * Repairs the counters of a node: sets them to the sum of the recorded contributions, then counts missing or outdated
 * edges.
 */
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

/** Returns the sum of all contributions that were counted in the node's current incarnation. */
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
    // A side item that is deleted during this scan appears again as a tombstone.
    const contributionId = contributionIdOf(layout, side, item)
    if (!addedIds.has(contributionId)) totals.add(contribution.amounts)
    addedIds.add(contributionId)
  }
  for (const path of derivedPathsOf(layout, type).filter(({ hasCounters }) => hasCounters)) {
    for await (const sideItems of readSideItems(derivation, node, path))
      for (const { item } of sideItems) add(item, item)
  }
  // Read tombstones after side items, so that a side item that becomes a tombstone meanwhile is seen at least once.
  const tenant = tenantOf(layout, valuesOf(layout, ownKindOf(layout, type), node))
  for (const tombstone of await readTombstones(derivation, node, tenant))
    if (!isSpent(tombstone)) add(sideOfTombstone(tombstone), tombstone)
  return totals.toAmounts()
}

/** Returns the stored names of stream counters in nodes of a type. */
export function counterNamesOf({ graph, names }: Layout, type: DeclaredNode): string[] {
  const counters = graph.declared.edges.flatMap(({ ends, count, sum }) =>
    [...count, ...sum].filter(({ end, by }) => by === 'stream' && ends.find(({ name }) => name === end)?.node === type),
  )
  return [...new Set(counters.map(({ into }) => names.attributeOf(type, into)))]
}

/** Writes the counters only if no concurrent count changed the node, so that the count is not lost. */
async function setCounters(derivation: DerivationContext, key: Key, node: Item, totals: Counters): Promise<boolean> {
  const { names } = derivation.context.layout
  const wrongNames = Object.keys(totals).filter(name => (node[name]?.N ?? '0') !== totals[name]!.N)
  if (wrongNames.length === 0) {
    // A concurrent count may make a wrong counter look right, so check that the count tag has not changed.
    const currentNode = await readCurrentItem(derivation, key)
    return !currentNode || [names.incarnation, names.countTag].every(name => isSameValue(currentNode[name], node[name]))
  }
  const update = createTransactionPart('Update', key)
  const { expression } = update
  expression.where(expression.exists(names.partition))
  for (const name of [names.incarnation, names.countTag]) expression.where(expression.equalsOrMissing(name, node[name]))
  for (const name of wrongNames) expression.set(expression.name(name), totals[name]!)
  expression.set(expression.name(names.countTag), { S: generateToken(derivation) })
  return tryTransaction(derivation, [update])
}

/** Reads the tombstones of a node, or of one of its side items. */
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

/**
 * Recounts a node if a counted side item disappeared without a tombstone, as foreign writers delete it. Returns
 * whether it recounted.
 */
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
