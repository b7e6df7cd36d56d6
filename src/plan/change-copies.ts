import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { itemsOfFact } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import { once } from '../layout/once.js'
import type { DeclaredCarry, DeclaredEdge } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { joined, keptOf } from './change-kept.js'
import { asRead } from './change-own.js'
import { copiedFrom, endOf, newPart, type Part, type Writes } from './change-part.js'
import { sameValue } from './change-values.js'
import { keyOf, keyText } from './identity.js'
import type { About, Slots } from './plan.js'
import type { Traits } from './write-traits.js'

/**
 * Brings the copies on an edge, on its mirror and in the entries of it up to the nodes that they are of, where any is
 * not as it should be. Each node must still have the values that were read; nothing but copies and the keys of indexes
 * that are made of them changes, and the etag stays.
 */
export function writeCopies(writes: Writes, { type, mirrors }: Traits, old: Slots, about: About, own: Item): void {
  const { layout } = writes
  const { names } = layout
  const edge = type as DeclaredEdge
  if (writes.at(keyOf(names, own))) return
  const synced = edge.carry.filter(({ sync }) => sync !== undefined)
  const values = copiedValues(writes, edge, synced, old)
  const [first, ...others] = itemsOfFact(layout, type, values)
  const sides = others.flatMap(({ item, kind }) => {
    const there = mirrors.includes(kind) && writes.before(keyOf(names, item))
    return there ? [copyPart(writes, kind, about, synced, there, item)] : []
  })
  const part = copyPart(writes, first!.kind, about, synced, own, first!.item)
  const entries = staleEntries(writes, edge, values)
  const written = [part, ...sides].filter(({ expression }) => expression.updates)
  if (written.length + entries.length === 0) return
  const { expression } = part
  asRead(names, expression, own)
  // The etag does not tell of other copies, which keys of indexes may be made of too.
  for (const { as } of synced) expression.where(expression.is(names.of(type, as), own[names.of(type, as)]))
  writes.add(part)
  for (const side of sides) if (side.expression.updates) writes.add(side)
  for (const { key, node, name, entry } of entries) {
    const { kept } = nodePart(writes, { ...about, ...node }, key)
    kept[name] = joined(kept[name], entry)
  }
  const isUsed = ({ as }: DeclaredCarry) =>
    entries.length > 0 || [part, ...sides].some(({ before }) => !sameValue(before?.[names.of(type, as)], values[as]))
  for (const carry of synced) if (isUsed(carry)) checkSource(writes, edge, carry, old, about)
}

/** The values of an edge with its copies as their sources are now. */
function copiedValues(writes: Writes, edge: DeclaredEdge, synced: readonly DeclaredCarry[], old: Slots): Slots {
  const values: Record<string, AttributeValue> = { ...old }
  for (const carry of synced) {
    const { at, source, identity } = sourceOf(writes, edge, carry, old)
    const kept = !source && carry.deleted !== 'remove' ? old[carry.as] : undefined
    const value = copiedFrom(writes.layout, at, carry.attribute, identity, source) ?? kept
    if (value) values[carry.as] = value
    else delete values[carry.as]
  }
  return values
}

function sourceOf(writes: Writes, edge: DeclaredEdge, { end }: DeclaredCarry, values: Slots) {
  const at = endNamed(edge, end)!
  const { key, identity } = endOf(writes.layout, at, values)
  return { at, key, identity, source: writes.before(key) }
}

/** Sets what of an item is a copy, or a key of an index, and not as it should be; a check where nothing is. */
function copyPart(
  { layout: { names } }: Writes,
  kind: Kind,
  about: About,
  synced: readonly DeclaredCarry[],
  before: Item,
  item: Item,
): Part {
  const part = newPart('ConditionCheck', keyOf(names, item), about, 'again')
  const { expression } = part
  part.before = before
  part.after = { ...before }
  expression.where(expression.exists(names.partition))
  // A key may be a copy itself.
  for (const name of new Set([...synced.map(({ as }) => names.of(kind.type, as)), ...Object.keys(kind.keys)])) {
    if (sameValue(before[name], item[name])) continue
    expression.set(expression.name(name), item[name])
    if (item[name]) part.after[name] = item[name]
    else delete part.after[name]
  }
  return part
}

/** The entries of an edge, in the nodes that have one, that are not as they should be. */
function staleEntries(writes: Writes, edge: DeclaredEdge, values: Slots) {
  const kept = edge.embed.length > 0 ? [...keptOf(writes.layout, edge, values).values()] : []
  return kept.flatMap(({ about: node, key, of }) => {
    const there = writes.before(key)
    return Object.entries(of).flatMap(([name, { M = {} }]) => {
      const stored = there?.[name]?.M
      const stale = Object.entries(M).filter(([id, entry]) => stored?.[id] && !sameValue(stored[id], entry))
      return stale.length > 0 ? [{ node, key, name, entry: { M: Object.fromEntries(stale) } }] : []
    })
  })
}

/** The part of a node that is there, or not, as it was read. */
function nodePart(writes: Writes, about: About, key: Key): Part {
  const made = writes.at(key)
  if (made) return made
  const { partition } = writes.layout.names
  const part = newPart('ConditionCheck', key, about, 'again')
  const { expression } = part
  part.before = part.after = writes.before(key) ?? undefined
  expression.where(part.before ? expression.exists(partition) : expression.missing(partition))
  return writes.add(part)
}

/** The values of nodes that are held to be as they were read. */
const checkedBy = once((_: Writes) => new Set<string>())

/** A source must still have the value that was copied. Of several edges it is asked once. */
function checkSource(writes: Writes, edge: DeclaredEdge, carry: DeclaredCarry, values: Slots, { call }: About): void {
  const { layout } = writes
  const checked = checkedBy(writes)
  const { at, key, identity, source } = sourceOf(writes, edge, carry, values)
  const { node } = at
  const name = layout.names.of(node, carry.attribute)
  const text = `${keyText(layout, key)}\n${name}`
  if (identity[carry.attribute] || checked.has(text)) return
  checked.add(text)
  const { expression } = nodePart(writes, { type: node.name, identity, call }, key)
  if (source) expression.where(expression.is(name, source[name]))
}
