import type { RecoveryLog } from '../backups/recovery-log.js'
import type { Space } from '../keyvalues/port.js'
import type { Table } from '../tables/table.js'
import type { StoredItem } from '../values/stored-item.js'
import type { ExportFilter } from './export-filter.js'

/** A step of this size delays other calls by about ten milliseconds. */
export const SLICE_ITEMS = 1000
export const SLICE_BYTES = 1024 * 1024

/** Rows of an export that were read in one step. */
export interface Slice<Row> {
  readonly rows: readonly Row[]
  readonly isLast: boolean
}

/** Reads an export step by step. Each step runs within a write, so that the table and its log are of one moment. */
export interface SliceReader<Row> {
  /** Whether the log of changes was read to its end once. Until then, trimming could remove a part that is needed. */
  readonly isCaughtUp: boolean
  next(table: Table, recovery: RecoveryLog): Slice<Row>
}

/**
 * Reads a table as it was at a moment, while it changes. If an item changed since, its earlier value is in the recovery log;
 * otherwise it is in the table. The first values of the log are copied to a space of the export, by key.
 */
export class SnapshotReader implements SliceReader<StoredItem> {
  isCaughtUp = false
  /** The first key that was not read. */
  private cursor: string

  constructor(
    /** The items as they were at the moment, if they changed since. */
    private readonly earlier: Space<StoredItem>,
    private position: string,
    private readonly filter: ExportFilter,
    private readonly sliceItems = SLICE_ITEMS,
  ) {
    this.cursor = filter.range.from
  }

  next(table: Table, recovery: RecoveryLog): Slice<StoredItem> {
    if (!this.isCaughtUp) {
      this.isCaughtUp = this.readLog(recovery, this.sliceItems)
      return { rows: [], isLast: false }
    }
    this.readLog(recovery, Number.POSITIVE_INFINITY)
    return this.readItems(table)
  }

  /** @returns Whether the log was read to its end. */
  private readLog(recovery: RecoveryLog, limit: number): boolean {
    let count = 0
    this.position = recovery.changes(this.position, undefined, ({ key, before }) => {
      if (key >= this.cursor && !this.earlier.get(key)) this.earlier.put(key, before)
      return ++count < limit
    })
    return count < limit
  }

  private readItems(table: Table): Slice<StoredItem> {
    let end = this.filter.range.to
    const changed = new Map<string, StoredItem>()
    this.earlier.range({ from: this.cursor, to: end, reverse: false }, (before, key) => {
      changed.set(key, before)
      if (changed.size < this.sliceItems) return true
      end = `${key}\0`
      return false
    })
    const rows: StoredItem[] = []
    const take = (stored: StoredItem) => {
      if (stored.sizeBytes > 0 && this.filter.test(stored.item)) rows.push(stored)
    }
    let [count, bytes] = [0, 0]
    table.space.range({ from: this.cursor, to: end, reverse: false }, (stored, key) => {
      take(changed.get(key) ?? stored)
      changed.delete(key)
      count++
      bytes += stored.sizeBytes
      if (count < this.sliceItems && bytes < SLICE_BYTES) return true
      end = `${key}\0`
      return false
    })
    for (const [key, before] of changed) if (end === undefined || key < end) take(before)
    const isLast = end === this.filter.range.to
    if (end !== undefined) this.cursor = end
    return { rows, isLast }
  }
}
