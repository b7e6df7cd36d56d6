import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../dynamodb/operations/transactions.js'
import type { Context } from '../../graph/context.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import type { Layout } from '../../layout/layout.js'
import { uniqueKeyTextOf } from '../../plan/identity.js'
import { WriteExpression } from '../../plan/write/expression.js'
import type { Environment } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { resolveBackoff } from '../../store/backoff.js'
import { failureKindOf } from '../../store/failure-kind.js'
import type { Store } from '../../store/port.js'
import { toItemSizeError } from './item-size-error.js'
import { KeyedMutex } from './keyed-mutex.js'

const TOKEN_BYTES = 9
/** How often something is read again and tried, where others keep changing it. */
const MAX_ROUNDS = 30

/** What everything that keeps derived data works with. */
export interface DerivationContext {
  /** Its store retries. */
  readonly context: Context
  /** What changes the counters of one node goes one after the other: they would only refuse each other. */
  readonly nodeMutex: KeyedMutex
}

/** For a store that retries. */
export function createDerivationContext(layout: Layout, store: Store, environment: Environment): DerivationContext {
  const context: Context = {
    layout,
    store,
    backoff: resolveBackoff(),
    environment,
    caps: {},
    listener: undefined,
    state: { isClosed: false },
  }
  return { context, nodeMutex: new KeyedMutex() }
}

/** One part of a transaction. */
export interface TransactionPart {
  readonly verb: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly key: Key
  /** Of a Put. */
  readonly item?: Item
  readonly expression: WriteExpression
}

export const createTransactionPart = (verb: TransactionPart['verb'], key: Key): TransactionPart => ({
  verb,
  key,
  expression: new WriteExpression(),
})

/** A text that was never used before: every attempt takes another. */
export function generateToken({ context }: DerivationContext): string {
  const bytes = context.environment.random(TOKEN_BYTES)
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

export const keyTextOf = ({ context }: DerivationContext, key: Key): string => uniqueKeyTextOf(context.layout, key)

/** Of another tenant's node or edge: the same, for its own calls. */
export function createTenantSender({ context }: DerivationContext, tenant: string | undefined): RequestSender {
  return new RequestSender({ ...context, tenant }, {}, false)
}

export async function readCurrentItem(derivation: DerivationContext, Key: Key): Promise<Item | undefined> {
  const { store, layout } = derivation.context
  return (await store.getItem({ TableName: layout.design.name, Key, ConsistentRead: true })).Item
}

/** The items that are there of those with these keys, as they are now, by the texts of their keys. */
export async function readCurrentItems(
  derivation: DerivationContext,
  keys: readonly Key[],
): Promise<Map<string, Item>> {
  const { store, layout } = derivation.context
  const table = layout.design.name
  const uniqueKeys = [...new Map(keys.map(key => [keyTextOf(derivation, key), key])).values()]
  const itemsByKey = new Map<string, Item>()
  for (let start = 0; start < uniqueKeys.length; start += BATCH_GET_KEYS) {
    const Keys = uniqueKeys.slice(start, start + BATCH_GET_KEYS)
    const { Responses, UnprocessedKeys } = await store.batchGetItem({
      RequestItems: { [table]: { Keys, ConsistentRead: true } },
    })
    if (Object.keys(UnprocessedKeys ?? {}).length > 0)
      throw new GraphError('store.throttled', 'the store left keys unread, however often it was tried')
    for (const item of Responses?.[table] ?? []) itemsByKey.set(keyTextOf(derivation, item), item)
  }
  return itemsByKey
}

/** Whether a transaction was done: refused, or with an answer that was lost, everything is read again. */
export async function tryTransaction(
  derivation: DerivationContext,
  parts: readonly TransactionPart[],
): Promise<boolean> {
  const { store, layout } = derivation.context
  const TableName = layout.design.name
  const TransactItems = parts.map(({ verb, key, item, expression }) => ({
    [verb]: expression.addWriteTo({ TableName, ...(item ? { Item: item } : { Key: key }) }),
  })) as TransactWriteItem[]
  try {
    await store.transactWriteItems({ TransactItems, ClientRequestToken: generateToken(derivation) })
    return true
  } catch (error) {
    const reasons = (error as Partial<ServiceException>).CancellationReasons ?? []
    if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed') || failureKindOf(error) === 'unknown')
      return false
    const keys = parts.map(({ key }) => key)
    throw toItemSizeError(error, keys) ?? error
  }
}

/** Does something again and again until it says that there is nothing left to do. */
export async function retryUntilStable(step: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) if (await step()) return
  throw new GraphError('write.contended', 'others changed it each time: try again later')
}
