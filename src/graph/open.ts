import type { Layout } from '../layout/layout.js'
import { layoutOf, withTableName } from '../layout/layout.js'
import type { Environment } from '../schema/declarations.js'
import { GraphError } from '../schema/error.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { resolveBackoff } from '../store/backoff.js'
import { embeddedServicesOf } from '../store/embedded.js'
import type { Store } from '../store/port.js'
import { type RetryingOptions, retrying } from '../store/retry.js'
import { checkTableName } from '../table/table-definition.js'
import { assertArgument, assertFunction, isNonEmptyText, parseCaps, parseOptions } from './arguments.js'
import { createCursorCipher } from './calls/cursor-cipher.js'
import { handleOf } from './calls/handle.js'
import { sessionOf } from './calls/session.js'
import { type Caps, type Context, type TraceListener, traceScopeOf } from './context.js'
import { toStoreError } from './run/request-sender.js'
import { prepareTable } from './table-setup/prepare.js'
import type { Opened } from './types/opened-graph.js'

/** The options of `open`. */
export interface OpenOptions {
  /** The name of the table. The default is the name of the graph. */
  readonly table?: string | undefined
  /** Creates the table when it is missing. The default is true for an embedded store and false otherwise. */
  readonly create?: boolean | undefined
  /**
   * Whether to open a table that was written under a different layout. Use `allow` only for writers during a
   * backfill.
   */
  readonly drift?: 'refuse' | 'allow' | undefined
  /** The limits of each call. */
  readonly caps?: Caps | undefined
  /** The retries of throttled requests, lost responses and conflicting writes. */
  readonly retry?: RetryingOptions | undefined
  /** Receives every call and every request. */
  readonly listener?: TraceListener | undefined
  /** Whether an embedded store maintains copies and counters in this process. The default is true. */
  readonly follow?: boolean | undefined
  /**
   * Encrypts and authenticates cursors: a secret of 32 bytes, or a list of secrets. The first secret encrypts and all
   * decrypt. Without a key, a cursor shows the keys of the last row of its page.
   */
  readonly cursorKey?: Uint8Array | readonly Uint8Array[] | undefined
  /** Milliseconds since 1970. */
  readonly clock?: (() => number) | undefined
  /** Random bytes for etags and ulids. The default is `crypto.getRandomValues`. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

/**
 * Opens a graph, or its layout, on a table of a store. `open` checks that the table matches the layout, or creates
 * the table.
 * @param graphOrLayout a declared graph, or a layout of it with keys of your own
 * @param store `memory()` or `disk()` from `edgewise/engine`, or `dynamodb({ client })` from `edgewise/aws`
 * @returns a handle for each node and edge, and `$transact`, `$batch` and other calls across types
 * @throws {open.store} the store is not a store of edgewise
 * @throws {table.absent} the table does not exist
 * @throws {table.mismatch} the table lacks keys or indexes of the layout
 * @throws {layout.drift} the table was written under a different layout
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { email: string(), name: string() }, { id: 'email' })
 * const g = await open(graph('app', [user]), memory())
 * await g.user.put({ email: 'ann@example.com', name: 'Ann' })
 * ```
 */
export async function open<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  store: Store,
  options: OpenOptions = {},
): Promise<Opened<T, Tenant>> {
  const declaredLayout = layoutOf(graphOrLayout)
  assertStore(store)
  parseOptions('open', options, 'table, create, drift, caps, retry, listener, follow, cursorKey, clock, random')
  const embedded = embeddedServicesOf(store)
  const { table = declaredLayout.design.name, create = !!embedded, listener, drift } = options
  const caps = parseCaps(options.caps)
  for (const name of ['listener', 'clock', 'random'] as const) assertFunction(options[name], name)
  parseOptions('retry', options.retry, Object.keys(resolveBackoff()).join(', '))
  checkTableName(table)
  const cipher = await createCursorCipher(options.cursorKey)
  const layout = withTableName(declaredLayout, table)
  embedded?.prepareLayout?.(layout)
  const backoff = resolveBackoff(options.retry)
  const retryingStore = retrying(store, backoff)
  try {
    await prepareTable(layout, retryingStore, create, drift === 'allow')
  } catch (error) {
    throw toStoreError(error)
  }
  const context: Context = {
    layout,
    store: retryingStore,
    isEmbedded: embedded !== undefined,
    backoff,
    environment: environmentOf(options),
    caps,
    cursorCipher: cipher,
    listener: listener && (event => traceScopeOf(listener(event))),
    state: { isClosed: false },
  }
  const handle = openedGraphOf(context)
  if (embedded?.startFollower && layout.design.stream !== 'none' && options.follow !== false)
    context.state.follower = await embedded.startFollower(handle)
  return handle as Opened<T, Tenant>
}

/** Throws when a value is not a store. */
export function assertStore(store: Store): void {
  if (typeof store?.getItem !== 'function' || typeof store.transactWriteItems !== 'function')
    throw new GraphError(
      'open.store',
      'open(): the second argument is not a store; give memory(), or dynamodb({ client }) of edgewise/aws.',
    )
}

const contexts = new WeakMap<object, Context>()

/** The context of an opened graph, for jobs on the whole table. */
export function contextOf(opened: object): Context {
  const context = contexts.get(opened)
  assertArgument(
    context !== undefined,
    '$layout' in Object(opened)
      ? 'graph: another copy of edgewise opened this graph; install only one copy (npm ls edgewise).'
      : 'graph: the argument is not an opened graph; give the result of open().',
  )
  return context!
}

function openedGraphOf(context: Context): object {
  const { state, layout } = context
  const close = async () => {
    state.isClosed = true
    await state.follower?.stop()
  }
  const $settled = async () => {
    if (layout.design.stream !== 'none' && !state.follower)
      throw new GraphError(
        'open.follow',
        '$settled(): this process does not follow the stream; wait in the process that does.',
      )
    await state.follower?.settled()
  }
  const $tenant = (tenant: string) => {
    if (!isNonEmptyText(tenant))
      throw new GraphError('call.tenant', '$tenant(): the tenant is not a non-empty text; give one.')
    return handlesOf({ ...context, tenant })
  }
  const handle = {
    ...(layout.design.tenant ? { $tenant } : handlesOf(context)),
    $close: close,
    [Symbol.asyncDispose]: close,
    $settled,
    $layout: layout,
  }
  contexts.set(handle, context)
  return handle
}

function handlesOf(context: Context): object {
  const { nodes, edges } = context.layout.graph.declared
  const handles = [...nodes, ...edges].map(type => [type.name, handleOf(context, type)])
  return { ...Object.fromEntries(handles), ...sessionOf(context) }
}

export function environmentOf({ clock = () => Date.now(), random = randomBytes }: OpenOptions): Environment {
  return { now: clock, random }
}

const POOL_BYTES = 4096
const randomPool = new Uint8Array(POOL_BYTES)
let usedBytes = POOL_BYTES

/** A single call for many random bytes costs about as much as a call for a few, so bytes are requested in bulk. */
function randomBytes(bytes: number): Uint8Array {
  if (usedBytes + bytes > POOL_BYTES) {
    crypto.getRandomValues(randomPool)
    usedBytes = 0
  }
  usedBytes += bytes
  return randomPool.slice(usedBytes - bytes, usedBytes)
}
