import type { Layout } from '../layout/layout.js'
import { layoutIn, layoutOf } from '../layout/layout.js'
import type { Surroundings } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { backoffSettings } from '../store/backoff.js'
import type { Store } from '../store/port.js'
import { type RetryingOptions, retrying } from '../store/retrying.js'
import { checkTableName } from '../table/definition.js'
import { type Caps, type Context, type Following, type Listener, scopeOf } from './context.js'
import { cursorCipher } from './cursor-cipher.js'
import { capsOf, givenFunction, isText, optionsOf, given as refuse } from './given.js'
import { handleOf } from './handle.js'
import { storeError } from './sending.js'
import { sessionOf } from './session.js'
import { prepare } from './table.js'
import type { Opened } from './types/opened.js'

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
  readonly listener?: Listener | undefined
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

type Follow = (opened: object) => Following | Promise<Following>

/** A graph, or its layout, in a table of a store: all that was declared, to be called. */
export async function open<T extends AnyType, Tenant extends boolean>(
  what: Graph<T, Tenant> | Layout<T, Tenant>,
  store: Store,
  options: OpenOptions = {},
): Promise<Opened<T, Tenant>> {
  const given = layoutOf(what)
  checkStore(store)
  optionsOf('open', options, 'table, create, drift, caps, retry, listener, follow, cursorKey, clock, random')
  const embedded = (store as { readonly [EMBEDDED]?: unknown })[EMBEDDED]
  const { table = given.design.name, create = !!embedded, listener, drift } = options
  const caps = capsOf(options.caps)
  for (const name of ['listener', 'clock', 'random'] as const) givenFunction(options[name], name)
  optionsOf('retry', options.retry, Object.keys(backoffSettings()).join(', '))
  checkTableName(table)
  const cipher = await cursorCipher(options.cursorKey)
  const layout = layoutIn(given, table)
  const backoff = backoffSettings(options.retry)
  const own = retrying(store, backoff)
  try {
    await prepare(layout, own, create, drift === 'allow')
  } catch (error) {
    throw storeError(error)
  }
  const context: Context = {
    layout,
    store: own,
    embedded,
    backoff,
    surroundings: surroundingsOf(options),
    caps,
    cursorCipher: cipher,
    listener: listener && (begun => scopeOf(listener(begun))),
    state: { closed: false },
  }
  const made = opened(context)
  if (typeof embedded === 'function' && layout.design.stream !== 'none' && options.follow !== false)
    context.state.following = await (embedded as Follow).call(store, made)
  return made as Opened<T, Tenant>
}

/** Refuses what no graph can be kept in. */
export function checkStore(store: Store): void {
  if (typeof store?.getItem !== 'function' || typeof store.transactWriteItems !== 'function')
    throw new GraphError('open.store', `give memory(), or dynamodb({ client }) of edgewise/aws`)
}

const contexts = new WeakMap<object, Context>()

/** What the calls of an opened graph share: for jobs over the whole of it. */
export function contextOf(opened: object): Context {
  const context = contexts.get(opened)
  refuse(
    context !== undefined,
    '$layout' in Object(opened)
      ? 'this graph was opened by another copy of edgewise than this one: see that one is installed (npm ls edgewise)'
      : 'this is no graph that was opened: give what open() answered',
  )
  return context!
}

function opened(context: Context): object {
  const { state, layout } = context
  const close = async () => {
    state.closed = true
    await state.following?.stop()
  }
  const $settled = async () => {
    if (layout.design.stream !== 'none' && !state.following)
      throw new GraphError('open.follow', 'nothing here follows the stream: ask who does')
    await state.following?.settled()
  }
  const $tenant = (tenant: string) => {
    if (!isText(tenant)) throw new GraphError('call.tenant', 'a tenant is a text that is not empty: give one')
    return handlesOf({ ...context, tenant })
  }
  const made = {
    ...(layout.design.tenant ? { $tenant } : handlesOf(context)),
    $close: close,
    [Symbol.asyncDispose]: close,
    $settled,
    $layout: layout,
  }
  contexts.set(made, context)
  return made
}

function handlesOf(context: Context): object {
  const { nodes, edges } = context.layout.graph.declared
  const handles = [...nodes, ...edges].map(type => [type.name, handleOf(context, type)])
  return { ...Object.fromEntries(handles), ...sessionOf(context) }
}

export function surroundingsOf({ clock = () => Date.now(), random = randomBytes }: OpenOptions): Surroundings {
  return { now: clock, random }
}

const POOL_BYTES = 4096
const pool = new Uint8Array(POOL_BYTES)
let used = POOL_BYTES

/** Asking for many bytes at once costs as much as for a few. */
function randomBytes(bytes: number): Uint8Array {
  if (used + bytes > POOL_BYTES) {
    crypto.getRandomValues(pool)
    used = 0
  }
  used += bytes
  return pool.slice(used - bytes, used)
}
