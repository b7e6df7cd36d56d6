import type { Key } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import { itemsOfFact, type PhysicalItem } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import type { DeclaredEdge, DeclaredEnd } from '../schema/declared.js'
import { givenValues } from './change-values.js'
import { chunksOf } from './chunks.js'
import { keyOf, keyText } from './identity.js'
import { isCountedIn } from './kept-by-stream.js'
import type { Change, Late, Plan, Receipt, Step } from './plan.js'
import { ASSUMED, batchPrice } from './price.js'
import { needsOf } from './write-needs.js'
import { type Written, writePrice } from './write-price.js'
import { checkCount, requestOf } from './write-request.js'
import { keptAt, type Traits, traitsOf } from './write-traits.js'

/** How often a write whose ground moved is tried. */
const TIMES = 10

/** Changes that are done together: one request where nothing has to be known; otherwise what has to be is read first. */
export function planChanges(layout: Layout, changes: readonly Change[], receipt?: Receipt): Plan {
  const together = changes.length > 1 || receipt !== undefined
  const keys = new Map<string, Key>()
  const late: Change[] = []
  for (const change of changes) {
    const needs = needsOf(layout, traitsOf(layout, change.type), change, together)
    for (const [text, key] of needs.keys) keys.set(text, key)
    if (needs.late) late.push(change)
  }
  const answer = { shape: 'nothing' } as const
  if (keys.size === 0) {
    const known = requestOf(layout, changes, receipt)
    if (!known) return { steps: [], answer }
    const { request, parts, price } = known
    const refused = parts.map(part => part.refused)
    return { steps: [{ id: 0, after: [], request, refused, changes, receipt, known, price }], answer }
  }
  checkCount(changes.length + (receipt ? 1 : 0))
  // What was done before may not be there to be read any more.
  if (receipt) keys.set(keyText(layout, receipt.item), keyOf(layout.names, receipt.item))
  const reads = readSteps(layout, [...keys.values()], late)
  const TransactItems = changes.map((change): Late => ({ late: 'change', change }))
  const step: Step = {
    id: reads.length,
    after: reads.map(({ id }) => id),
    request: { operation: 'transactWriteItems', input: { TransactItems } },
    changes,
    receipt,
    again: { on: 'condition', from: 0, times: TIMES },
    // Only who asks for it has it worked out.
    get price() {
      return writePrice(layout, estimated(layout, changes, receipt))
    },
  }
  return { steps: [...reads, step], answer }
}

function readSteps({ design }: Layout, keys: readonly Key[], late: readonly Change[]): Step[] {
  const TableName = design.name
  const price = (items: number) => batchPrice(items, ASSUMED.itemBytes, 'strong')
  const batch = (id: number, after: readonly number[], Keys: readonly Key[] | Late, items: number): Step => {
    const input = { RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }
    return { id, after, request: { operation: 'batchGetItem', input }, price: price(items) }
  }
  const steps: Step[] = []
  if (keys.length === 1) {
    const request = { operation: 'getItem', input: { TableName, Key: keys[0], ConsistentRead: true } } as const
    steps.push({ id: 0, after: [], request, price: price(1) })
  } else for (const asked of chunksOf(keys, BATCH_GET_KEYS)) steps.push(batch(steps.length, [], asked, asked.length))
  if (late.length === 0) return steps
  const first = steps.map(({ id }) => id)
  // What is put was not there, as far as anyone knows.
  const sure = late.filter(({ verb }) => verb !== 'put' && verb !== 'create')
  const step = batch(steps.length, first, { late: 'beside', changes: late }, sure.length)
  return [...steps, { ...step, notes: ['what the items found before tell of'] }]
}

/** What it writes where nothing of it was there before but what it must find; what was there can make it more or less. */
export function estimated(layout: Layout, changes: readonly Change[], receipt: Receipt | undefined): Written[] {
  const parts = changes.flatMap(change => estimatedParts(layout, traitsOf(layout, change.type), change))
  return receipt ? [...parts, { after: receipt.item }] : parts
}

function estimatedParts(layout: Layout, traits: Traits, change: Change): Written[] {
  const { type, own, sides, mirrors, keepers, keptSlots, indexes, ranked } = traits
  const { verb, patch } = change
  const isUpdate = verb === 'update'
  const has = (slot: string) => slot in patch
  const kept = isUpdate && ![...keptSlots].some(has) ? [] : keepers.map(end => keeperOf(layout, end, type))
  const [{ item }, ...more] = itemsOfFact(layout, type, givenValues(change)) as [PhysicalItem, ...PhysicalItem[]]
  if (verb === 'create' || verb === 'put') {
    for (const name of ranked) item[name] ??= { N: '0' }
    return [{ after: item }, ...more.map(each => ({ after: each.item })), ...kept]
  }
  const moved = indexes.filter(({ slots }) => slots.some(has)).flatMap(({ attributes }) => attributes)
  const named = Object.keys(patch).map(slot => layout.names.of(type, slot))
  const itself = {
    about: { type: type.name },
    unread: new Set([...moved, ...named]),
    after: isUpdate ? item : undefined,
  }
  const moves = ({ keys }: Kind) =>
    isUpdate && Object.values(keys).some(({ slots }) => slots.some(({ name }) => has(name)))
  const beside = sides.filter(side => !isUpdate || side.role === 'mirror' || moves(side))
  const gone = verb === 'delete' ? [own, ...mirrors] : mirrors.filter(moves)
  const tombstones = gone.filter(kind => isCountedIn(layout, kind)).map(() => ({}))
  // A mirror is as large as the edge, and others are small.
  const others = [...beside, ...sides.filter(moves)].map(({ role }) => (role === 'mirror' ? SOME : {}))
  return [itself, ...kept, ...others, ...tombstones]
}

/** An item of which nothing is known but that it is written. */
const SOME: Written = { unread: new Set() }

/** The node at an end that keeps something of an edge. */
function keeperOf({ names }: Layout, end: DeclaredEnd, edge: DeclaredType): Written {
  const kept = keptAt(edge as DeclaredEdge, end).map(({ into }) => names.of(end.node, into))
  const after = Object.fromEntries(kept.map(name => [name, { N: '1' }]))
  return { about: { type: end.node.name }, after, unread: new Set(kept) }
}
