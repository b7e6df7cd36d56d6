import { GraphError } from '../schema/error.js'

type DuckDB = typeof import('@duckdb/node-api')
type Connection = import('@duckdb/node-api').DuckDBConnection
type Instance = import('@duckdb/node-api').DuckDBInstance
type Result = import('@duckdb/node-api').DuckDBResult

/** A row of a query, by column name. */
export type SqlRow = Readonly<Record<string, unknown>>

/** A value that is appended to a table. */
export type SqlValue = string | boolean | number | null

/** The result of a query. Its chunks are read once. */
export interface QueryResult {
  readonly columns: readonly string[]
  readonly chunks: AsyncGenerator<SqlRow[]>
}

/** How much of the machine a batch may use. */
export interface DatabaseOptions {
  /** Threads that run a query; by default one per core. */
  readonly threads?: number | undefined
  /** The memory that tables and queries may use, such as `'600MB'`; excess data moves to disk. The default is 80% of the machine. */
  readonly memory?: string | undefined
  /** The folder in which data that exceeds `memory` gets a folder of its own; by default the system's for temporary files. */
  readonly temporaryFolder?: string | undefined
}

const INSTALL = 'npm install @duckdb/node-api@^1.5.6-r.1'

async function loadDuckDB(): Promise<DuckDB> {
  try {
    return await import('@duckdb/node-api')
  } catch (error) {
    if ((error as { code?: string }).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new GraphError('batch.duckdb', `batch: the package '@duckdb/node-api' is not installed; run '${INSTALL}'.`)
  }
}

const INTERRUPT_MS = 20

/** An SQL database in this process. `close` discards its tables. */
export class Database {
  /** Calls of the connection that have not returned. Closing it under one of them ends the process. */
  private pending = 0
  private closing: Promise<void> | undefined

  private constructor(
    private readonly instance: Instance,
    private readonly connection: Connection,
  ) {}

  static async open({ threads, memory, temporaryFolder }: DatabaseOptions = {}): Promise<Database> {
    const { DuckDBInstance } = await loadDuckDB()
    const { randomUUID } = await import('node:crypto')
    const { tmpdir } = await import('node:os')
    const { join } = await import('node:path')
    const { mkdirSync } = await import('node:fs')
    if (temporaryFolder !== undefined) mkdirSync(temporaryFolder, { recursive: true })
    const settings: Record<string, string> = {
      // A closed network has no repository of extensions: a query that needs one must fail at once.
      autoinstall_known_extensions: 'false',
      autoload_known_extensions: 'false',
      // Rows have no order without ORDER BY, and keeping the order of the files would hold them all in memory.
      preserve_insertion_order: 'false',
      // Two batches in one folder would write to the same files.
      temp_directory: join(temporaryFolder ?? tmpdir(), `edgewise-batch-${randomUUID()}`),
    }
    if (threads !== undefined) settings.threads = String(threads)
    if (memory !== undefined) settings.memory_limit = memory
    try {
      const instance = await DuckDBInstance.create(':memory:', settings)
      return new Database(instance, await instance.connect())
    } catch (error) {
      throw sqlError(error, 'the options')
    }
  }

  /** Runs statements and ignores their rows. */
  async run(sql: string): Promise<void> {
    await this.call(() => this.connection.run(sql), sql)
  }

  /** Every row of a query. */
  async rows(sql: string): Promise<SqlRow[]> {
    const rows: SqlRow[] = []
    for await (const chunk of (await this.query(sql)).chunks) rows.push(...chunk)
    return rows
  }

  /** The columns of a query, and its rows in chunks of at most 2,048. One chunk at a time is in memory. */
  async query(sql: string): Promise<QueryResult> {
    const result = await this.call(() => this.connection.stream(sql), sql)
    const columns = result.deduplicatedColumnNames()
    return { columns, chunks: this.chunksOf(result, columns, sql) }
  }

  /** Appends rows to a table. `null` is an absent value. */
  async append(table: string, rows: Iterable<readonly SqlValue[]>, schema?: string): Promise<void> {
    const appender = await this.call(() => this.connection.createAppender(table, schema), table)
    for (const row of rows) {
      for (const cell of row) {
        if (cell === null) appender.appendNull()
        else if (typeof cell === 'string') appender.appendVarchar(cell)
        else if (typeof cell === 'boolean') appender.appendBoolean(cell)
        else appender.appendDouble(cell)
      }
      appender.endRow()
    }
    appender.flushSync()
    appender.closeSync()
  }

  /** Interrupts queries that run, which reject. Resolves when the memory of the database is free. */
  close(): Promise<void> {
    this.closing ??= new Promise(resolve => this.release(resolve))
    return this.closing
  }

  /** Frees the database if no call runs. A query that waits for another begins after an interruption, so it repeats. */
  private release(onReleased: () => void): void {
    if (this.pending > 0) {
      this.connection.interrupt()
      setTimeout(() => this.release(onReleased), INTERRUPT_MS)
      return
    }
    this.connection.closeSync()
    this.instance.closeSync()
    onReleased()
  }

  private async call<T>(work: () => Promise<T>, sql: string): Promise<T> {
    if (this.closing) throw closedError()
    this.pending++
    try {
      return await work()
    } catch (error) {
      throw this.closing ? closedError() : sqlError(error, sql)
    } finally {
      this.pending--
    }
  }

  private async *chunksOf(result: Result, columns: readonly string[], sql: string): AsyncGenerator<SqlRow[]> {
    const readers = columns.map((_, at) => readerOf(result, at))
    const chunks = result.yieldRowsJs()
    while (true) {
      const { done, value } = await this.call(() => chunks.next(), sql)
      if (done) return
      yield value.map(row => Object.fromEntries(columns.map((name, at) => [name, readers[at]!(row[at])])))
    }
  }
}

const closedError = () => new GraphError('batch.sql', 'SQL: the data was closed; open it again.')

/** How a value of a column becomes one of JavaScript: JSON is parsed, and an integer is a number if that holds it exactly. */
function readerOf(result: Result, column: number): (value: unknown) => unknown {
  if (result.columnType(column).alias === 'JSON')
    return value => (value === null ? null : (JSON.parse(value as string) as unknown))
  return value => (typeof value === 'bigint' && isSafe(value) ? Number(value) : value)
}

const isSafe = (value: bigint) => value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER

/** Whether a statement needs more memory than it may use. */
export const isOutOfMemory = (error: unknown): boolean => /Out of Memory/.test((error as Error).message)

const SHOWN_CHARACTERS = 300

function sqlError(error: unknown, sql: string): GraphError {
  const shown = sql.length > SHOWN_CHARACTERS ? `${sql.slice(0, SHOWN_CHARACTERS)}…` : sql
  const reason = (error as Error).message.trim()
  if (isOutOfMemory(error))
    return new GraphError('batch.sql', `SQL: ${reason}; give more 'memory', or fewer 'threads'.`, { value: shown })
  return new GraphError('batch.sql', `SQL: ${reason}, in the statement '${shown}'; correct the statement.`)
}
