import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../dynamodb/limits.js'
import { itemBytes, valueBytes } from '../dynamodb/size.js'
import { entryName, entryOf } from '../layout/derived.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredEdge, DeclaredEnd, DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { sumOf } from './change-in-place.js'
import { endKey, found, keyText, partOf, type Written } from './change-part.js'
import { sameValue, type Values } from './change-values.js'
import { WriteExpression } from './write-expression.js'

/** What one node keeps of one edge. */
interface Kept {
  readonly node: DeclaredNode
  readonly key: Key
  readonly numbers: Record<string, AttributeValue>
  readonly entries: Record<string, { readonly max: number; readonly named: Record<string, AttributeValue> }>
  /** Whether the edge may not be there without the node. */
  needed: boolean
}

/** What the nodes at its ends keep of an edge with these values; an edge of a node with itself is kept twice by one. */
function keptOf(layout: Layout, edge: DeclaredEdge, values: Values | undefined): Map<string, Kept> {
  const kept = new Map<string, Kept>()
  if (!values) return kept
  for (const end of edge.ends) {
    const key = endKey(layout, end, values)
    const made: Kept = kept.get(keyText(key)) ?? { node: end.node, key, numbers: {}, entries: {}, needed: false }
    addEnd(layout, edge, end, values, made)
    kept.set(keyText(key), made)
  }
  return kept
}

function addEnd({ names }: Layout, edge: DeclaredEdge, end: DeclaredEnd, values: Values, made: Kept): void {
  const add = (into: string, value: AttributeValue | undefined) => {
    const name = names.of(end.node, into)
    made.numbers[name] = sumOf(made.numbers[name], value)
  }
  for (const { into, by, end: at } of edge.count) if (at === end.name && by === 'transaction') add(into, { N: '1' })
  for (const { into, by, of, end: at } of edge.sum) if (at === end.name && by === 'transaction') add(into, values[of])
  for (const { into, max, end: at } of edge.embed) {
    if (at !== end.name) continue
    const name = names.of(end.node, into)
    const entry = { [entryName(edge, end, values)]: { M: entryOf(end.node, into, values) } }
    made.entries[name] = { max, named: { ...made.entries[name]?.named, ...entry } }
  }
  made.needed ||= end.onDelete !== 'leave'
}

/** Brings what nodes keep of an edge from before to after. Undefined `read`: nothing was read. */
export function keptParts(
  layout: Layout,
  edge: DeclaredEdge,
  before: Values | undefined,
  after: Values | undefined,
  read: readonly Item[] | undefined,
): Written[] {
  const [old, now] = [keptOf(layout, edge, before), keptOf(layout, edge, after)]
  return [...new Set([...old.keys(), ...now.keys()])].flatMap(text =>
    keptPart(layout, edge, old.get(text), now.get(text), read),
  )
}

function keptPart(
  layout: Layout,
  edge: DeclaredEdge,
  old: Kept | undefined,
  now: Kept | undefined,
  read: readonly Item[] | undefined,
): Written[] {
  const { node, key } = (now ?? old)!
  const { partition } = layout.names
  const expression = new WriteExpression()
  const numbers = differences(old, now)
  const maps = Object.keys({ ...old?.entries, ...now?.entries }).map(name => entryChanges(name, old, now))
  const changes = numbers.length > 0 || maps.some(({ set, gone }) => set.length + gone.length > 0)
  if (!changes && !(now?.needed && !old)) return []
  const item = read && found(layout, read, key)
  const isRead = read !== undefined && (item !== undefined || changes)
  if (isRead && !item) {
    if (!old) throw absentEnd(edge, node)
    return [
      {
        part: partOf(layout, 'ConditionCheck', key, expression.where(expression.missing(partition))),
        refused: 'again',
      },
    ]
  }
  expression.where(expression.exists(partition))
  const refused = isRead ? 'again' : 'edge.end.absent'
  if (!changes) return [{ part: partOf(layout, 'ConditionCheck', key, expression), refused, before: item, after: item }]
  for (const [name, by] of numbers) expression.add(name, by)
  for (const change of maps) writeEntries(edge, expression, change, item ?? {})
  return [
    {
      part: partOf(layout, 'Update', key, expression),
      refused,
      before: item,
      after: item && keptAfter(item, numbers, maps),
    },
  ]
}

/** The node as it will be. */
function keptAfter(item: Item, numbers: readonly [string, AttributeValue][], maps: readonly EntryChanges[]): Item {
  const after = { ...item }
  for (const [name, by] of numbers) after[name] = sumOf(item[name], by)
  for (const { name, set, gone } of maps) {
    const left = Object.entries(item[name]?.M ?? {}).filter(([id]) => !gone.includes(id))
    after[name] = { M: { ...Object.fromEntries(left), ...Object.fromEntries(set) } }
  }
  return after
}

function absentEnd({ name: type }: DeclaredEdge, node: DeclaredNode): GraphError {
  return new GraphError('edge.end.absent', `${type} leads to a ${node.name} that is not there: create it first`, {
    type,
    name: node.name,
  })
}

function differences(old: Kept | undefined, now: Kept | undefined): [string, AttributeValue][] {
  return Object.keys({ ...old?.numbers, ...now?.numbers })
    .map((name): [string, AttributeValue] => [name, sumOf(now?.numbers[name], old?.numbers[name], -1)])
    .filter(([, { N }]) => N !== '0')
}

interface EntryChanges {
  readonly name: string
  readonly max: number
  readonly set: readonly (readonly [string, AttributeValue])[]
  readonly gone: readonly string[]
}

function entryChanges(name: string, old: Kept | undefined, now: Kept | undefined): EntryChanges {
  const [before, after] = [old?.entries[name]?.named ?? {}, now?.entries[name]?.named ?? {}]
  return {
    name,
    max: (now ?? old)!.entries[name]?.max ?? 0,
    set: Object.entries(after).filter(([id, entry]) => !sameValue(before[id], entry)),
    gone: Object.keys(before).filter(id => !(id in after)),
  }
}

function writeEntries(edge: DeclaredEdge, expression: WriteExpression, change: EntryChanges, node: Item): void {
  const { name, max, set, gone } = change
  const map = node[name]?.M
  const fresh = set.filter(([id]) => !map || !Object.hasOwn(map, id))
  const bytes = set.reduce((sum, [id, entry]) => sum + valueBytes({ M: { [id]: entry } }), itemBytes(node))
  if (fresh.length > 0 && (Object.keys(map ?? {}).length + fresh.length > max || bytes > ITEM_BYTES))
    throw new GraphError(
      'edge.embed.full',
      `${name} holds ${max} entries of ${edge.name} at most, and 400 KB: it is full`,
      {
        type: edge.name,
        name,
      },
    )
  const path = expression.name(name)
  if (!map) {
    if (set.length > 0) expression.set(path, { M: Object.fromEntries(set) }).where(expression.missing(name))
    return
  }
  if (set.length + gone.length > 0) expression.where(expression.exists(name))
  for (const [id, entry] of set) expression.set(`${path}.${expression.name(id)}`, entry)
  for (const id of gone) if (Object.hasOwn(map, id)) expression.remove(`${path}.${expression.name(id)}`)
  if (fresh.length > 0) expression.where(`size(${path}) <= ${expression.value({ N: String(max - fresh.length) })}`)
}
