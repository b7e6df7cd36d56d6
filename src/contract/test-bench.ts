import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { CreateTableInput } from '../dynamodb/operations/tables.js'
import type { CompleteService, Store } from '../store/port.js'
import { retrying } from '../store/retry.js'
import { type SharedTable, sharedTableDefinition } from './bench-tables.js'

const ACTIVE_POLL_MS = 250
/** The service takes up to so long to build an index. */
const ACTIVE_TIMEOUT_MS = 20 * 60_000
const SETTLE_POLL_MS = 100
const SETTLE_TIMEOUT_MS = 20_000

/**
 * What a case works with. Shared tables are made once for a run, since real ones take their time, so every case keeps
 * to keys of its own, made by `unique`.
 */
export class TestBench {
  private readonly sharedTables = new Map<SharedTable, Promise<string>>()
  private readonly createdTables = new Set<string>()
  private uniqueCount = 0

  constructor(
    readonly store: Store,
    /** Begins the name of every table of this run, and of no other run that begins in the same millisecond. */
    private readonly prefix = `contract_${Date.now().toString(36)}_${crypto.randomUUID().slice(0, 4)}`,
  ) {}

  /** The store with all that the service has beside. Cases of operations that it lacks are skipped. */
  get service(): CompleteService {
    return this.store as CompleteService
  }

  /** A text that nothing else in this run has. */
  unique(label = 'key'): string {
    this.uniqueCount++
    return `${label}-${this.prefix}-${this.uniqueCount}`
  }

  /** The name of a shared table, made where it is not there yet. */
  async sharedTable(kind: SharedTable): Promise<string> {
    const creation = this.sharedTables.get(kind) ?? this.create(sharedTableDefinition(kind, `${this.prefix}_${kind}`))
    this.sharedTables.set(kind, creation)
    return creation
  }

  /** A table for one case alone, from a definition without its name; removed with the run. */
  async createOwnTable(definition: Omit<CreateTableInput, 'TableName'>): Promise<string> {
    return this.create({ ...definition, TableName: this.newTableName() })
  }

  /** The name of a table that the case makes by itself. */
  newTableName(): string {
    this.uniqueCount++
    const name = `${this.prefix}_own_${this.uniqueCount}`
    this.createdTables.add(name)
    return name
  }

  private async create(definition: CreateTableInput): Promise<string> {
    // Also a table that never becomes active is to be removed.
    this.createdTables.add(definition.TableName)
    await this.store.createTable(definition)
    await this.waitUntilActive(definition.TableName)
    return definition.TableName
  }

  /** Waits until a table and its indexes can be used. A service that fails while it makes one is asked again. */
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

  async put(TableName: string, ...items: Item[]): Promise<void> {
    for (const Item of items) await this.store.putItem({ TableName, Item })
  }

  /** The item as it is now. */
  async get(TableName: string, Key: Key): Promise<Item | undefined> {
    const { Item } = await this.store.getItem({ TableName, Key, ConsistentRead: true })
    return Item
  }

  /** For what a store may show late, as an index of DynamoDB does: tries again until `check` does not throw. */
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

  /** Removes every table of the run, but for one that is protected against it. */
  async close(): Promise<void> {
    for (const TableName of this.createdTables) {
      await this.store.deleteTable({ TableName }).catch(() => undefined)
    }
  }
}

function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
