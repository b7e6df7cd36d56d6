import type { Key } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import { itemsOfFact, type PhysicalItem } from '../layout/items.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { textOf } from './change-part.js'
import { givenValues } from './change-values.js'
import { keyOf } from './identity.js'
import { isCountedIn } from './kept-by-stream.js'
import type { Change, Late, Plan, Receipt, Step } from './plan.js'
import { ASSUMED, batchPrice } from './price.js'
import { needsOf } from './write-needs.js'
import { writePrice } from './write-price.js'
import { checkCount, requestOf } from './write-request.js'
import { type Traits, traitsOf } from './write-traits.js'

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
    const { request, refused, price } = known
    return { steps: [{ id: 0, after: [], request, refused, changes, receipt, known, price }], answer }
  }
  checkCount(changes.length + (receipt ? 1 : 0))
  // What was done before may not be there to be read any more.
  if (receipt) keys.set(textOf(layout, receipt.item), keyOf(layout.names, receipt.item))
  const reads = readSteps(layout, [...keys.values()], late)
  const TransactItems = changes.map((change): Late => ({ late: 'change', change }))
  const step: Step = {
    id: reads.length,
    after: reads.map(({ id }) => id),
    request: { operation: 'transactWriteItems', input: { TransactItems } },
    changes,
    receipt,
    again: { on: 'condition', from: 0, times: TIMES },
    price: writePrice(layout, estimated(layout, changes, receipt)),
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
  } else
    for (let at = 0; at < keys.length; at += BATCH_GET_KEYS) {
      const asked = keys.slice(at, at + BATCH_GET_KEYS)
      steps.push(batch(steps.length, [], asked, asked.length))
    }
  if (late.length === 0) return steps
  const first = steps.map(({ id }) => id)
  // What is put was not there, as far as anyone knows.
  const sure = late.filter(({ verb }) => verb !== 'put' && verb !== 'create')
  const step = batch(steps.length, first, { late: 'beside', changes: late }, sure.length)
  return [...steps, { ...step, notes: ['only what the items found before tell of, where they do'] }]
}

/** What it takes where nothing of it was there before but what it must find; what was there can make it more or less. */
function estimated(layout: Layout, changes: readonly Change[], receipt: Receipt | undefined) {
  const items = changes.flatMap(change => {
    const traits = traitsOf(layout, change.type)
    const items = itemsOfFact(layout, traits.type, givenValues(change))
    const more = besides(layout, traits, change, items)
    return [...items, ...Array.from({ length: traits.keepers.length + more }, () => ({ item: undefined }))]
  })
  return [...items, ...(receipt ? [receipt] : [])].map(({ item }) => ({ after: item }))
}

/** How many items more: mirrors whose keys nobody knows yet, those that go, tombstones, nodes that are copied from. */
function besides(layout: Layout, traits: Traits, { verb, patch }: Change, known: readonly PhysicalItem[]): number {
  const { own, mirrors, moving, sources } = traits
  const isKnown = ({ name }: Kind) => known.some(({ kind }) => kind === name)
  const unknown = mirrors.filter(mirror => !isKnown(mirror)).length
  if (verb === 'copy') return unknown + sources.length
  const isMoved = verb === 'update' && Object.keys(patch).some(slot => moving.has(slot))
  const gone = verb === 'delete' ? [own, ...mirrors] : isMoved ? mirrors : []
  const tombstones = gone.filter(kind => isCountedIn(layout, kind)).length
  return unknown + tombstones + (isMoved ? mirrors.length : 0)
}
