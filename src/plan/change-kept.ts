import type { AttributeValue, Key } from '../dynamodb/attribute-value.js'
import { ITEM_BYTES } from '../dynamodb/limits.js'
import { itemBytes } from '../dynamodb/size.js'
import { entryName, entryOf, isCounted, sumOf } from '../layout/derived.js'
import type { Layout } from '../layout/layout.js'
import { EMPTY_TALLY, isProvenTally, sumNameOf, TALLY_PER_EDGE, tallyName } from '../layout/tally.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { hasAny, mapValues } from '../schema/map-values.js'
import { endOf, newPart, type Part, type Writes } from './change-part.js'
import { sameValue } from './change-values.js'
import { keyText } from './identity.js'
import type { About, Change, Slots } from './plan.js'
import { refusalError } from './write-refusal.js'
import { isTallied, type KeptAttribute, keptAt, traitsOf } from './write-traits.js'

/** What one node keeps of one edge. */
interface Kept {
  readonly about: Omit<About, 'call'>
  readonly key: Key
  /** Numbers, and maps of entries, by stored name. */
  readonly of: Record<string, AttributeValue>
  /** Whether the edge may not be there without the node. */
  needed: boolean
}

/** In the place of an entry that goes. */
const GONE: AttributeValue = { NULL: true }

/** What the nodes at its ends keep of an edge with these values; an edge of a node with itself is kept twice by one. */
export function keptOf(layout: Layout, edge: DeclaredEdge, values: Slots | undefined): Map<string, Kept> {
  const kept = new Map<string, Kept>()
  if (!values) return kept
  for (const end of edge.ends) {
    const { node, onDelete } = end
    const { key, identity } = endOf(layout, end, values)
    const text = keyText(layout, key)
    const made: Kept = kept.get(text) ?? { about: { type: node.name, identity }, key, of: {}, needed: false }
    for (const { into, max, of, where } of keptAt(edge, end)) {
      if (!isCounted({ where }, values)) continue
      const name = layout.names.of(node, into)
      const number = of ? (values[of] ?? { N: '0' }) : { N: '1' }
      const value = max ? { M: { [entryName(edge, end, values)]: { M: entryOf(node, into, values) } } } : number
      made.of[name] = joined(made.of[name], value)
      if (isTallied(edge, into)) made.of[tallyName(name)] = joined(made.of[tallyName(name)], TALLY_PER_EDGE)
    }
    made.needed ||= onDelete !== 'leave'
    kept.set(text, made)
  }
  return kept
}

/** Two changes of what a node keeps, or two of what it keeps, in one. */
export function joined(one: AttributeValue | undefined, other: AttributeValue): AttributeValue {
  return other.M ? { M: { ...one?.M, ...other.M } } : sumOf(one, other)
}

/** What has to change for the one to become the other; undefined where nothing has. */
function difference(old: AttributeValue | undefined, now: AttributeValue | undefined): AttributeValue | undefined {
  if (old?.N ?? now?.N) {
    const more = sumOf(now, old, -1)
    return more.N === '0' ? undefined : more
  }
  const M = mapValues({ ...old?.M, ...now?.M }, (_, id) =>
    sameValue(old?.M?.[id], now?.M?.[id]) ? undefined : (now?.M?.[id] ?? GONE),
  )
  return hasAny(M) ? { M } : undefined
}

/** Brings what nodes keep of an edge from before to after, and checks that those are there that must be. */
export function writeKept(
  writes: Writes,
  edge: DeclaredEdge,
  { ends }: Change,
  { call }: About,
  before: Slots | undefined,
  after: Slots | undefined,
): void {
  const [was, will] = [keptOf(writes.layout, edge, before), keptOf(writes.layout, edge, after)]
  for (const [text, { about, key }] of new Map([...was, ...will])) {
    const [old, now] = [was.get(text), will.get(text)]
    const changes = mapValues({ ...old?.of, ...now?.of }, (_, name) => difference(old?.of[name], now?.of[name]))
    // What is kept of it for the first time needs the node, or nobody would know of it later.
    const isNew = () => Object.keys(now!.of).some(name => !old?.of[name])
    const comes = now && (isNew() || ends === 'check' || (now.needed && !old?.needed))
    if (!hasAny(changes) && !comes) continue
    const part = keeperPart(writes, { ...about, call }, key, comes)
    if (part) for (const name in changes) part.kept[name] = joined(part.kept[name], changes[name]!)
  }
}

/** The part of a node at an edge's end; undefined where the node is not there, and need not be. */
function keeperPart(writes: Writes, about: About, key: Key, comes: boolean | undefined): Part | undefined {
  const { partition, going } = writes.layout.names
  const made = writes.at(key)
  const before = writes.before(key)
  const isGone = made?.own ? made.verb === 'Delete' : before === null || before?.[going]
  if (isGone && comes) throw refusalError('edge.end.absent', about)
  // A node that is made anew knows nothing of the edges of the one before.
  if (made?.own) return !comes && made.verb === 'Put' ? undefined : made
  const part = made ?? newPart('ConditionCheck', key, about, before === undefined ? 'edge.end.absent' : 'again')
  const { expression } = part
  if (!made) {
    part.before = part.after = before ?? undefined
    if (before === undefined) part.unread = new Set()
    expression.where(before === null ? expression.missing(partition) : expression.exists(partition))
    writes.add(part)
  }
  if (comes) expression.where(expression.missing(going))
  return before === null ? undefined : part
}

/** Writes what edges change in nodes into their parts, now that these have all of it. */
export function finishKept(layout: Layout, part: Part): void {
  const { kept, expression, about, before } = part
  for (const name of part.verb === 'Update' ? (part.ranked ?? []) : []) {
    const path = expression.name(name)
    // What is added to a counter that is not there makes it too.
    if (!kept[name]) expression.set(path, `if_not_exists(${path}, ${expression.value(part.after![name]!)})`)
  }
  for (const [name, attribute] of traitsOf(layout, about.type).kept) {
    const { max } = attribute
    const change = kept[name]
    const isMore = Object.values(change?.M ?? {}).some(entry => entry.M)
    const isGone = part.own && (part.verb === 'Delete' || part.empty?.includes(name))
    if (isGone) {
      if (isMore) throw refusalError('node.edges', about)
      requireNoEdges(layout, part, name, attribute)
    }
    if (isGone || !change) continue
    const sum = joined(part.after?.[name], change)
    const value: AttributeValue = sum.M ? { M: mapValues(sum.M, entry => entry.M && entry) } : sum
    part.after = { ...part.after, [name]: value }
    const map = before?.[name]?.M
    // Where there are more than may be by now, those can still change.
    const most = Math.max(max, Object.keys(map ?? {}).length)
    if (isMore && (Object.keys(value.M!).length > most || itemBytes(part.after) > ITEM_BYTES))
      throw refusalError('edge.embed.full', about, name)
    // DynamoDB has no empty names.
    if (value.M?.['']) throw refusalError('key.empty', about, `id in ${name}`)
    if (part.verb === 'Put') continue
    if (change.N) expression.add(expression.name(name), change)
    else if (map) writeEntries(part, name, max, change.M!, map)
    else {
      if (isMore) expression.set(expression.name(name), value)
      expression.where(expression.missing(name))
    }
    part.unread?.add(name)
  }
  if (part.verb === 'ConditionCheck' && expression.updates) part.verb = 'Update'
}

/**
 * A node is deleted only when no edge is counted, summed or embedded in it: created again, it would not know of them.
 * Edges that go in the same request are still in it.
 */
function requireNoEdges(layout: Layout, part: Part, name: string, { kind, max }: KeptAttribute): void {
  const { expression, kept } = part
  switch (kind) {
    // A sum can be 0 while there are edges: its tally, or a count of the same edges, decides.
    case 'sum':
      return
    case 'tally':
      requireTally(layout, part, name)
      return
    case 'count':
    case 'entries': {
      const path = expression.name(name)
      const N = max ? keptCount(kept[name]) : sumOf(undefined, kept[name], -1).N!
      const isEmpty = `${max ? `size(${path})` : path} = ${expression.value({ N })}`
      expression.where(N === '0' && expression.missing(name), isEmpty)
      part.left.push([name, N])
    }
  }
}

function requireTally({ names }: Layout, part: Part, name: string): void {
  const { expression, about, before, kept } = part
  const { N } = sumOf(EMPTY_TALLY, kept[name], -1) as { readonly N: string }
  if (!before || isProvenTally(before[name])) {
    expression.where(N === EMPTY_TALLY.N && expression.missing(names.partition), expression.equals(name, { N }))
    part.left.push([name, N])
    return
  }
  if (!part.isCascaded) throw refusalError('node.uncounted', about)
  // The cascade has looked for the edges itself, and none has come since it marked the node.
  const sumName = sumNameOf(name)
  expression.where(expression.is(name, before[name]))
  expression.where(expression.missing(sumName), expression.equals(sumName, { N: '0' }))
  part.left.push([sumName, '0'])
}

/** How much a node keeps in an attribute: a number, or so many entries. */
export const keptCount = (value: AttributeValue | undefined): string =>
  value?.N ?? String(Object.keys(value?.M ?? {}).length)

type Entries = Readonly<Record<string, AttributeValue>>

function writeEntries({ expression }: Part, name: string, max: number, entries: Entries, map: Entries): void {
  const path = expression.name(name)
  let room = max
  expression.where(expression.exists(name))
  for (const id in entries) {
    const { M } = entries[id]!
    const at = `${path}.${expression.name(id)}`
    const isThere = Object.hasOwn(map, id)
    // A node and an edge are not read at one moment, so that either may tell of an entry that the other does not.
    expression.where(`attribute_${isThere ? '' : 'not_'}exists(${at})`)
    if (M || isThere) expression.set(at, M && entries[id])
    if (isThere) room++
    if (M) room--
  }
  if (room < max) expression.where(`size(${path}) <= ${expression.value({ N: String(room) })}`)
}
