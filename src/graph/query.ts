import type { Access } from '../layout/access.js'
import type { PathAsk } from '../plan/ask.js'
import { queryText } from '../plan/cursor.js'
import { isPointer } from '../plan/hydration.js'
import { kindOf, pathError, waysOf } from '../plan/identity.js'
import { placeOf } from '../plan/partition.js'
import type { Plan } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { planPath } from '../plan/read-path.js'
import { planScan } from '../plan/read-scan.js'
import { GraphError } from '../schema/error.js'
import { GraphCall } from './call.js'
import { written } from './condition.js'
import type { Context } from './context.js'
import type { CursorCipher } from './cursor-cipher.js'
import { given, givenNumber, objectOf, optionsOf } from './given.js'
import { read } from './reading.js'
import type { Sending } from './sending.js'
import type { Call } from './types/call.js'
import type { Condition } from './types/condition.js'
import type { EdgeQuery, Page, Rows } from './types/query.js'

/** The most rows that all() holds, where nothing else is said. */
const MOST_ROWS = 10_000
/** How many rows `for await` asks for at once: as many as one BatchGetItem hydrates. */
const PAGE_ROWS = 100

/** What is asked for: by a path, or of a whole type where it names none. */
export type Asked = Omit<PathAsk, 'path'> & { readonly path?: string }

/** A read that is put together call by call, and changes nothing of what it was made from. */
export class GraphQuery<T> implements EdgeQuery<T, unknown, readonly string[]> {
  constructor(
    readonly context: Context,
    readonly ask: Asked,
  ) {}

  where(where: object): this {
    const before = this.ask.where ?? {}
    // Of two ranges the later alone would be read by.
    for (const part in objectOf(where)) given(!(part in before), `give where() '${part}' once`)
    return this.with({ where: { ...before, ...where } })
  }

  filter(condition: Condition<never>): this {
    const { layout } = this.context
    const { type, path, filter: before } = this.ask
    const kind = kindOf(layout, type)
    const filter = written(layout, kind, condition)
    if (path) for (const way of waysOf(layout, kind.type, path)) refuseBlind(layout, way, condition)
    if (before) throw new GraphError('condition.invalid', `${type} has a filter: join the two by and()`, { type })
    return this.with({ filter })
  }

  only(...names: readonly PropertyKey[]): never {
    return this.with({ only: names.map(String) }) as never
  }

  reverse(): this {
    return this.with({ reverse: !this.ask.reverse })
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
    const { limit, type } = this.ask
    const { max = limit === undefined ? MOST_ROWS : undefined } = optionsOf(type, options, 'max')
    givenNumber(max, 'max')
    return this.some('all', limit, rows => rows, max)
  }

  first(): Call<T | undefined> {
    const { limit = 1 } = this.ask
    return this.some('first', Math.min(limit, 1), rows => rows[0])
  }

  page(options?: { limit?: number; cursor?: string | undefined }): Call<Page<T>> {
    const { limit: most, type } = this.ask
    const { limit = most ?? PAGE_ROWS, cursor } = optionsOf(type, options, 'limit, cursor')
    const least = Math.min(limit, most ?? limit)
    const { cursorCipher } = this.context
    if (!cursorCipher) return this.call('page', { limit: least, cursor }, read) as Call<Page<T>>
    const shown = cursor === undefined ? undefined : ({ late: 'cursor' } as const)
    return this.call('page', { limit: least, cursor: shown }, sending =>
      this.sealedPage(sending, cursorCipher, least, cursor),
    )
  }

  count(): Call<number> {
    const { limit = Number.POSITIVE_INFINITY } = this.ask
    // Of many, DynamoDB counts all and sends none; a few are read, and no more of them.
    return limit > MOST_ROWS
      ? this.call('count', { count: true }, async (sending, plan) =>
          Math.min((await read(sending, plan)) as number, limit),
        )
      : this.with({ nodes: undefined }).some('count', limit, rows => rows.length)
  }

  /** A read that does not say how many rows it wants is no promise: awaited, it would be answered by itself. */
  // biome-ignore lint/suspicious/noThenProperty: only so can an await of it be refused
  then(done?: ((value: never) => unknown) | null, failed?: ((reason: unknown) => unknown) | null): Promise<unknown> {
    const { type, path } = this.ask
    const name = path ? `${type}.by.${path}()` : `${type}.scan()`
    const unfinished = new GraphError(
      'read.unfinished',
      `${name} was awaited before it was finished; end it with all(), first(), page() or count(), or loop over it with for await`,
      { type, ...(path && { name: path }) },
    )
    return Promise.reject(unfinished).then(done, failed)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    let left = this.ask.limit ?? Number.POSITIVE_INFINITY
    let cursor: string | undefined
    do {
      const page: Page<T> = await this.page({ limit: Math.min(left, PAGE_ROWS), cursor })
      yield* page.items
      left -= page.items.length
      cursor = page.cursor
    } while (cursor && left > 0)
  }

  private with(more: Partial<Asked>): this {
    return new GraphQuery<T>(this.context, { ...this.ask, ...more }) as this
  }

  /** So many rows, page after page: what a page finds may be gone by the time that it is read whole. */
  private some<R>(verb: string, limit: number | undefined, shaped: (rows: T[]) => R, max?: number): Call<R> {
    return this.call(verb, { limit }, async (sending, plan) => {
      let page = (await read(sending, plan, max)) as Page<T>
      let rows = page.items as T[]
      // Without a limit the first read goes to the end.
      while (page.cursor && rows.length < limit!) {
        page = (await read(sending, this.plan({ limit: limit! - rows.length, cursor: page.cursor }))) as Page<T>
        rows = rows.concat(page.items)
      }
      return shaped(rows)
    })
  }

  /** A page whose cursors are encrypted, and bound to this query of this tenant. */
  private async sealedPage(
    sending: Sending,
    cipher: CursorCipher,
    limit: number,
    cursor: string | undefined,
  ): Promise<Page<T>> {
    const { type, path } = this.ask
    const { steps } = this.plan({ limit })
    const pages = steps.filter(step => step.pages)
    const query = JSON.stringify([type, path ?? '', this.context.tenant ?? '', queryText(pages)])
    const plain = cursor === undefined ? undefined : await cipher.open(cursor, query)
    const page = (await read(sending, this.plan({ limit, cursor: plain }))) as Page<T>
    return { ...page, cursor: page.cursor === undefined ? undefined : await cipher.seal(page.cursor, query) }
  }

  private call<R>(verb: string, more: Partial<Asked>, run: (sending: Sending, plan: Plan) => Promise<R>): Call<R> {
    const { type, path } = this.ask
    const plan = (sizes?: Sizes) => this.plan(more, sizes)
    return new GraphCall<R>(this.context, {
      name: `${type}.${path ? `by.${path}` : 'scan'}.${verb}`,
      plan,
      run: sending => run(sending, plan()),
    })
  }

  private plan({ limit, cursor, count }: Partial<Asked>, sizes?: Sizes): Plan {
    const { layout, tenant, surroundings } = this.context
    const { type, path, given: start, where, reverse, filter, nodes, only, consistent } = this.ask
    // Always of one form, which a spread of what was asked would not be: that costs more than the rest of a plan.
    const ask = {
      type,
      path: path!,
      given: start,
      where,
      reverse,
      limit: limit ?? this.ask.limit,
      filter,
      nodes,
      only,
      consistent,
      count,
      cursor,
      sizes,
      tenant,
      nowMs: surroundings.now(),
    }
    if (path) return planPath(layout, ask)
    given(!where && !nodes, 'a scan takes filter(), not where() or nodes')
    return planScan(layout, ask)
  }
}

/** What an entry, or a mirror whose key tells it, does not hold cannot be filtered: nothing would be found, without a word. */
function refuseBlind(layout: Context['layout'], access: Access, condition: Condition<never>): void {
  const { partition, sort } = placeOf(layout, access.index)
  const tested = Object.values(written(layout, access.kind, condition).names)
  if ([...partition, ...sort].some(key => tested.includes(key)))
    throw pathError('condition.key', access, 'is read by what the filter tests: give it in where()')
  if (isPointer(layout, access))
    throw pathError('read.filter', access, 'finds entries without attributes: filter what it answers')
}
