import type { Key } from '../dynamodb/attribute-value.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { endsInOrder } from '../layout/slots.js'
import type { ReadOptions } from './ask.js'
import { accessNamed, identityValues, kindOf, tableKey, tenantValues } from './identity.js'
import { partValues } from './members.js'
import type { ItemShape, Plan, SeveralShape, Slots, Step } from './plan.js'
import { ENTRY_BYTES } from './price.js'
import { together } from './read-together.js'
import { readStep } from './step.js'
import { traitsOf } from './write-traits.js'

/** A node by its id, or an edge by its ends and key. */
export function planGet(layout: Layout, type: string, identity: unknown, options: ReadOptions = {}): Plan {
  const kind = kindOf(layout, type)
  const { key, answer } = asked(layout, kind, identity, options)
  return { steps: [itemStep(layout, 0, options, key)], answer }
}

/** Whether it is there. DynamoDB charges for the whole item all the same. */
export function planExists(layout: Layout, type: string, identity: unknown, options: ReadOptions = {}): Plan {
  const { steps, answer } = planGet(layout, type, identity, options)
  return { steps, answer: { ...(answer as ItemShape), shape: 'exists' } }
}

/** Several by their ids, each read once; what is not there is answered by undefined in its place. */
export function planMany(layout: Layout, type: string, ids: readonly unknown[], options: ReadOptions = {}): Plan {
  const kind = kindOf(layout, type)
  const of = ids.map(id => asked(layout, kind, id, options))
  return together(layout, of, 'batchGetItem', options)
}

/** What is read, and how it is answered. An undirected edge lies under the lesser of its ends, and is answered as asked for. */
function asked(layout: Layout, kind: Kind, identity: unknown, { tenant }: ReadOptions): SeveralShape['of'][number] {
  const { type, name } = kind
  const values = identityValues(type, identity)
  const inOrder = endsInOrder(type, values)
  const key = tableKey(layout, kind, { ...tenantValues(tenant), ...inOrder })
  const answer: { -readonly [K in keyof ItemShape]: ItemShape[K] } = { shape: 'row', step: 0, kind: name }
  // What the key does not tell: the item that lies there may be another.
  for (const slot of traitsOf(layout, name).far) answer.identity = { ...answer.identity, [slot]: inOrder[slot]! }
  if (inOrder !== values) answer.turned = true
  return { key, answer }
}

export const itemStep = (layout: Layout, id: number, options: ReadOptions, Key: Key, itemBytes?: number): Step =>
  readStep(layout, id, 'getItem', { Key }, options, 1, {}, itemBytes)

/** A node by a unique attribute: the item that keeps the value tells its id. */
export function planUnique(
  layout: Layout,
  typeName: string,
  attribute: string,
  value: unknown,
  options: ReadOptions = {},
): Plan {
  const kind = kindOf(layout, typeName)
  const { name, type } = kind
  const sentinel = accessNamed(layout, typeName, attribute, true).kind
  const own: Slots = partValues(type, { [attribute]: value })
  const key = tableKey(layout, sentinel, { ...tenantValues(options.tenant), ...own })
  const kept = itemStep(layout, 0, options, key, ENTRY_BYTES)
  const found = { steps: [0], reverse: false, kind: sentinel.name }
  const each = { late: 'keys', found, kind: name } as const
  const step = readStep(layout, 1, 'getItem', {}, options, 1, { after: [0], each })
  return { steps: [kept, step], answer: { shape: 'row', step: 1, kind: name, identity: own } }
}
