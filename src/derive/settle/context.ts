import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { ServiceException } from '../../dynamodb/exception.js'
import type { Context } from '../../graph/context.js'
import { readItemByKey, readItemsByKey } from '../../graph/run/read-items.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import { hexOf } from '../../layout/keys/hex.js'
import type { Layout } from '../../layout/layout.js'
import { uniqueKeyTextOf } from '../../plan/identity.js'
import { type TransactionPart, toTransactItem } from '../../plan/write/transaction-part.js'
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
export function createDerivationContext(
  layout: Layout,
  store: Store,
  environment: Environment,
  backoff = resolveBackoff(),
): DerivationContext {
  const context: Context = {
    layout,
    store,
    isEmbedded: embeddedServicesOf(store) !== undefined,
    backoff,
    environment,
    caps: {},
    listener: undefined,
    state: { isClosed: false },
  }
  return { context, nodeMutex: new KeyedMutex() }
}

/** Generates a unique token. Every attempt takes a new one. */
export const generateToken = ({ context }: DerivationContext): string => hexOf(context.environment.random(TOKEN_BYTES))

export const keyTextOf = ({ context }: DerivationContext, key: Key): string => uniqueKeyTextOf(context.layout, key)

/** Creates a request sender for the calls of another tenant. */
export function createTenantSender({ context }: DerivationContext, tenant: string | undefined): RequestSender {
  return new RequestSender({ ...context, tenant }, {}, false)
}

export const readCurrentItem = ({ context }: DerivationContext, key: Key): Promise<Item | undefined> =>
  readItemByKey(context.store, context.layout, key)

export const readCurrentItems = ({ context }: DerivationContext, keys: readonly Key[]): Promise<Map<string, Item>> =>
  readItemsByKey(context.store, context.layout, keys)

/**
 * Runs a transaction. Returns false if a condition failed or the response was lost; the caller then reads the items
 * again.
 */
export async function tryTransaction(
  derivation: DerivationContext,
  parts: readonly TransactionPart[],
): Promise<boolean> {
  const { store, layout } = derivation.context
  const TransactItems = parts.map(part => toTransactItem(layout, part))
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
  throw new GraphError('write.contended', 'consumer: the items kept changing in all 30 attempts; retry later.')
}
