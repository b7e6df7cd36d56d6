import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { parseOptions } from '../../graph/arguments.js'
import { toStoreError } from '../../graph/run/request-sender.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { resolveBackoff } from '../../store/backoff.js'
import { retrying } from '../../store/retry.js'
import type { SqlValue } from '../duckdb.js'
import { RateLimiter } from '../rate-limiter.js'
import { itemCells, PHYSICAL } from './item-table.js'
import type { ItemReader } from './read-export.js'
import type { TableSource } from './source.js'

const SEGMENTS = 4
/** Items are appended, and their memory is released, after this many. */
const BLOCK_ITEMS = 10_000

/** Reads every item of a live table by parallel Scans. Resolves to the read capacity units that it used. */
export async function scanTable(reader: ItemReader, source: TableSource, signal?: AbortSignalLike): Promise<number> {
  parseOptions('the source', source, 'store, table, segments, readUnits')
  const { store, segments = SEGMENTS, readUnits, table = reader.layout.design.name } = source
  const sender = retrying(store, resolveBackoff())
  const rate = new RateLimiter(readUnits)
  const items = new ItemAppender(reader)
  let units = 0
  const readSegment = async (segment: number) => {
    let from: Key | undefined
    do {
      signal?.throwIfAborted()
      await rate.ready(signal)
      const page = await sender.scan({
        TableName: table,
        Segment: segment,
        TotalSegments: segments,
        ReturnConsumedCapacity: 'TOTAL',
        ...(from && { ExclusiveStartKey: from }),
      })
      const used = page.ConsumedCapacity?.CapacityUnits ?? 0
      rate.use(used)
      units += used
      await items.add((page.Items ?? []) as Item[])
      from = page.LastEvaluatedKey as Key | undefined
    } while (from)
  }
  try {
    await Promise.all(Array.from({ length: segments }, (_, segment) => readSegment(segment)))
    await items.flush()
  } catch (error) {
    throw toStoreError(error)
  }
  return units
}

/** Collects items and appends them by blocks. */
class ItemAppender {
  private rows: SqlValue[][] = []
  private inserting: Promise<void> = Promise.resolve()

  constructor(private readonly reader: ItemReader) {}

  async add(items: readonly Item[]): Promise<void> {
    for (const item of items) this.rows.push(itemCells(this.reader.layout, item))
    if (this.rows.length >= BLOCK_ITEMS) await this.flush()
  }

  flush(): Promise<void> {
    const { rows } = this
    this.rows = []
    this.inserting = this.inserting.then(() => this.reader.database.append('items', rows, PHYSICAL))
    return this.inserting
  }
}
