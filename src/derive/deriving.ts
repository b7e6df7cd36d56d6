import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { ServiceException } from '../dynamodb/exception.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import type { Context } from '../graph/context.js'
import { Sending } from '../graph/sending.js'
import type { Layout } from '../layout/layout.js'
import { keyText } from '../plan/identity.js'
import { WriteExpression } from '../plan/write-expression.js'
import type { Surroundings } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { backoffSettings } from '../store/backoff.js'
import { failureOf } from '../store/failures.js'
import type { Store } from '../store/port.js'
import { tooLarge } from './too-large.js'
import { Turns } from './turns.js'

const FRESH_BYTES = 9
/** How often something is read again and tried, where others keep changing it. */
const ROUNDS = 30

/** What everything that keeps derived data works with. */
export interface Deriving {
  /** Its store retries. */
  readonly context: Context
  /** What changes the counters of one node goes one after the other: they would only refuse each other. */
  readonly turns: Turns
}

/** For a store that retries. */
export function derivingOf(layout: Layout, store: Store, surroundings: Surroundings): Deriving {
  const context: Context = {
    layout,
    store,
    backoff: backoffSettings(),
    surroundings,
    caps: {},
    listener: undefined,
    state: { closed: false },
  }
  return { context, turns: new Turns() }
}

/** One part of a transaction. */
export interface Act {
  readonly verb: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly key: Key
  /** Of a Put. */
  readonly item?: Item
  readonly expression: WriteExpression
}

export const act = (verb: Act['verb'], key: Key): Act => ({ verb, key, expression: new WriteExpression() })

/** A text that was never used before: every attempt takes another. */
export function fresh({ context }: Deriving): string {
  const bytes = context.surroundings.random(FRESH_BYTES)
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

export const textOf = ({ context }: Deriving, key: Key): string => keyText(context.layout, key)

/** Of another tenant's node or edge: the same, for its own calls. */
export function sendingFor({ context }: Deriving, tenant: string | undefined): Sending {
  return new Sending({ ...context, tenant }, {}, false)
}

export async function itemAt(deriving: Deriving, Key: Key): Promise<Item | undefined> {
  const { store, layout } = deriving.context
  return (await store.getItem({ TableName: layout.design.name, Key, ConsistentRead: true })).Item
}

/** The items that are there of those with these keys, as they are now, by the texts of their keys. */
export async function itemsAt(deriving: Deriving, keys: readonly Key[]): Promise<Map<string, Item>> {
  const { store, layout } = deriving.context
  const table = layout.design.name
  const asked = [...new Map(keys.map(key => [textOf(deriving, key), key])).values()]
  const found = new Map<string, Item>()
  for (let at = 0; at < asked.length; at += BATCH_GET_KEYS) {
    const Keys = asked.slice(at, at + BATCH_GET_KEYS)
    const { Responses, UnprocessedKeys } = await store.batchGetItem({
      RequestItems: { [table]: { Keys, ConsistentRead: true } },
    })
    if (Object.keys(UnprocessedKeys ?? {}).length > 0)
      throw new GraphError('store.throttled', 'the store left keys unread, however often it was tried')
    for (const item of Responses?.[table] ?? []) found.set(textOf(deriving, item), item)
  }
  return found
}

/** Whether a transaction was done: refused, or with an answer that was lost, everything is read again. */
export async function transact(deriving: Deriving, acts: readonly Act[]): Promise<boolean> {
  const { store, layout } = deriving.context
  const TableName = layout.design.name
  const TransactItems = acts.map(({ verb, key, item, expression }) => ({
    [verb]: expression.into({ TableName, ...(item ? { Item: item } : { Key: key }) }),
  })) as TransactWriteItem[]
  try {
    await store.transactWriteItems({ TransactItems, ClientRequestToken: fresh(deriving) })
    return true
  } catch (error) {
    const reasons = (error as Partial<ServiceException>).CancellationReasons ?? []
    if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed') || failureOf(error) === 'unknown') return false
    const keys = acts.map(({ key }) => key)
    throw tooLarge(error, keys) ?? error
  }
}

/** Does something again and again until it says that there is nothing left to do. */
export async function untilSettled(step: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if (await step()) return
  throw new GraphError('write.contended', 'others changed it each time: try again later')
}
