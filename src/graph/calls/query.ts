import type { Access } from '../../layout/access/access.js'
import { accessesOfPath, ownKindByName, pathError } from '../../plan/identity.js'
import type { Plan } from '../../plan/plan.js'
import type { Sizes } from '../../plan/price/read-price.js'
import { queryText } from '../../plan/read/cursor.js'
import { readsPointers } from '../../plan/read/hydration.js'
import type { PathQuery } from '../../plan/read/options.js'
import { queryTargetOf } from '../../plan/read/partition.js'
import { planPath } from '../../plan/read/path.js'
import { planScan } from '../../plan/read/scan.js'
import { GraphError } from '../../schema/error.js'
import { assertArgument, assertNumber, assertObject, parseOptions } from '../arguments.js'
import type { Context } from '../context.js'
import type { RequestSender } from '../run/request-sender.js'
import { runRead } from '../run/run-read.js'
import type { Call } from '../types/call.js'
import type { Condition } from '../types/condition.js'
import type { EdgeQuery, Page, Rows } from '../types/query.js'
import { GraphCall } from './call.js'
import { compileCondition } from './condition.js'
import type { CursorCipher } from './cursor-cipher.js'

/** The default limit of rows that `all()` collects. */
const MAX_ROWS = 10_000
/** The page size of `for await`: the number of rows that one BatchGetItem hydrates. */
const PAGE_ROWS = 100

/** A query by a path, or on a whole type when it has no path. */
export type RowQuery = Omit<PathQuery, 'path'> & { readonly path?: string }

/** An immutable query. Each method returns a new query. */
export class GraphQuery<T> implements EdgeQuery<T, unknown, readonly string[]> {
  constructor(
    readonly context: Context,
    readonly query: RowQuery,
  ) {}

  where(where: object): this {
    const before = this.query.where ?? {}
    // The last of two ranges would silently replace the first.
    for (const part in assertObject(where))
      assertArgument(!(part in before), `where(): '${part}' is given twice; give each part once.`)
    return this.with({ where: { ...before, ...where } })
  }

  filter(condition: Condition<never>): this {
    const { layout } = this.context
    const { type, path, filter: before } = this.query
    const kind = ownKindByName(layout, type)
    const filter = compileCondition(layout, kind, condition)
    if (path) for (const way of accessesOfPath(layout, kind.type, path)) assertFilterable(layout, way, condition)
    if (before)
      throw new GraphError(
        'condition.invalid',
        `${type}: the read already has a filter; join the two conditions by and().`,
        {
          type,
        },
      )
    return this.with({ filter })
  }

  only(...names: readonly PropertyKey[]): never {
    return this.with({ only: names.map(String) }) as never
  }

  reverse(): this {
    return this.with({ reverse: !this.query.reverse })
  }

  limit(limit: number): this {
    return this.with({ limit })
  }

  consistent(): this {
    return this.with({ consistent: true })
  }

  nodes(): Rows<unknown> {
    return this.with({ nodes: 'nodes' })
  }

  withNodes(): never {
    return this.with({ nodes: 'joined' }) as never
  }

  all(options?: { readonly max?: number | undefined }): Call<T[]> {
    const { limit, type } = this.query
    const { max = limit === undefined ? MAX_ROWS : undefined } = parseOptions(type, options, 'max')
    assertNumber(max, 'max')
    return this.readRows('all', limit, rows => rows, max)
  }

  first(): Call<T | undefined> {
    const { limit = 1 } = this.query
    return this.readRows('first', Math.min(limit, 1), rows => rows[0])
  }

  page(options?: { limit?: number; cursor?: string | undefined }): Call<Page<T>> {
    const { limit: queryLimit, type } = this.query
    const { limit = queryLimit ?? PAGE_ROWS, cursor } = parseOptions(type, options, 'limit, cursor')
    const pageLimit = Math.min(limit, queryLimit ?? limit)
    const { cursorCipher } = this.context
    if (!cursorCipher) return this.call('page', { limit: pageLimit, cursor }, runRead) as Call<Page<T>>
    const deferredCursor = cursor === undefined ? undefined : ({ deferred: 'cursor' } as const)
    return this.call('page', { limit: pageLimit, cursor: deferredCursor }, sender =>
      this.sealedPage(sender, cursorCipher, pageLimit, cursor),
    )
  }

  count(): Call<number> {
    const { limit = Number.POSITIVE_INFINITY } = this.query
    // For a high limit, DynamoDB counts all rows and returns none; for a low limit, the query reads rows and
    // stops at the limit.
    return limit > MAX_ROWS
      ? this.call('count', { count: true }, async (sender, plan) =>
          Math.min((await runRead(sender, plan)) as number, limit),
        )
      : this.with({ nodes: undefined }).readRows('count', limit, rows => rows.length)
  }

  /**
   * A query without a terminal method is not a promise, so that `await` does not run it unnoticed. The `then` method
   * makes the `await` throw.
   */
  // biome-ignore lint/suspicious/noThenProperty: an await of a query must throw
  then(done?: ((value: never) => unknown) | null, failed?: ((reason: unknown) => unknown) | null): Promise<unknown> {
    const { type, path } = this.query
    const name = path ? `${type}.by.${path}()` : `${type}.scan()`
    const unfinished = new GraphError(
      'read.unfinished',
      `${name}: the read has no end, so it cannot be awaited; end it with all(), first(), page() or count(), or loop over it with for await.`,
      { type, ...(path && { name: path }) },
    )
    return Promise.reject(unfinished).then(done, failed)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    let remaining = this.query.limit ?? Number.POSITIVE_INFINITY
    let cursor: string | undefined
    do {
      const page: Page<T> = await this.page({ limit: Math.min(remaining, PAGE_ROWS), cursor })
      yield* page.items
      remaining -= page.items.length
      cursor = page.cursor
    } while (cursor && remaining > 0)
  }

  private with(more: Partial<RowQuery>): this {
    return new GraphQuery<T>(this.context, { ...this.query, ...more }) as this
  }

  /** Reads up to `limit` rows over several pages, because rows of a page may be gone before they are hydrated. */
  private readRows<R>(verb: string, limit: number | undefined, shaped: (rows: T[]) => R, max?: number): Call<R> {
    return this.call(verb, { limit }, async (sender, plan) => {
      let page = (await runRead(sender, plan, max)) as Page<T>
      let rows = page.items as T[]
      // Without a limit the first read reaches the last page.
      while (page.cursor && rows.length < limit!) {
        page = (await runRead(sender, this.plan({ limit: limit! - rows.length, cursor: page.cursor }))) as Page<T>
        rows = rows.concat(page.items)
      }
      return shaped(rows)
    })
  }

  /** Reads a page with encrypted cursors, which are bound to the query and the tenant. */
  private async sealedPage(
    sender: RequestSender,
    cipher: CursorCipher,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<T>> {
    const { type, path } = this.query
    const { steps } = this.plan({ limit })
    const pages = steps.filter(step => step.pages)
    const query = JSON.stringify([type, path ?? '', this.context.tenant ?? '', queryText(pages)])
    const plain = cursor === undefined ? undefined : await cipher.open(cursor, query)
    const page = (await runRead(sender, this.plan({ limit, cursor: plain }))) as Page<T>
    return { ...page, cursor: page.cursor === undefined ? undefined : await cipher.seal(page.cursor, query) }
  }

  private call<R>(
    verb: string,
    more: Partial<RowQuery>,
    run: (sender: RequestSender, plan: Plan) => Promise<R>,
  ): Call<R> {
    const { type, path } = this.query
    const plan = (sizes?: Sizes) => this.plan(more, sizes)
    return new GraphCall<R>(this.context, {
      name: `${type}.${path ? `by.${path}` : 'scan'}.${verb}`,
      plan,
      run: sender => run(sender, plan()),
    })
  }

  private plan({ limit, cursor, count }: Partial<RowQuery>, sizes?: Sizes): Plan {
    const { layout, tenant, environment } = this.context
    const { type, path, start, where, reverse, filter, nodes, only, consistent } = this.query
    // The object always has the same shape. A spread of the query would vary the shape, which costs more than
    // the rest of the plan.
    const request = {
      type,
      path: path!,
      start,
      where,
      reverse,
      limit: limit ?? this.query.limit,
      filter,
      nodes,
      only,
      consistent,
      count,
      cursor,
      sizes,
      tenant,
      nowMs: environment.now(),
    }
    if (path) return planPath(layout, request)
    assertArgument(!where && !nodes, 'scan: a scan has no where() and no nodes(); use filter().')
    return planScan(layout, request)
  }
}

/**
 * Rejects a filter on attributes that the index entry or the mirror does not hold, because the filter would silently
 * match nothing.
 */
function assertFilterable(layout: Context['layout'], access: Access, condition: Condition<never>): void {
  const { partition, sort } = queryTargetOf(layout, access.index)
  const testedNames = Object.values(compileCondition(layout, access.kind, condition).names)
  if ([...partition, ...sort].some(key => testedNames.includes(key)))
    throw pathError('condition.key', access, 'the filter tests a part of the key; give this part in where()')
  if (readsPointers(layout, access))
    throw pathError(
      'read.filter',
      access,
      'the entries of the path have no attributes that a filter can test; filter the returned rows',
    )
}
