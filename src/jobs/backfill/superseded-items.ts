import { type DerivationContext, readCurrentItem } from '../../derive/settle/context.js'
import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import { addNumberValues, embeddedEntryName, isCounted } from '../../layout/items/derived-values.js'
import { EMPTY_TALLY, isCompleteTally, TALLY_PER_EDGE, tallyName } from '../../layout/items/tally.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { aggregatesAt, hasTally } from '../../plan/type-traits.js'
import { nodeAggregatesOf } from '../../plan/write/effects/aggregates.js'
import { endNodeOf } from '../../plan/write/effects/item-write.js'
import { requireUnchanged as asFound } from '../../plan/write/effects/own-item.js'
import { createTransactionPart, type TransactionPart, toTransactItem } from '../../plan/write/transaction-part.js'
import type { DeclaredEdge, DeclaredNode } from '../../schema/declarations.js'
import { findEnd } from '../../schema/edge/ends.js'
import { hasConsistentReads } from './derived-data.js'
import { conditionAsRead, expectedSideItems } from './item.js'
import { findType, parseOwnItem } from './own-items.js'
import { renameMembersInValue } from './rename-members.js'

/**
 * Plans the deletion of an old item and its side items, because a newer one has its target key. Aggregates of edges
 * that nodes do not find cannot be recounted later, so they are corrected here.
 */
export async function planSupersededRemoval(
  derivation: DerivationContext,
  oldLayout: Layout,
  item: Item,
  newer: Item,
): Promise<TransactWriteItem[]> {
  const { layout } = derivation.context
  const TableName = layout.design.name
  const newSidesByKey = new Map(
    [newer, ...expectedSideItems(layout, layout, newer, {})].map(item => [uniqueKeyTextOf(layout, item), item]),
  )
  const oldSides = expectedSideItems(oldLayout, oldLayout, item, {})
  const sides = oldSides.filter(side => !newSidesByKey.has(uniqueKeyTextOf(layout, side)))
  const oldParsed = parseOwnItem(oldLayout, item)!
  const parts =
    oldParsed.type.kind === 'edge'
      ? [
          ...(await planUncounting(derivation, oldParsed.type, oldParsed.values, newer)),
          createUnchangedPart(layout, newer),
        ]
      : [planAggregateTransfer(oldLayout, layout, oldParsed.type, item, newer)]
  for (const side of oldSides) {
    const newSide = newSidesByKey.get(uniqueKeyTextOf(layout, side))
    if (newSide && newSide !== newer)
      parts.push(...(await planLeftoverRemoval(derivation, findType(layout, oldParsed.type.name)!, side, newSide)))
  }
  return [
    { Delete: { TableName, Key: keyOfItem(layout.names, item), ...conditionAsRead(layout, item) } },
    ...sides.map(side => ({ Delete: { TableName, Key: keyOfItem(layout.names, side) } })),
    ...parts.map(part => toTransactItem(layout, part)),
  ] as TransactWriteItem[]
}

/**
 * Plans the removal of old attributes from the newer item's side items. A writer with only the new layout leaves
 * attributes that it does not know, such as a time to live.
 */
async function planLeftoverRemoval(
  derivation: DerivationContext,
  type: DeclaredType,
  oldItem: Item,
  newItem: Item,
): Promise<TransactionPart[]> {
  const { names } = derivation.context.layout
  const key = keyOfItem(names, newItem)
  const existing = await readCurrentItem(derivation, key)
  const copies = type.kind === 'edge' ? type.carry.map(({ copyName }) => names.attributeOf(type, copyName)) : []
  const obsoleteNames = Object.keys(oldItem).filter(
    name => existing?.[name] && !(name in newItem) && !copies.includes(name),
  )
  if (obsoleteNames.length === 0) return []
  const update = createTransactionPart('Update', key)
  const { expression } = update
  expression.where(expression.exists(names.partition))
  for (const name of obsoleteNames) expression.set(expression.name(name), undefined)
  return [update]
}

/** The newer item may have changed since it was read, and then needs the attribute. */
function createUnchangedPart(
  { names }: Layout,
  newer: Item,
  verb: TransactionPart['verb'] = 'ConditionCheck',
): TransactionPart {
  const part = createTransactionPart(verb, keyOfItem(names, newer))
  asFound(names, part.expression, newer)
  return part
}

/** Returns the aggregates of an edge in nodes that do not find it, under both layouts. */
function unreachableAggregatesOf(layout: Layout, oldEdge: DeclaredEdge, type: DeclaredEdge) {
  return type.ends.flatMap(end => {
    if (hasConsistentReads(layout, type, end.name) !== undefined) return []
    const currentTargets = aggregatesAt(type, end).map(({ into }) => into)
    return aggregatesAt(oldEdge, findEnd(oldEdge, end.name)!).flatMap(aggregate =>
      currentTargets.includes(aggregate.into) ? [{ end, aggregate }] : [],
    )
  })
}

/** Subtracts an edge from counters that also contain the newer edge, and replaces or removes its entries. */
async function planUncounting(
  derivation: DerivationContext,
  oldEdge: DeclaredEdge,
  values: Readonly<Record<string, AttributeValue>>,
  newer: Item,
): Promise<TransactionPart[]> {
  const { layout } = derivation.context
  const { names } = layout
  const type = findType(layout, oldEdge.name) as DeclaredEdge
  const deltasByNode = new Map<string, { readonly key: Key; readonly of: Record<string, AttributeValue> }>()
  for (const { end, aggregate } of unreachableAggregatesOf(layout, oldEdge, type)) {
    if (!isCounted(aggregate, values)) continue
    const { key } = endNodeOf(layout, end, values)
    const deltas = deltasByNode.get(uniqueKeyTextOf(layout, key))?.of ?? {}
    const name = names.attributeOf(end.node, aggregate.into)
    deltas[name] = aggregate.max
      ? { M: { ...deltas[name]?.M, [embeddedEntryName(oldEdge, end, values)]: { NULL: true } } }
      : addNumberValues(deltas[name], aggregate.of === undefined ? { N: '1' } : values[aggregate.of], -1)
    if (hasTally(type, aggregate.into))
      deltas[tallyName(name)] = addNumberValues(deltas[tallyName(name)], TALLY_PER_EDGE, -1)
    deltasByNode.set(uniqueKeyTextOf(layout, key), { key, of: deltas })
  }
  const newAggregates = nodeAggregatesOf(layout, type, parseOwnItem(layout, newer)?.values)
  const parts: TransactionPart[] = []
  for (const [node, { key, of: deltas }] of deltasByNode) {
    const existing = await readCurrentItem(derivation, key)
    if (!existing) continue
    const update = createTransactionPart('Update', key)
    const { expression } = update
    expression.where(expression.exists(names.partition))
    for (const name in deltas) {
      if (deltas[name]!.N) expression.add(expression.name(name), deltas[name]!)
      for (const id in deltas[name]!.M) {
        if (!findEntry(existing[name], id)) continue
        const entryPath = `${expression.name(name)}.${expression.name(id)}`
        expression
          .where(`attribute_exists(${entryPath})`)
          .set(entryPath, findEntry(newAggregates.get(node)?.values[name], id))
      }
    }
    if (expression.hasUpdates) parts.push(update)
  }
  return parts
}

/** Adds the aggregates of a node of the old layout to those of the newer node. */
function planAggregateTransfer(
  oldLayout: Layout,
  layout: Layout,
  oldType: DeclaredNode,
  item: Item,
  newer: Item,
): TransactionPart {
  const update = createUnchangedPart(layout, newer, 'Update')
  const { expression } = update
  const handledNames = new Set<string>()
  for (const type of layout.graph.declared.edges) {
    const edge = findType(oldLayout, type.name)
    for (const { end, aggregate } of edge?.kind === 'edge' ? unreachableAggregatesOf(layout, edge, type) : []) {
      const name = layout.names.attributeOf(end.node, aggregate.into)
      const existing = item[oldLayout.names.attributeOf(oldType, aggregate.into)]
      if (end.node.name !== oldType.name || handledNames.has(name) || !existing) continue
      const value = renameMembersInValue(
        oldType.attributes[aggregate.into],
        end.node.attributes[aggregate.into],
        existing,
      )
      handledNames.add(name)
      if (hasTally(type, aggregate.into)) {
        const tallies = [item[tallyName(oldLayout.names.attributeOf(oldType, aggregate.into))], newer[tallyName(name)]]
        // Two invalid tallies could add up to one that looks valid.
        const tally = tallies.every(isCompleteTally)
          ? addNumberValues(addNumberValues(tallies[0], tallies[1]), EMPTY_TALLY, -1)
          : undefined
        expression
          .where(expression.equalsOrMissing(tallyName(name), tallies[1]))
          .set(expression.name(tallyName(name)), tally)
      }
      const path = expression.name(name)
      if (value.N) expression.add(path, value)
      else if (!newer[name]) expression.where(expression.missing(name)).set(path, value)
      else
        for (const [id, entry] of Object.entries(value.M ?? {}))
          if (!findEntry(newer[name], id)) {
            const entryPath = `${path}.${expression.name(id)}`
            expression.where(`attribute_not_exists(${entryPath})`).set(entryPath, entry)
          }
    }
  }
  return expression.hasUpdates ? update : createUnchangedPart(layout, newer)
}

/** Uses `Object.hasOwn`, because every object inherits members with possible ids as names, such as `constructor`. */
function findEntry(entries: AttributeValue | undefined, id: string): AttributeValue | undefined {
  return Object.hasOwn(entries?.M ?? {}, id) ? entries!.M![id] : undefined
}
