import type { Key } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { endsInOrder } from '../layout/slots.js'
import { GraphError } from '../schema/error.js'
import type { ReadOptions } from './ask.js'
import { identityValues, memberValues, ownKind, tableKey, tenantValues, typeOf } from './identity.js'
import type { Draft, Found, Plan, Slots, Step } from './plan.js'
import { ASSUMED, batchPrice, consistency, pointPrice } from './price.js'

/** A node by its id, or an edge by its ends and key. */
export function planGet(layout: Layout, type: string, identity: unknown, options: ReadOptions = {}): Plan {
  const { kind, step, told } = getStep(layout, type, identity, options)
  return { steps: [step], answer: { shape: 'row', step: step.id, kind: kind.name, ...told } }
}

/** Whether it is there. DynamoDB charges for the whole item all the same. */
export function planExists(layout: Layout, type: string, identity: unknown, options: ReadOptions = {}): Plan {
  const { kind, step, told } = getStep(layout, type, identity, options)
  return { steps: [step], answer: { shape: 'exists', step: step.id, kind: kind.name, ...told } }
}

function getStep(layout: Layout, typeName: string, identity: unknown, options: ReadOptions) {
  const kind = ownKind(layout, typeOf(layout, typeName))
  const { values, turned } = ordered(kind, identity)
  const key = tableKey(layout, kind, { ...tenantValues(options.tenant), ...values })
  const told = { ...untold(layout, kind, values), ...(turned && { turned }) }
  return { kind, step: itemStep(layout, 0, options, key), told }
}

/** An undirected edge lies under the lesser of its ends, and is answered as it was asked for. */
function ordered({ type }: Kind, identity: unknown): { values: Slots; turned: boolean } {
  const values = identityValues(type, identity)
  const inOrder = type.kind === 'edge' && type.undirected ? endsInOrder(type, values) : values
  return { values: inOrder, turned: inOrder !== values }
}

export function itemStep({ design }: Layout, id: number, { consistent, sizes }: ReadOptions, Key: Key): Step {
  return {
    id,
    after: [],
    request: getItem(design.name, { Key }, consistent),
    price: pointPrice(1, sizes?.itemBytes ?? ASSUMED.itemBytes, consistency(consistent)),
  }
}

function getItem(TableName: string, key: { Key?: Key }, consistent: boolean | undefined): Draft {
  return { operation: 'getItem', input: { TableName, ...key, ...(consistent && { ConsistentRead: true }) } }
}

/** The parts of an identity that the key does not tell: the item that lies there may be of another. */
function untold({ names: { partition, sort } }: Layout, { keys }: Kind, values: Slots): { identity?: Slots } {
  const told = new Set([keys[partition]!, keys[sort]!].flatMap(({ slots }) => slots.map(({ name }) => name)))
  const rest = Object.entries(values).filter(([slot]) => !told.has(slot))
  return rest.length > 0 ? { identity: Object.fromEntries(rest) } : {}
}

/** Several by their ids, each read once; what is not there is answered by undefined in its place. */
export function planMany(
  layout: Layout,
  typeName: string,
  identities: readonly unknown[],
  options: ReadOptions = {},
): Plan {
  const kind = ownKind(layout, typeOf(layout, typeName))
  const tenant = tenantValues(options.tenant)
  const asked = identities.map(id => ordered(kind, id))
  const keys = asked.map(({ values }) => tableKey(layout, kind, { ...tenant, ...values }))
  const turned = asked.flatMap((each, i) => (each.turned ? [i] : []))
  const once = [...new Map(keys.map(key => [JSON.stringify(key), key])).values()]
  const { consistent, sizes } = options
  const steps = Array.from({ length: Math.ceil(once.length / BATCH_GET_KEYS) }, (_, id): Step => {
    const Keys = once.slice(id * BATCH_GET_KEYS, (id + 1) * BATCH_GET_KEYS)
    const input = { Keys, ...(consistent && { ConsistentRead: true }) }
    return {
      id,
      after: [],
      request: { operation: 'batchGetItem', input: { RequestItems: { [layout.design.name]: input } } },
      price: batchPrice(Keys.length, sizes?.itemBytes ?? ASSUMED.itemBytes, consistency(consistent)),
    }
  })
  const found = { steps: steps.map(({ id }) => id), kind: kind.name, keys, ...(turned.length > 0 && { turned }) }
  return { steps, answer: { shape: 'many', ...found } }
}

/** A node by a unique attribute: the item that keeps the value tells its id. */
export function planUnique(
  layout: Layout,
  typeName: string,
  attribute: string,
  value: unknown,
  options: ReadOptions = {},
): Plan {
  const type = typeOf(layout, typeName)
  const sentinel = layout.kinds.find(kind => kind.type === type && kind.role === 'unique' && kind.of === attribute)
  if (!sentinel)
    throw new GraphError('read.path', `${typeName} has no unique '${attribute}'`, { type: typeName, name: attribute })
  const given = { ...tenantValues(options.tenant), ...memberValues(type, attribute, value) }
  const kept = itemStep(layout, 0, options, tableKey(layout, sentinel, given))
  const found: Found = { steps: [0], reverse: false, kind: sentinel.name }
  const kind = ownKind(layout, type).name
  const { design } = layout
  const step: Step = {
    id: 1,
    after: [0],
    request: getItem(design.name, {}, options.consistent),
    each: { of: { late: 'keys', found, kind }, chunk: 1, concurrency: 1 },
    price: kept.price,
  }
  return { steps: [kept, step], answer: { shape: 'row', step: 1, kind, identity: { [attribute]: given[attribute]! } } }
}
