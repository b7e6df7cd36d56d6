import type { Call, Report, RunOptions } from '../../../../src/graph/types/call.js'
import type { Condition } from '../../../../src/graph/types/condition.js'
import type { Page, Rows } from '../../../../src/graph/types/query.js'
import { open } from '../../../../src/index.js'
import type { Clock } from '../../../../src/store/backoff.js'
import type { Store } from '../../../../src/store/port.js'
import { keyOf, type Row } from '../reference/identity.js'
import type { Model, Write } from '../reference/model.js'
import type { PathRead } from '../reference/reads.js'
import type { Schema } from '../schemas/random-schemas.js'
import { Choice } from './random-choice.js'

/** The handles of a graph that is known only when it runs. */
export interface AnyWrite extends Call<void> {
  if(condition: Condition<Record<string, never>>): AnyWrite
  ifEtag(etag: string): AnyWrite
  checkingEnds(): AnyWrite
  returning(which: 'old' | 'new'): Call<Row | undefined>
  run(options?: RunOptions): Promise<Report<void>>
}

export interface AnyQuery extends Rows<unknown> {
  where(where: Row): AnyQuery
  filter(condition: Condition<Record<string, never>>): AnyQuery
  reverse(): AnyQuery
  limit(rows: number): AnyQuery
  consistent(): AnyQuery
  only(...names: readonly string[]): AnyQuery
  nodes(): AnyQuery
  withNodes(): AnyQuery
  page(options?: { limit?: number; cursor?: string | undefined }): Call<Page<unknown>>
}

export interface AnyHandle {
  readonly by: Readonly<Record<string, (given?: unknown) => AnyQuery>>
  put(row: Row): AnyWrite
  create(row: Row): AnyWrite
  update(key: unknown, patch: Row): AnyWrite
  delete(key: unknown, options?: object): AnyWrite
  get(key: unknown, options?: object): Call<Row | undefined>
  many(keys: readonly unknown[]): Call<(Row | undefined)[]>
  exists(key: unknown): Call<boolean>
  scan(): AnyQuery
  collect(id: unknown, parts: Record<string, (id: unknown) => AnyQuery>): Call<Row>
}

export interface AnySession {
  $transact(calls: readonly Call<unknown>[], options?: RunOptions): Call<unknown[]>
  $batch(calls: readonly Call<unknown>[]): Call<unknown[]>
}

export type Handles = Readonly<Record<string, AnyHandle>> & AnySession

const TENANT = 'acme#'
/** A tenant whose rows have the same ids. */
export const OTHER_TENANT = 'acme'
export const tenantOf = ({ graph }: Schema) => (graph.tenant ? TENANT : undefined)

/** A clock that advances only by sleeping, so that tests never wait. */
export class ModelClock implements Clock {
  #now = 1_700_000_000_000

  now(): number {
    return this.#now
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted()
    this.#now += delayMs
  }
}

/** Opens the graph on a store, with time and randomness that follow from the seed. */
export async function opened(
  schema: Schema,
  store: Store,
  clock: ModelClock,
  seed: number,
  tenant = TENANT,
): Promise<Handles> {
  const choice = new Choice(seed)
  const random = (bytes: number) => Uint8Array.from({ length: bytes }, () => choice.below(256))
  const retry = { clock, random: () => choice.draw() }
  const made = await open(schema.layout ?? schema.graph, store, {
    create: true,
    clock: () => clock.now(),
    random,
    retry,
  })
  const handles = schema.graph.tenant
    ? (made as unknown as { $tenant(id: string): unknown }).$tenant(tenant)
    : (made as unknown)
  return handles as Handles
}

/** A write as a call. */
export function callOf(handles: Handles, model: Model, write: Write): AnyWrite {
  const { verb, type, row, patch = {}, edges, condition, checkingEnds } = write
  const handle = handles[type]!
  const key = keyOf(model.type(type), row)
  const calls = {
    create: () => handle.create(row),
    put: () => handle.put(row),
    update: () => handle.update(key, patch),
    delete: () => (edges ? handle.delete(key, { edges }) : handle.delete(key)),
  }
  const call = calls[verb]()
  const checked = checkingEnds ? call.checkingEnds() : call
  return condition ? checked.if(condition.condition) : checked
}

/** A read by a path as a query. */
export function queryOf(
  handles: Handles,
  { path, given, where, filter, reverse, limit, nodes, only, consistent }: PathRead,
  canBeConsistent = false,
): AnyQuery {
  let query = handles[path.type.name]!.by[path.name]!(given)
  if (where) query = query.where(where)
  if (filter) query = query.filter(filter.condition)
  if (reverse) query = query.reverse()
  if (limit !== undefined) query = query.limit(limit)
  if (consistent && canBeConsistent) query = query.consistent()
  if (only) query = query.only(...only)
  if (nodes === 'nodes') query = query.nodes()
  return nodes === 'joined' ? query.withNodes() : query
}
