import type { Layout } from '../layout/layout.js'
import { layoutOf, withTableName } from '../layout/layout.js'
import type { Environment } from '../schema/declarations.js'
import { GraphError } from '../schema/error.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { resolveBackoff } from '../store/backoff.js'
import type { Store } from '../store/port.js'
import { type RetryingOptions, retrying } from '../store/retry.js'
import { checkTableName } from '../table/table-definition.js'
import { assertArgument, assertFunction, isNonEmptyText, parseCaps, parseOptions } from './arguments.js'
import { createCursorCipher } from './calls/cursor-cipher.js'
import { handleOf } from './calls/handle.js'
import { sessionOf } from './calls/session.js'
import { type Caps, type Context, type DerivedDataFollower, type TraceListener, traceScopeOf } from './context.js'
import { toStoreError } from './run/request-sender.js'
import { prepareTable } from './table-setup/prepare.js'
import type { Opened } from './types/opened-graph.js'

/** How a graph is opened. */
export interface OpenOptions {
  /** The name of the table; that of the graph unless said. */
  readonly table?: string | undefined
  /** Makes the table where it is missing. An embedded store does so unless told not to. */
  readonly create?: boolean | undefined
  /** Whether a table that was written under another layout is taken as it is: for writers beside a backfill. */
  readonly drift?: 'refuse' | 'allow' | undefined
  /** The most that any one call may take. */
  readonly caps?: Caps | undefined
  /** How throttled and lost requests are tried again, and writes that others came before. */
  readonly retry?: RetryingOptions | undefined
  /** Told of every call and every request. */
  readonly listener?: TraceListener | undefined
  /** Whether an embedded store keeps copies and counters by itself, in this process: it does unless told not to. */
  readonly follow?: boolean | undefined
  /**
   * Encrypts and authenticates cursors: a secret of 32 bytes, or a list of them, of which the first encrypts and all
   * decrypt. Without it a cursor shows the keys of the row that it follows.
   */
  readonly cursorKey?: Uint8Array | readonly Uint8Array[] | undefined
  /** Milliseconds since 1970. */
  readonly clock?: (() => number) | undefined
  /** Bytes for etags and ulids; `crypto.getRandomValues` unless said. */
  readonly random?: ((bytes: number) => Uint8Array) | undefined
}

/**
 * A store that lives in this process says so: there a table is made without being asked for. Where it says so by a
 * function, that keeps what the stream is to keep of a graph that is opened on it.
 */
const EMBEDDED = Symbol.for('edgewise.embedded')

type StartFollower = (opened: object) => DerivedDataFollower | Promise<DerivedDataFollower>

/** A graph, or its layout, in a table of a store: all that was declared, to be called. */
export async function open<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  store: Store,
  options: OpenOptions = {},
): Promise<Opened<T, Tenant>> {
  const declaredLayout = layoutOf(graphOrLayout)
  assertStore(store)
  parseOptions('open', options, 'table, create, drift, caps, retry, listener, follow, cursorKey, clock, random')
  const embedded = (store as { readonly [EMBEDDED]?: unknown })[EMBEDDED]
  const { table = declaredLayout.design.name, create = !!embedded, listener, drift } = options
  const caps = parseCaps(options.caps)
  for (const name of ['listener', 'clock', 'random'] as const) assertFunction(options[name], name)
  parseOptions('retry', options.retry, Object.keys(resolveBackoff()).join(', '))
  checkTableName(table)
  const cipher = await createCursorCipher(options.cursorKey)
  const layout = withTableName(declaredLayout, table)
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
    embedded,
    backoff,
    environment: environmentOf(options),
    caps,
    cursorCipher: cipher,
    listener: listener && (event => traceScopeOf(listener(event))),
    state: { isClosed: false },
  }
  const handle = openedGraphOf(context)
  if (typeof embedded === 'function' && layout.design.stream !== 'none' && options.follow !== false)
    context.state.follower = await (embedded as StartFollower).call(store, handle)
  return handle as Opened<T, Tenant>
}

/** Refuses what no graph can be kept in. */
export function assertStore(store: Store): void {
  if (typeof store?.getItem !== 'function' || typeof store.transactWriteItems !== 'function')
    throw new GraphError('open.store', `give memory(), or dynamodb({ client }) of edgewise/aws`)
}

const contexts = new WeakMap<object, Context>()

/** What the calls of an opened graph share: for jobs over the whole of it. */
export function contextOf(opened: object): Context {
  const context = contexts.get(opened)
  assertArgument(
    context !== undefined,
    '$layout' in Object(opened)
      ? 'this graph was opened by another copy of edgewise than this one: see that one is installed (npm ls edgewise)'
      : 'this is no graph that was opened: give what open() answered',
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
      throw new GraphError('open.follow', 'nothing here follows the stream: ask who does')
    await state.follower?.settled()
  }
  const $tenant = (tenant: string) => {
    if (!isNonEmptyText(tenant)) throw new GraphError('call.tenant', 'a tenant is a text that is not empty: give one')
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

/** Asking for many bytes at once costs as much as for a few. */
function randomBytes(bytes: number): Uint8Array {
  if (usedBytes + bytes > POOL_BYTES) {
    crypto.getRandomValues(randomPool)
    usedBytes = 0
  }
  usedBytes += bytes
  return randomPool.slice(usedBytes - bytes, usedBytes)
}
