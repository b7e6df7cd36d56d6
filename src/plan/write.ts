import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import { itemsOfFact } from '../layout/items.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import { GraphError } from '../schema/error.js'
import { changeWrites, keepersBefore } from './change.js'
import { ownKey, type Written } from './change-part.js'
import { typeOf } from './identity.js'
import type { Change, Late, Plan, Price, Step } from './plan.js'
import { ASSUMED, batchPrice, pointPrice } from './price.js'
import { givenIdentity, givenRow, type WriteOptions } from './write-given.js'
import { keepers, needsOf } from './write-needs.js'
import { givenPatch } from './write-patch.js'
import { writePrice } from './write-price.js'
import { type WriteRequest, writeRequest } from './write-request.js'

type Given = Readonly<Record<string, unknown>>

/** How often a write whose ground moved is tried. */
const TIMES = 10

/** Writes a node or an edge that is not there yet. */
export function planCreate(layout: Layout, type: string, row: Given, options: WriteOptions): Plan {
  return planChange(layout, givenRow(typeOf(layout, type), 'create', row, options))
}

/** Writes a whole node or edge, whether it is there or not. */
export function planPut(layout: Layout, type: string, row: Given, options: WriteOptions): Plan {
  return planChange(layout, givenRow(typeOf(layout, type), 'put', row, options))
}

/** Changes what a patch gives of a node or an edge that is there. */
export function planUpdate(layout: Layout, type: string, identity: unknown, patch: Given, options: WriteOptions): Plan {
  return planChange(layout, givenPatch(layout, typeOf(layout, type), identity, patch, options))
}

export function planDelete(layout: Layout, type: string, identity: unknown, options: WriteOptions): Plan {
  const declared = typeOf(layout, type)
  checkLeaves(layout, declared)
  return planChange(layout, givenIdentity(declared, identity, options))
}

/** Where edges go with a node or keep it, it takes more than one request to delete it. */
function checkLeaves({ graph }: Layout, type: DeclaredType): void {
  const edge = graph.declared.edges.find(({ ends }) =>
    ends.some(({ node, onDelete }) => node === type && onDelete !== 'leave'),
  )
  if (edge)
    throw new GraphError(
      'node.cascade',
      `${edge.name} says what becomes of it when a ${type.name} is deleted: delete it as a job`,
      {
        type: type.name,
        name: edge.name,
      },
    )
}

/** One request where nothing has to be known; otherwise what has to be is read first. */
function planChange(layout: Layout, change: Change): Plan {
  const type = typeOf(layout, change.type)
  const { own, keys, late } = needsOf(layout, change, type)
  const reads = readSteps(
    layout,
    own ? [ownKey(layout, type, change.identity), ...keys] : keys,
    late ? change : undefined,
  )
  const step = reads.length === 0 ? knownStep(layout, change) : lateStep(layout, change, reads)
  return { steps: [...reads, step], answer: { shape: 'nothing' } }
}

function readSteps(layout: Layout, keys: readonly Key[], late: Change | undefined): Step[] {
  const { design } = layout
  if (keys.length === 0) return []
  const [Key] = keys
  const batch = (id: number, Keys: readonly Key[] | Late, count: number): Step => ({
    id,
    after: id === 0 ? [] : [0],
    request: { operation: 'batchGetItem', input: { RequestItems: { [design.name]: { Keys, ConsistentRead: true } } } },
    price: batchPrice(count, ASSUMED.itemBytes, 'strong'),
  })
  const first: Step =
    keys.length > 1
      ? batch(0, keys, keys.length)
      : {
          id: 0,
          after: [],
          request: { operation: 'getItem', input: { TableName: design.name, Key, ConsistentRead: true } },
          price: pointPrice(1, ASSUMED.itemBytes, 'strong'),
        }
  return late ? [first, batch(1, { late: 'keepers', step: 0, change: late }, 1)] : [first]
}

function knownStep(layout: Layout, change: Change): Step {
  const written = changeWrites(layout, change)
  const { request, refused, price } = writeRequest(layout, written, change.returns)!
  return { id: 0, after: [], request, refused, price }
}

function lateStep(layout: Layout, change: Change, reads: readonly Step[]): Step {
  const TransactItems: Late = { late: 'change', step: 0, change }
  return {
    id: reads.length,
    after: reads.map(({ id }) => id),
    request: { operation: 'transactWriteItems', input: { TransactItems } },
    again: { on: 'condition', from: 0, times: TIMES },
    price: estimate(layout, change),
  }
}

/** What it takes where nothing of it was there before; what was there can make it more or less. */
function estimate(layout: Layout, change: Change): Price {
  const type = typeOf(layout, change.type)
  const values = { ...change.identity, ...change.set }
  const parts = itemsOfFact(layout, type, values).length + (type.kind === 'edge' ? keepers(type).length : 0)
  const written = itemsOfFact(layout, type, values).map(({ item }) => ({
    part: {},
    refused: 'again' as const,
    after: item,
  }))
  const kept = Array.from({ length: parts - written.length }, () => ({ part: {}, refused: 'again' as const }))
  return writePrice(layout, [...written, ...kept])
}

/** The keys that a late read asks for; none: it is not sent. */
export function lateKeys(layout: Layout, late: Late & { readonly late: 'keepers' }, read: readonly Item[]): Key[] {
  return keepersBefore(layout, late.change, read)
}

/** The request of a writing step, given the items that its earlier steps found; undefined where there is nothing to do. */
export function lateWrite(layout: Layout, step: Step, read: readonly Item[]): WriteRequest | undefined {
  const { TransactItems: parts } = step.request.input as {
    TransactItems?: Late | readonly (Late | TransactWriteItem)[]
  }
  const isLate = (part: object): part is Late & { late: 'change' } => 'late' in part
  const written = (Array.isArray(parts) ? parts : parts ? [parts] : []).flatMap((part: object, i): Written[] =>
    isLate(part)
      ? changeWrites(layout, part.change, read)
      : [{ part, refused: step.refused![i]!, after: (part as TransactWriteItem).Put?.Item }],
  )
  const lone = parts && !Array.isArray(parts) ? (parts as Late & { late: 'change' }).change.returns : undefined
  if (parts) return writeRequest(layout, written, lone)
  return {
    request: step.request,
    refused: step.refused!,
    expects: [],
    old: undefined,
    new: undefined,
    price: step.price,
  }
}
