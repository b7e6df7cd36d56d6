import { parseOptions } from '../graph/arguments.js'
import type { AsyncDisposal } from '../graph/types/disposal.js'
import { type Layout, layoutOf } from '../layout/layout.js'
import type { AnyType, Graph } from '../schema/graph.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import type { ProgramContext } from './algorithms/graph-tables.js'
import { type Dialect, duckdbDialect } from './dialect.js'
import { Database, type DatabaseOptions, type SqlRow } from './duckdb.js'
import { PHYSICAL } from './sources/item-table.js'
import { loadSource } from './sources/load-source.js'
import type { BatchSource, LoadedItems } from './sources/source.js'
import { sqlLiteral } from './sql-text.js'
import { createView, indexViews, type TypeView, typeViews } from './views/create-views.js'

/** The source of a batch, and its limits of memory and threads. */
export interface BatchOptions extends DatabaseOptions {
  /**
   * The folder or `s3://bucket/prefix` URL of an export or a dump, a full export with its incremental exports, or
   * `{ store }` for a live table.
   */
  readonly from: BatchSource
  /** The current time in milliseconds since 1970. */
  readonly clock?: (() => number) | undefined
  readonly signal?: AbortSignalLike | undefined
}

const BATCH_OPTIONS = 'from, threads, memory, temporaryFolder, clock, signal'

/** A format that `copy` writes. */
export type CopyFormat = 'csv' | 'json' | 'parquet'

/**
 * The items of a source as tables of SQL: one view per type of node and edge, `physical.items`, and one per index.
 *
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { openBatch } from 'edgewise/batch'
 * import { memory } from 'edgewise/engine'
 *
 * const app = graph('app', [node('user', { id: string() }, { id: 'id' })])
 * const store = memory()
 * await open(app, store)
 * await using data = await openBatch(app, { from: { store } })
 * console.log(await data.rows('SELECT id FROM user'))
 * ```
 */
export class BatchData {
  /** @internal */
  constructor(
    /** @internal */
    readonly layout: Layout,
    /** @internal */
    readonly database: Database,
    /** @internal */
    readonly dialect: Dialect,
    /** @internal */
    readonly views: readonly TypeView[],
    private readonly loaded: LoadedItems,
  ) {}

  /** The number of items that were read. */
  get items(): number {
    return this.loaded.items
  }

  /** The moment of the data: that of an export, or the start of a Scan. */
  get moment(): Date {
    return new Date(this.loaded.moment)
  }

  /** Read capacity units that were used; 0 of files. */
  get readUnits(): number {
    return this.loaded.readUnits
  }

  /**
   * Runs a query and resolves to its rows.
   *
   * @throws {batch.sql} if the statement is invalid.
   */
  rows(sql: string): Promise<SqlRow[]> {
    return this.database.rows(sql)
  }

  /** Runs a query and yields its rows in chunks, for results that are larger than memory. */
  async *chunks(sql: string): AsyncGenerator<SqlRow[]> {
    yield* (await this.database.query(sql)).chunks
  }

  /** Runs statements without rows, for example to create a table for later queries. */
  run(sql: string): Promise<void> {
    return this.database.run(sql)
  }

  /** Writes the rows of a query to a file. Resolves to their number. */
  async copy(sql: string, path: string, format: CopyFormat): Promise<number> {
    const options = format === 'csv' ? 'FORMAT csv, HEADER' : `FORMAT ${format}`
    const [written] = await this.database.rows(`COPY (${withoutEnd(sql)}) TO ${sqlLiteral(path)} (${options})`)
    return written!.Count as number
  }

  /** Frees the tables. Queries that run are interrupted and reject. */
  close(): void {
    void this.database.close()
  }
}

/** The context of the statements of a batch. */
export const programContextOf = ({ layout, dialect, views, moment }: BatchData): ProgramContext => ({
  layout,
  dialect,
  views,
  momentMs: moment.getTime(),
})

/** A query within another statement cannot have a semicolon at its end. */
const withoutEnd = (sql: string) => sql.trim().replace(/;+$/, '')

/**
 * Reads the items of a source into an SQL database in this process.
 *
 * @param graphOrLayout A graph or its layout.
 * @throws {batch.duckdb} if `@duckdb/node-api` is not installed.
 * @throws {batch.s3} if `from` is an `s3://` URL and `@aws-sdk/client-s3` is not installed.
 * @throws {batch.source} if a file is missing or damaged.
 * @example
 * ```ts
 * import { edge, graph, node, open, string } from 'edgewise'
 * import { openBatch } from 'edgewise/batch'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { id: string() }, { id: 'id' })
 * const social = graph('social', [user, edge('follow', { follower: user, followed: user })])
 * const store = memory()
 * const g = await open(social, store)
 * await g.user.put({ id: 'ann' })
 * await using data = await openBatch(social, { from: { store } })
 * console.log(await data.rows('SELECT count(*) AS users FROM user'))
 * ```
 */
export async function openBatch<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  options: BatchOptions,
): Promise<BatchData & AsyncDisposal> {
  parseOptions('openBatch', options, BATCH_OPTIONS)
  const { from, clock = Date.now, signal, ...settings } = options
  const layout = layoutOf(graphOrLayout)
  const database = await Database.open(settings)
  try {
    const reader = { database, dialect: duckdbDialect, layout }
    const loaded = await loadSource(reader, from, clock(), { signal, temporaryFolder: settings.temporaryFolder })
    const views = typeViews(reader, Date.parse(loaded.moment))
    for (const { name, sql } of views) await database.run(createView(name, sql))
    for (const { name, sql } of indexViews(reader)) await database.run(createView(name, sql, PHYSICAL))
    const data = new BatchData(layout, database, duckdbDialect, views, loaded)
    return Object.assign(data, { [Symbol.asyncDispose]: () => database.close() })
  } catch (error) {
    await database.close()
    throw error
  }
}
