import { derivingOf, untilSettled } from '../derive/deriving.js'
import { isElsewhere, withoutKept } from '../derive/sides.js'
import { tooLarge } from '../derive/too-large.js'
import type { AttributeValue, Item } from '../dynamodb/attribute-value.js'
import type { UpdateItemRequest } from '../dynamodb/operations/items.js'
import { read as readRows } from '../graph/reading.js'
import { Sending } from '../graph/sending.js'
import { derivedOf as derivedIn, type Fact, talliesOf, withCarried } from '../layout/items.js'
import type { Layout } from '../layout/layout.js'
import { endsInOrder, identityOf } from '../layout/slots.js'
import { storeItem } from '../layout/store-item.js'
import { talliesIn, tallyName } from '../layout/tally.js'
import type { KeyValues } from '../layout/template-encode.js'
import type { PathAsk } from '../plan/ask.js'
import { endOf } from '../plan/change-part.js'
import { canonical } from '../plan/change-values.js'
import { type Answer, type Entry, itemsIn } from '../plan/found.js'
import { keyOf, keyText, kindNamed, ownKind, tenantOf } from '../plan/identity.js'
import type { RowsShape, Slots } from '../plan/plan.js'
import { planPath } from '../plan/read-path.js'
import { valuesOf } from '../plan/row.js'
import { WriteExpression } from '../plan/write-expression.js'
import type { DeclaredCarry, DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { failureOf } from '../store/failures.js'
import type { Store } from '../store/port.js'
import { wrap } from '../store/wrap.js'
import { idOf, isReadBy, read, typeIn } from './backfill-item.js'
import { valueRenamed } from './backfill-members.js'
import { isMarked } from './backfill-names.js'
import { sameKept } from './same-kept.js'

/** Whether a copy is of something else than it was. */
export type Resourced = (edge: DeclaredEdge, copy: DeclaredCarry) => boolean

/**
 * The copies that are of something else than before, or are there again. What follows its source is brought up with all
 * that the stream keeps.
 */
export function resourcedIn({ names }: Layout, changes: readonly string[]): Resourced {
  return (edge, { as, sync }) => {
    const kept = `kinds.${edge.name}.kept`
    const isOther = (each: string) => each === `${kept} is new` || each.startsWith(`${kept}.${names.of(edge, as)} was `)
    return !sync && changes.some(isOther)
  }
}

/**
 * What an edge, as it is read by one of two layouts, is to carry and does not yet, from the nodes at its ends; undefined
 * what it is to carry no more.
 */
export async function carriedOf(
  store: Store,
  [before, after]: readonly [Layout, Layout],
  by: Layout,
  item: Item,
  resourced: Resourced,
): Promise<KeyValues> {
  const was = read(by, item)
  const type = was && typeIn(after, was.type.name)
  if (!was || type?.kind !== 'edge') return {}
  const copies: Record<string, AttributeValue | undefined> = {}
  for (const carry of type.carry) {
    const there = was.values[carry.as]
    if (there && !resourced(type, carry) && isReadable(type, carry, there)) continue
    const { identity } = endOf(after, endNamed(type, carry.end)!, was.values)
    copies[carry.as] = identity[carry.attribute]
    // Until it is brought up, which may be between two looks, the node lies as the layout before has it.
    for (const layout of [after, before, after])
      copies[carry.as] ??= await sourceOf(store, [before, after], layout, type, carry, was.values)
  }
  return copies
}

/** Whether a copy can be of what it is to be of: one of something else, of another type, nobody reads who counts edges. */
function isReadable(edge: DeclaredEdge, { end, attribute, as }: DeclaredCarry, there: AttributeValue): boolean {
  try {
    endNamed(edge, end)!.node.attributes[attribute]!.decode(there, `${edge.name}.${as}`)
    return true
  } catch {
    return false
  }
}

/** What the node at an end has, where it lies, and is, as one of two layouts has it. */
async function sourceOf(
  store: Store,
  layouts: readonly [Layout, Layout],
  layout: Layout,
  { name: edge }: DeclaredEdge,
  { end: name, attribute }: DeclaredCarry,
  values: Slots,
): Promise<AttributeValue | undefined> {
  const type = typeIn(layout, edge)
  const end = type?.kind === 'edge' && endNamed(type, name)
  if (!end) return undefined
  const { key } = endOf(layout, end, values)
  const { Item } = await store.getItem({ TableName: layout.design.name, Key: key, ConsistentRead: true })
  const found = Item && isReadBy(layouts, layout, Item) && read(layout, Item)
  if (!found || found.type !== end.node) return undefined
  const [was, is] = layouts.map(each => typeIn(each, end.node.name)?.attributes[attribute])
  const value = found.values[attribute]
  return value && !isMarked(...layouts, Item) ? valueRenamed(was, is, value) : value
}

/**
 * Counts, sums and entries of a node, from the edges that it has: true where they were not as they should be. What none
 * of them keeps any more is to be nothing.
 */
export async function derivedOf(store: Store, layout: Layout, item: Item, uncounted?: Uncounted): Promise<boolean> {
  const request = { TableName: layout.design.name, Key: keyOf(layout.names, item), ConsistentRead: true }
  let kept = await keptOf(store, layout, item, uncounted)
  if (kept.names.length === 0) return false
  let { Item: now } = await store.getItem(request)
  // An edge that went while they were read may have left a wrong counter that looked right.
  if ([item, now].every(each => !each || differentIn(kept, each).length === 0)) return false
  let different: readonly string[] = []
  let sameLooks = 0
  await untilSettled(async () => {
    const before = kept
    kept = now ? await keptOf(store, layout, now, uncounted) : NOTHING
    different = now ? differentIn(kept, now) : []
    // A counter is of the edges that were found both before and after it was read.
    sameLooks = canonical(before.items) === canonical(kept.items) ? sameLooks + 1 : 0
    if (!now || (sameLooks > 0 && different.length === 0)) return true
    if (sameLooks >= SAME_LOOKS && (await isDone(setKept(store, layout, now, different, kept.expected)))) return true
    now = (await store.getItem(request)).Item
    return false
  })
  return different.length > 0
}

/**
 * How often edges are found as they were before a counter is set by them. One that comes and goes between two looks, and
 * another that comes after them, are not seen: a counter is then as it was read, and of others.
 */
const SAME_LOOKS = 2

const differentIn = ({ expected, names }: Kept, item: Item): string[] =>
  names.filter(name => !sameKept(expected[name], item[name]))

/** Whether a write was done, and not refused since others changed the item. */
async function isDone(write: Promise<void>): Promise<boolean> {
  try {
    await write
    return true
  } catch (error) {
    // Where the answer was lost, what is there tells.
    if ((error as Error).name === 'ConditionalCheckFailedException' || failureOf(error) === 'unknown') return false
    throw error
  }
}

/** What writers keep of its edges in a node, as it should be, and the stored names of it. */
interface Kept {
  readonly expected: Item
  readonly names: readonly string[]
  /** The node and its edges as they were read, by the texts of their keys; one that comes again has another etag. */
  readonly items: Readonly<Record<string, Item>>
  /** Whether some of the edges are found by an index, which may not have them yet. */
  readonly lags: boolean
}

const NOTHING: Kept = { expected: {}, names: [], items: {}, lags: false }

/** The attributes of a type that edges kept, and do no more. */
type Uncounted = (type: DeclaredNode) => readonly string[]

export async function keptOf(store: Store, layout: Layout, item: Item, uncounted?: Uncounted): Promise<Kept> {
  const found = read(layout, item)
  if (found?.type.kind !== 'node') return NOTHING
  const { type } = found
  const tenant = tenantOf(layout, found.values)
  const bare = withoutKept(layout, type, item)
  const id = idOf(layout, type, bare)
  const self: Fact = { type, values: valuesOf(layout, ownKind(layout, type), bare) }
  const edges = new Map<string, Fact>()
  const met = new Set<DeclaredEdge>()
  const into = new Set(uncounted?.(type))
  const unknown = new Set<string>()
  const items: Record<string, Item> = { [keyText(layout, item)]: item }
  let lags = false
  for (const edge of layout.graph.declared.edges) {
    const kept = [...[...edge.count, ...edge.sum].filter(({ by }) => by !== 'stream'), ...edge.embed]
    for (const { name, node } of edge.ends) {
      const here = kept.filter(({ end }) => end === name && node === type)
      const consistent = isConsistent(layout, edge, name)
      // What it has of edges that it does not find, nobody can tell from here.
      for (const each of here) (consistent === undefined ? unknown : into).add(each.into)
      // Either end of an undirected edge finds all of them.
      if (here.length === 0 || consistent === undefined || (edge.undirected && met.has(edge))) continue
      lags ||= !consistent
      met.add(edge)
      const asked = { type: edge.name, path: name, given: id, tenant, consistent }
      // An edge of a node with itself is found from both ends.
      for (const each of await edgesOf(noting(store, layout, items), layout, edge, asked))
        edges.set(canonical([edge.name, ...identityOf(edge).map(slot => each.values[slot])])!, each)
    }
  }
  const known = [...into].filter(each => !unknown.has(each)).map(slot => layout.names.of(type, slot))
  const unknownTallies = Array.from(unknown, slot => tallyName(layout.names.of(type, slot)))
  const storedTallies = talliesIn(item).filter(name => !unknownTallies.includes(name))
  if (known.length + storedTallies.length === 0) return NOTHING
  // What others than this node have to carry stands on the edges.
  const facts = Array.from(edges.values(), edge => withCarried(layout, edge.type as DeclaredEdge, edge.values, [self]))
  const values = { ...self.values, ...derivedIn(layout, type, self.values, facts) }
  const tallies = talliesOf(layout, type, self.values, facts)
  for (const name of unknownTallies) delete tallies[name]
  const expected = { ...storeItem(ownKind(layout, type), layout.names, values), ...tallies }
  // A tally is left over where its sum is declared no more, or kept by the stream.
  return { expected, names: [...new Set([...known, ...Object.keys(tallies), ...storedTallies])], items, lags }
}

/** Whether the edges at an end are found by reads that miss none; undefined where they are not found from there. */
export function isConsistent({ accesses }: Layout, edge: DeclaredEdge, end: string): boolean | undefined {
  const own = accesses.filter(each => each.type === edge)
  // Both ends of an undirected edge are read together.
  const read = own.filter(({ name }) => edge.undirected || name === end)
  return own.some(({ name }) => name === end) ? read.every(({ consistent }) => consistent) : undefined
}

/** A store that keeps all that it answers with. */
function noting(store: Store, layout: Layout, items: Record<string, Item>): Store {
  return wrap(store, async (_, request, options, send) => {
    const answer = await send(request, options)
    for (const item of itemsIn([answer as Answer])) items[keyText(layout, item)] = item
    return answer
  })
}

/** The edges that a path finds, as they are stored: a validator need not take, or leave as it is, what it made before. */
async function edgesOf(store: Store, layout: Layout, type: DeclaredEdge, asked: PathAsk): Promise<Fact[]> {
  const surroundings = { now: Date.now, random: (bytes: number) => new Uint8Array(bytes) }
  const { context } = derivingOf(layout, store, surroundings)
  const sending = new Sending({ ...context, tenant: asked.tenant }, {}, false)
  const { steps, answer } = planPath(layout, asked)
  const { whole } = answer as RowsShape
  const found: Fact[] = []
  const isStray = ({ kind: as, turned }: Entry, item: Item) => {
    const kind = whole && !turned ? kindNamed(layout, whole.kind) : as
    // What others have put among them is no edge.
    if (isElsewhere(layout, as, item)) return true
    found.push({ type, values: endsInOrder(type, { ...valuesOf(layout, kind, item, turned) }) })
    return false
  }
  await readRows(sending, { steps, answer: { ...(answer as RowsShape), isStray } })
  return found
}

/** Only where what it replaces is as it was read: a writer who counted meanwhile is not undone. */
async function setKept(store: Store, layout: Layout, item: Item, changed: readonly string[], own: Item): Promise<void> {
  const expression = new WriteExpression()
  expression.where(expression.exists(layout.names.partition))
  for (const name of changed) {
    expression.where(expression.is(name, item[name]))
    expression.set(expression.name(name), own[name])
  }
  const Key = keyOf(layout.names, item)
  const request = expression.into({ TableName: layout.design.name, Key }) as unknown as UpdateItemRequest
  await store.updateItem(request).catch(error => {
    throw tooLarge(error, [Key]) ?? error
  })
}
