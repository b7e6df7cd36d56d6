import { type Act, act, type Deriving, itemAt } from '../derive/deriving.js'
import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import { entryName, isCounted, sumOf } from '../layout/derived.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { EMPTY_TALLY, isProvenTally, TALLY_PER_EDGE, tallyName } from '../layout/tally.js'
import { keptOf } from '../plan/change-kept.js'
import { asRead as asFound } from '../plan/change-own.js'
import { endOf } from '../plan/change-part.js'
import { keyOf, keyText } from '../plan/identity.js'
import { isTallied, keptAt } from '../plan/write-traits.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { isConsistent } from './backfill-derived.js'
import { asRead, read, sidesOf, typeIn } from './backfill-item.js'
import { valueRenamed } from './backfill-members.js'

/**
 * The writes by which an item of the layout before goes, with what lies beside it, since a newer one lies where it
 * belongs. What nodes keep of edges that they do not find is not counted again later: it is brought in line here.
 */
export async function superseded(
  deriving: Deriving,
  before: Layout,
  item: Item,
  newer: Item,
): Promise<TransactWriteItem[]> {
  const { layout } = deriving.context
  const TableName = layout.design.name
  const kept = new Map([newer, ...sidesOf(layout, layout, newer, {})].map(each => [keyText(layout, each), each]))
  const old = sidesOf(before, before, item, {})
  const sides = old.filter(side => !kept.has(keyText(layout, side)))
  const was = read(before, item)!
  const acts =
    was.type.kind === 'edge'
      ? [...(await uncounted(deriving, was.type, was.values, newer)), heldTo(layout, newer)]
      : [handedOn(before, layout, was.type, item, newer)]
  for (const side of old) {
    const now = kept.get(keyText(layout, side))
    if (now && now !== newer) acts.push(...(await stripped(deriving, typeIn(layout, was.type.name)!, side, now)))
  }
  return [
    { Delete: { TableName, Key: keyOf(layout.names, item), ...asRead(layout, item) } },
    ...sides.map(side => ({ Delete: { TableName, Key: keyOf(layout.names, side) } })),
    ...acts.map(({ verb, key: Key, expression }) => ({ [verb]: expression.into({ TableName, Key }) })),
  ] as TransactWriteItem[]
}

/**
 * What lies beside the newer one where the older had it too was changed by those who know only the new layout: what that
 * does not have there, as a time to expire, has stayed.
 */
async function stripped(deriving: Deriving, type: DeclaredType, old: Item, now: Item): Promise<Act[]> {
  const { names } = deriving.context.layout
  const key = keyOf(names, now)
  const there = await itemAt(deriving, key)
  const copies = type.kind === 'edge' ? type.carry.map(({ as }) => names.of(type, as)) : []
  const left = Object.keys(old).filter(name => there?.[name] && !(name in now) && !copies.includes(name))
  if (left.length === 0) return []
  const part = act('Update', key)
  const { expression } = part
  expression.where(expression.exists(names.partition))
  for (const name of left) expression.set(expression.name(name), undefined)
  return [part]
}

/** Where the newer one was changed since it was read, it may have what is to go. */
function heldTo({ names }: Layout, newer: Item, verb: Act['verb'] = 'ConditionCheck'): Act {
  const part = act(verb, keyOf(names, newer))
  asFound(names, part.expression, newer)
  return part
}

/** What the nodes at the ends of an edge that do not find it keep of it, under both layouts. */
function unfoundOf(layout: Layout, was: DeclaredEdge, type: DeclaredEdge) {
  return type.ends.flatMap(end => {
    if (isConsistent(layout, type, end.name) !== undefined) return []
    const known = keptAt(type, end).map(({ into }) => into)
    return keptAt(was, endNamed(was, end.name)!).flatMap(kept => (known.includes(kept.into) ? [{ end, kept }] : []))
  })
}

/** Takes an edge out of counters that the newer one is in too; its entries become those of the newer, or go. */
async function uncounted(
  deriving: Deriving,
  was: DeclaredEdge,
  values: Readonly<Record<string, AttributeValue>>,
  newer: Item,
): Promise<Act[]> {
  const { layout } = deriving.context
  const { names } = layout
  const type = typeIn(layout, was.name) as DeclaredEdge
  const owed = new Map<string, { readonly key: Key; readonly of: Record<string, AttributeValue> }>()
  for (const { end, kept } of unfoundOf(layout, was, type)) {
    if (!isCounted(kept, values)) continue
    const { key } = endOf(layout, end, values)
    const of = owed.get(keyText(layout, key))?.of ?? {}
    const name = names.of(end.node, kept.into)
    of[name] = kept.max
      ? { M: { ...of[name]?.M, [entryName(was, end, values)]: { NULL: true } } }
      : sumOf(of[name], kept.of === undefined ? { N: '1' } : values[kept.of], -1)
    if (isTallied(type, kept.into)) of[tallyName(name)] = sumOf(of[tallyName(name)], TALLY_PER_EDGE, -1)
    owed.set(keyText(layout, key), { key, of })
  }
  const keptNow = keptOf(layout, type, read(layout, newer)?.values)
  const acts: Act[] = []
  for (const [node, { key, of }] of owed) {
    const there = await itemAt(deriving, key)
    if (!there) continue
    const part = act('Update', key)
    const { expression } = part
    expression.where(expression.exists(names.partition))
    for (const name in of) {
      if (of[name]!.N) expression.add(expression.name(name), of[name]!)
      for (const id in of[name]!.M) {
        if (!entryOf(there[name], id)) continue
        const at = `${expression.name(name)}.${expression.name(id)}`
        expression.where(`attribute_exists(${at})`).set(at, entryOf(keptNow.get(node)?.of[name], id))
      }
    }
    if (expression.updates) acts.push(part)
  }
  return acts
}

/** Adds what a node of the layout before keeps of edges to what the newer one does. */
function handedOn(before: Layout, layout: Layout, was: DeclaredNode, item: Item, newer: Item): Act {
  const part = heldTo(layout, newer, 'Update')
  const { expression } = part
  const met = new Set<string>()
  for (const type of layout.graph.declared.edges) {
    const edge = typeIn(before, type.name)
    for (const { end, kept } of edge?.kind === 'edge' ? unfoundOf(layout, edge, type) : []) {
      const name = layout.names.of(end.node, kept.into)
      const there = item[before.names.of(was, kept.into)]
      if (end.node.name !== was.name || met.has(name) || !there) continue
      const value = valueRenamed(was.attributes[kept.into], end.node.attributes[kept.into], there)
      met.add(name)
      if (isTallied(type, kept.into)) {
        const tallies = [item[tallyName(before.names.of(was, kept.into))], newer[tallyName(name)]]
        // Two tallies that prove nothing could add up to one that seems to.
        const tally = tallies.every(isProvenTally) ? sumOf(sumOf(tallies[0], tallies[1]), EMPTY_TALLY, -1) : undefined
        expression.where(expression.is(tallyName(name), tallies[1])).set(expression.name(tallyName(name)), tally)
      }
      const path = expression.name(name)
      if (value.N) expression.add(path, value)
      else if (!newer[name]) expression.where(expression.missing(name)).set(path, value)
      else
        for (const [id, entry] of Object.entries(value.M ?? {}))
          if (!entryOf(newer[name], id)) {
            const at = `${path}.${expression.name(id)}`
            expression.where(`attribute_not_exists(${at})`).set(at, entry)
          }
    }
  }
  return expression.updates ? part : heldTo(layout, newer)
}

/** Any object has a member by the names of some ids, such as `constructor`. */
function entryOf(kept: AttributeValue | undefined, id: string): AttributeValue | undefined {
  return Object.hasOwn(kept?.M ?? {}, id) ? kept!.M![id] : undefined
}
