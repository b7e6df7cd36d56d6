import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { CreateTableInput } from '../dynamodb/operation-types.js'
import type { CompleteService, Store } from '../store/port.js'
import { retrying } from '../store/retry.js'
import { type SharedTable, sharedTableDefinition } from './bench-tables.js'

const ACTIVE_POLL_MS = 250
/** The service takes up to this long to build an index. */
const ACTIVE_TIMEOUT_MS = 20 * 60_000
const TRANSFER_POLL_MS = 50
const SETTLE_POLL_MS = 100
const SETTLE_TIMEOUT_MS = 20_000

/**
 * The environment of cases: a store, shared tables and unique keys. Creating a real table takes a long time, so a run
 * creates the shared tables only once, and every case uses its own keys from `unique`.
 *
 * @example
 * ```ts
 * import { contractFor } from 'edgewise/contract'
 * import { memory } from 'edgewise/engine'
 *
 * const { bench, cases } = contractFor(memory())
 * await cases[0]?.run(bench)
 * await bench.close()
 * ```
 */
export class TestBench {
  private readonly sharedTables = new Map<SharedTable, Promise<string>>()
  private readonly createdTables = new Set<string>()
  private uniqueCount = 0

  constructor(
    readonly store: Store,
    /** The bucket that cases export to and import from. Without it they do not run. */
    readonly bucket = '',
    /**
     * Begins the name of every table of this run; the random part separates runs that start in the same millisecond.
     */
    private readonly prefix = `contract_${Date.now().toString(36)}_${crypto.randomUUID().slice(0, 4)}`,
  ) {}

  /** The store with all operations of the service. Cases of operations that the store lacks are skipped. */
  get service(): CompleteService {
    return this.store as CompleteService
  }

  /** Returns a string that is unique in this run. */
  unique(label = 'key'): string {
    this.uniqueCount++
    return `${label}-${this.prefix}-${this.uniqueCount}`
  }

  /** Returns the name of a shared table, and creates the table on the first call. */
  async sharedTable(kind: SharedTable): Promise<string> {
    const creation = this.sharedTables.get(kind) ?? this.create(sharedTableDefinition(kind, `${this.prefix}_${kind}`))
    this.sharedTables.set(kind, creation)
    return creation
  }

  /** Creates a table for one case from a definition without a name; `close` deletes it. */
  async createOwnTable(definition: Omit<CreateTableInput, 'TableName'>): Promise<string> {
    return this.create({ ...definition, TableName: this.newTableName() })
  }

  /** Returns a name for a table that the case creates. */
  newTableName(): string {
    this.uniqueCount++
    const name = `${this.prefix}_own_${this.uniqueCount}`
    this.createdTables.add(name)
    return name
  }

  private async create(definition: CreateTableInput): Promise<string> {
    // A table that never becomes active must be deleted too.
    this.createdTables.add(definition.TableName)
    await this.store.createTable(definition)
    await this.waitUntilActive(definition.TableName)
    return definition.TableName
  }

  /**
   * Waits until a table and its indexes are usable. Requests are retried, because the service may fail while it creates
   * a table.
   */
  async waitUntilActive(TableName: string): Promise<void> {
    const deadlineMs = Date.now() + ACTIVE_TIMEOUT_MS
    const store = retrying(this.store)
    for (;;) {
      const { Table } = await store.describeTable({ TableName })
      const indexes = [...(Table?.GlobalSecondaryIndexes ?? []), ...(Table?.VectorIndexes ?? [])]
      if (Table?.TableStatus === 'ACTIVE' && indexes.every(index => index.IndexStatus === 'ACTIVE')) return
      if (Date.now() > deadlineMs) throw new Error(`table ${TableName} did not become active`)
      await sleep(ACTIVE_POLL_MS)
    }
  }

  /** Waits until an export or an import has ended. */
  async ended<T>(describe: () => Promise<T>, statusOf: (description: T) => string | undefined): Promise<T> {
    const untilMs = Date.now() + ACTIVE_TIMEOUT_MS
    for (;;) {
      const description = await describe()
      if (statusOf(description) !== 'IN_PROGRESS') return description
      if (Date.now() > untilMs) throw new Error('an export or an import did not end')
      await sleep(TRANSFER_POLL_MS)
    }
  }

  async put(TableName: string, ...items: Item[]): Promise<void> {
    for (const Item of items) await this.store.putItem({ TableName, Item })
  }

  /** Returns the stored item. */
  async get(TableName: string, Key: Key): Promise<Item | undefined> {
    const { Item } = await this.store.getItem({ TableName, Key, ConsistentRead: true })
    return Item
  }

  /**
   * Retries `check` until it does not throw. For results that a store may show with a delay, such as those of an index.
   */
  async eventually<T>(check: () => Promise<T>): Promise<T> {
    const deadlineMs = Date.now() + SETTLE_TIMEOUT_MS
    for (;;) {
      try {
        return await check()
      } catch (error) {
        if (Date.now() > deadlineMs) throw error
        await sleep(SETTLE_POLL_MS)
      }
    }
  }

  /** Deletes every table of the run, except tables with deletion protection. */
  async close(): Promise<void> {
    for (const TableName of this.createdTables) {
      await this.store.deleteTable({ TableName }).catch(() => undefined)
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
