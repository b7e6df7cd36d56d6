import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../dynamodb/operation-types.js'
import type { Context } from '../../graph/context.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import type { Layout } from '../../layout/layout.js'
import { uniqueKeyTextOf } from '../../plan/identity.js'
import { WriteExpression } from '../../plan/write/expression.js'
import type { Environment } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { resolveBackoff } from '../../store/backoff.js'
import { embeddedServicesOf } from '../../store/embedded.js'
import { failureKindOf } from '../../store/failure-kind.js'
import type { Store } from '../../store/port.js'
import { toItemSizeError } from './item-size-error.js'
import { KeyedMutex } from './keyed-mutex.js'

const TOKEN_BYTES = 9
/** Attempts before the work gives up, when concurrent writers change an item between read and write. */
const MAX_ROUNDS = 30

/** The shared state of all code that maintains derived data. */
export interface DerivationContext {
  /** Its store retries transient errors. */
  readonly context: Context
  /** Serializes counter updates per node, because concurrent transactions on one node would cancel each other. */
  readonly nodeMutex: KeyedMutex
}

/** Creates the context. The store must be one that retries. */
export function createDerivationContext(layout: Layout, store: Store, environment: Environment): DerivationContext {
  const context: Context = {
    layout,
    store,
    isEmbedded: embeddedServicesOf(store) !== undefined,
    backoff: resolveBackoff(),
    environment,
    caps: {},
    listener: undefined,
    state: { isClosed: false },
  }
  return { context, nodeMutex: new KeyedMutex() }
}

/** One write of a transaction. */
export interface TransactionPart {
  readonly verb: 'Put' | 'Update' | 'Delete' | 'ConditionCheck'
  readonly key: Key
  /** The item of a `Put`. */
  readonly item?: Item
  readonly expression: WriteExpression
}

export const createTransactionPart = (verb: TransactionPart['verb'], key: Key): TransactionPart => ({
  verb,
  key,
  expression: new WriteExpression(),
})

/** Generates a unique token. Every attempt takes a new one. */
export function generateToken({ context }: DerivationContext): string {
  const bytes = context.environment.random(TOKEN_BYTES)
  return Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
}

export const keyTextOf = ({ context }: DerivationContext, key: Key): string => uniqueKeyTextOf(context.layout, key)

/** Creates a request sender for the calls of another tenant. */
export function createTenantSender({ context }: DerivationContext, tenant: string | undefined): RequestSender {
  return new RequestSender({ ...context, tenant }, {}, false)
}

export async function readCurrentItem(derivation: DerivationContext, Key: Key): Promise<Item | undefined> {
  const { store, layout } = derivation.context
  return (await store.getItem({ TableName: layout.design.name, Key, ConsistentRead: true })).Item
}

/** Reads items with strong consistency. Keys without an item are absent from the result, which is keyed by key text. */
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
      throw new GraphError('store.throttled', 'the store returned unprocessed keys in every attempt; retry later')
    for (const item of Responses?.[table] ?? []) itemsByKey.set(keyTextOf(derivation, item), item)
  }
  return itemsByKey
}

/**
 * Runs a transaction. Returns false if a condition failed or the response was lost; the caller then reads the items
 * again.
 */
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

/** Repeats a step until it returns true. Throws `write.contended` after 30 rounds. */
export async function retryUntilStable(step: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < MAX_ROUNDS; round++) if (await step()) return
  throw new GraphError('write.contended', 'gave up after 30 attempts because the items kept changing; retry later')
}
