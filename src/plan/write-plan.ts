import type { Key } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import { itemsOfFact } from '../layout/items.js'
import { type Kind, slotsOf } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { EMPTY_TALLY } from '../layout/tally.js'
import type { DeclaredEdge, DeclaredEnd } from '../schema/declared.js'
import { keysBeside } from './change.js'
import type { Known } from './change-part.js'
import { givenValues } from './change-values.js'
import { checkCount, chunksOf } from './chunks.js'
import { byKey, keyOf, keyText } from './identity.js'
import { isCountedIn } from './kept-by-stream.js'
import type { Change, Draft, Late, Plan, Receipt, Step } from './plan.js'
import { itemStep } from './read-item.js'
import { readStep } from './step.js'
import { isPatched, movedKeys, needsOf } from './write-needs.js'
import { type Written, writePrice } from './write-price.js'
import { requestOf } from './write-request.js'
import { guardsAt, keptAt, type Traits, traitsOf } from './write-traits.js'

/** How often a write whose ground moved is tried. */
const TIMES = 10

/** Changes that are done together: one request where nothing has to be known; otherwise what has to be is read first. */
export function planChanges(layout: Layout, changes: readonly Change[], receipt?: Receipt): Plan {
  const together = changes[1] ?? receipt
  const needs = changes.map(change => needsOf(layout, change, together))
  const keys = byKey(
    layout,
    needs.flatMap(each => each.keys),
  )
  const late = changes.filter((_, at) => needs[at]!.late)
  const answer = { shape: 'nothing' } as const
  if (!keys.size) {
    const known = requestOf(layout, changes, receipt)
    const step = known && { id: 0, after: [], request: known.request, changes, receipt, known, price: known.price }
    return { steps: step ? [step] : [], answer }
  }
  checkCount('write.transaction', changes.length + (receipt ? 1 : 0))
  // What was done before may not be there to be read any more.
  if (receipt) keys.set(keyText(layout, receipt.item), keyOf(layout.names, receipt.item))
  const reads = readSteps(layout, [...keys.values()], late)
  const step: Step = {
    id: reads.length,
    after: reads.map(({ id }) => id),
    // Only who asks for it has it worked out, as the price. One item is written by itself.
    get request(): Draft {
      const [{ after }, more] = estimated(layout, changes, receipt) as [Written, Written?]
      const late = changes.map((change): Late => ({ late: 'change', change }))
      return more
        ? { operation: 'transactWriteItems', input: { TransactItems: late } }
        : { operation: after ? 'updateItem' : 'deleteItem', input: late[0]! }
    },
    changes,
    receipt,
    again: { on: 'condition', from: 0, times: TIMES },
    notes: changes.some(({ type }) => (traitsOf(layout, type).type as DeclaredEdge).embed?.[0])
      ? ['whole items are read and written']
      : [],
    // Only who asks for it has it worked out.
    get price() {
      return writePrice(layout, estimated(layout, changes, receipt))
    },
  }
  return { steps: [...reads, step], answer }
}

function readSteps(layout: Layout, keys: readonly Key[], late: readonly Change[]): Step[] {
  const options = { consistent: true }
  const steps =
    keys.length === 1
      ? [itemStep(layout, 0, options, keys[0]!)]
      : chunksOf(keys, BATCH_GET_KEYS).map((Keys, id) =>
          readStep(layout, id, 'batchGetItem', { Keys }, options, Keys.length),
        )
  if (!late[0]) return steps
  // What is put was not there, as far as anyone knows.
  const sure = late.filter(({ verb }) => verb !== 'put' && verb !== 'create')
  const more = { after: steps.map(({ id }) => id), notes: ['what these items tell of'] }
  const Keys: Late = { late: 'beside', changes: late }
  return [...steps, readStep(layout, steps.length, 'batchGetItem', { Keys }, options, sure.length, more)]
}

type Beside = Extract<Late, { readonly late: 'beside' }>

/** The keys that a read before a write asks for, given what is known before it; none: it is not sent. */
export function askedKeys(layout: Layout, { input }: Draft, known: Known): readonly Key[] {
  if (input.Key) return [input.Key as Key]
  const { Keys } = (input.RequestItems as Record<string, { Keys: readonly Key[] | Beside }>)[layout.design.name]!
  if (!('late' in Keys)) return Keys
  const keys = Keys.changes.flatMap(change => keysBeside(layout, change, known))
  return [...byKey(layout, keys).values()]
}

/** What it writes where nothing of it was there before but what it must find; what was there can make it more or less. */
export function estimated(layout: Layout, changes: readonly Change[], receipt: Receipt | undefined): Written[] {
  const parts = changes.flatMap(change => estimatedParts(layout, traitsOf(layout, change.type), change))
  return receipt ? [...parts, { after: receipt.item }] : parts
}

function estimatedParts(layout: Layout, traits: Traits, change: Change): Written[] {
  const { type, own, sides, mirrors, keepers, checked, keptSlots, ranked, tallies, owner } = traits
  const { verb, patch } = change
  if (verb === 'check') return [{ ...SOME, verb: 'ConditionCheck' }]
  const isUpdate = verb === 'update'
  const isWhole = verb === 'create' || verb === 'put'
  const changed = isUpdate && !isPatched(change, keptSlots) ? [] : keepers
  const ends = isWhole ? (change.ends ? (type as DeclaredEdge).ends : checked) : changed
  const kept = ends.map(end => keeperOf(layout, type as DeclaredEdge, end))
  const values = { ...givenValues(change), [layout.names.etag]: { S: change.etag } }
  const items = itemsOfFact(layout, type, values).map(({ item }) => item)
  if (isWhole) {
    for (const name of ranked) items[0]![name] = { N: '0' }
    for (const name of tallies) items[0]![name] = EMPTY_TALLY
    return [...items.map(after => ({ after })), ...kept, ...(owner ? [SOME] : [])]
  }
  const named = Object.keys(patch).map(slot => layout.names.of(type, slot))
  const itself = {
    about: { type: type.name },
    unread: new Set([...movedKeys(traits, change), ...named]),
    after: isUpdate ? items[0] : undefined,
  }
  const moves = (kind: Kind) => isPatched(change, slotsOf(kind))
  const beside = sides.filter(side => !isUpdate || side.role === 'mirror' || moves(side))
  const gone = verb === 'delete' ? [own, ...mirrors] : mirrors.filter(moves)
  const tombstones = gone.filter(kind => isCountedIn(layout, kind)).map(() => ({}))
  // A mirror is as large as the edge, and others are small.
  const others = [...beside, ...sides.filter(moves)].map(({ role }) => (role === 'mirror' ? SOME : {}))
  return [itself, ...kept, ...others, ...tombstones]
}

/** An item of which nothing is known but that it is written. */
const SOME: Written = { unread: new Set() }

/** The node at an end that keeps something of an edge, or must be there for it. */
function keeperOf(layout: Layout, edge: DeclaredEdge, end: DeclaredEnd): Written {
  const { node } = end
  const what = keptAt(edge, end)
  if (!what[0]) return SOME
  const kept = [...new Set([...what.map(({ into }) => layout.names.of(node, into)), ...guardsAt(layout, edge, end)])]
  const after = Object.fromEntries(kept.map(name => [name, { N: '1' }]))
  return { about: { type: node.name }, after, unread: new Set(kept) }
}
