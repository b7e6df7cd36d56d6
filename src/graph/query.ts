import type { Page as FoundPage } from '../plan/answer.js'
import type { PathAsk, PathRead } from '../plan/ask.js'
import { isPartial } from '../plan/hydration.js'
import { ownKind, typeOf } from '../plan/identity.js'
import type { Plan } from '../plan/plan.js'
import type { Sizes } from '../plan/price.js'
import { accessNamed, planPath } from '../plan/read-path.js'
import { planScan } from '../plan/read-scan.js'
import { GraphError } from '../schema/error.js'
import { GraphCall } from './call.js'
import { written } from './condition.js'
import type { Context } from './context.js'
import { given, isFrom } from './given.js'
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
    private readonly context: Context,
    private readonly ask: Asked,
  ) {}

  where(where: object): this {
    return this.with({ where: { ...this.ask.where, ...where } })
  }

  filter(condition: Condition<never>): this {
    const { layout } = this.context
    const { type, path, filter: before } = this.ask
    const kind = path === undefined ? ownKind(layout, typeOf(layout, type)) : accessNamed(layout, type, path).kind
    const filter = written(layout, kind, condition)
    if (path !== undefined) refuseBlind(layout, type, path, Object.values(filter.names ?? {}))
    if (before)
      throw new GraphError('condition.invalid', `${type} has a filter already: join the two by and()`, { type })
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

  all({ max = MOST_ROWS }: { readonly max?: number } = {}): Call<T[]> {
    given(isFrom(max, 0), 'max is a number of rows')
    const { limit } = this.ask
    return limit === undefined
      ? this.call('all', {}, ({ items }: Page<T>) => items as T[], max)
      : this.some('all', limit, rows => rows)
  }

  first(): Call<T | undefined> {
    return this.some('first', 1, rows => rows[0])
  }

  page({
    limit = this.ask.limit ?? PAGE_ROWS,
    cursor,
  }: {
    limit?: number
    cursor?: string | undefined
  } = {}): Call<Page<T>> {
    return this.call('page', { limit, cursor }, (page: Page<T>) => page)
  }

  count(): Call<number> {
    const { limit = Number.POSITIVE_INFINITY } = this.ask
    // Of many, DynamoDB counts all and sends none; a few are read, and no more of them.
    return limit > MOST_ROWS
      ? this.call('count', { count: true }, (counted: number) => Math.min(counted, limit))
      : this.with({ nodes: undefined }).some('count', limit, rows => rows.length)
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    let left = this.ask.limit ?? Number.POSITIVE_INFINITY
    let cursor: string | undefined
    do {
      const page: Page<T> = await this.page({ limit: Math.min(left, PAGE_ROWS), cursor })
      yield* page.items
      left -= page.items.length
      cursor = page.cursor
    } while (cursor !== undefined && left > 0)
  }

  /** What it reads beside the node that it starts at. */
  part(): PathRead {
    return this.ask as PathRead
  }

  private with(more: Partial<Asked>): this {
    return new GraphQuery<T>(this.context, { ...this.ask, ...more }) as this
  }

  /** So many rows, page after page: what a page finds may be gone by the time that it is read whole. */
  private some<R>(verb: string, limit: number, shaped: (rows: T[]) => R): Call<R> {
    const plan = (sizes?: Sizes) => this.plan({ limit }, sizes)
    const run = async (sending: Sending) => {
      const { items, cursor: next } = (await read(sending, plan())) as Page<T>
      const rows = items as T[]
      for (let cursor = next; cursor !== undefined && rows.length < limit; ) {
        const page = (await read(sending, this.plan({ limit: limit - rows.length, cursor }, undefined))) as Page<T>
        rows.push(...page.items)
        cursor = page.cursor
      }
      return shaped(rows)
    }
    return new GraphCall<R>(this.context, { name: this.named(verb), plan, run })
  }

  private named(verb: string): string {
    const { type, path } = this.ask
    return `${type}.${path === undefined ? 'scan' : `by.${path}`}.${verb}`
  }

  private call<A extends FoundPage | number, R>(
    verb: string,
    more: Partial<Asked>,
    shaped: (answer: A) => R,
    mostRows?: number,
  ): Call<R> {
    const plan = (sizes?: Sizes) => this.plan(more, sizes)
    return new GraphCall<R>(this.context, {
      name: this.named(verb),
      plan,
      run: async sending => shaped((await read(sending, plan(), mostRows)) as A),
    })
  }

  private plan({ limit, cursor, count }: Partial<Asked>, sizes: Sizes | undefined): Plan {
    const { layout, tenant, surroundings } = this.context
    const { type, path, given: start, where, reverse, filter, nodes, only, consistent } = this.ask
    const nowMs = surroundings.now()
    const most = limit ?? this.ask.limit
    // Always of one form, which a spread of what was asked would not be: that costs more than the rest of a plan.
    const ask = {
      type,
      path: path!,
      given: start,
      where,
      reverse,
      limit: most,
      filter,
      nodes,
      only,
      consistent,
      count,
      cursor,
      sizes,
      tenant,
      nowMs,
    }
    return path === undefined ? planScan(layout, ask) : planPath(layout, ask)
  }
}

/** What an entry does not hold cannot be filtered: nothing would be found, without a word. */
function refuseBlind(layout: Context['layout'], type: string, path: string, tested: readonly string[]): void {
  const access = accessNamed(layout, type, path)
  const index = layout.design.indexes.find(({ name }) => name === access.index)
  if (index && tested.some(name => index.partition.includes(name) || index.sort.includes(name)))
    throw new GraphError('condition.key', `${type}.by.${path} is read by what the filter tests: give it in where()`, {
      type,
      name: path,
    })
  if (access.kind.role === 'facet' || isPartial(layout, access))
    throw new GraphError(
      'read.filter',
      `${type}.by.${path} finds entries that do not hold the attributes: filter what all() or for await answers`,
      { type, name: path },
    )
}
