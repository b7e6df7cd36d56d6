import { positionAt, type RecoveryLog } from '../backups/recovery-log.js'
import type { Space } from '../keyvalues/port.js'
import type { Table } from '../tables/table.js'
import { StoredItem } from '../values/stored-item.js'
import type { ExportFilter } from './export-filter.js'
import { SLICE_BYTES, SLICE_ITEMS, type Slice, type SliceReader } from './snapshot-reader.js'

/** An item that changed in a period: it had an item before, or after, or both. */
export interface ChangedRow {
  /** The item as it is known last, which has the keys. */
  readonly image: StoredItem
  readonly before: StoredItem | undefined
  readonly after: StoredItem | undefined
  /** When it changed last in the period. */
  readonly writtenMs: number
}

/** The parts of the space of an export. Each is followed by the key of an item. */
const BEFORE = 'b'
const WRITTEN = 'w'
const AFTER = 'a'
const BOUNDARY = 'i'

/**
 * Reads the changes of a period from the recovery log, while the table changes. Of each key it copies to a space
 * of the export: the item before its first change in the period, the time of its last one, and the item before its
 * first change after the period. If it did not change after the period, the item at the end of the period is in the table.
 *
 * An item that was inserted and deleted in the period is left out, as on DynamoDB. If it was inserted in the very
 * millisecond in which the period begins, a full export of that moment may have it, so its deletion is a row.
 */
export class ChangesReader implements SliceReader<ChangedRow> {
  isCaughtUp = false
  private isCollected = false
  private position: string
  private cursor: string

  constructor(
    private readonly space: Space<StoredItem>,
    private readonly fromMs: number,
    private readonly toMs: number,
    private readonly filter: ExportFilter,
    private readonly sliceItems = SLICE_ITEMS,
  ) {
    this.position = positionAt(fromMs)
    this.cursor = BEFORE + filter.range.from
  }

  next(table: Table, recovery: RecoveryLog): Slice<ChangedRow> {
    if (!this.isCollected) {
      this.isCollected = this.collect(recovery)
      return { rows: [], isLast: false }
    }
    if (!this.isCaughtUp) {
      this.isCaughtUp = this.readAfter(recovery, this.sliceItems)
      return { rows: [], isLast: false }
    }
    this.readAfter(recovery, Number.POSITIVE_INFINITY)
    return this.readChanges(table)
  }

  private collect(recovery: RecoveryLog): boolean {
    let count = 0
    const end = positionAt(this.toMs)
    this.position = recovery.changes(this.position, end, ({ key, before, atMs }) => {
      if (!this.space.get(BEFORE + key)) {
        this.space.put(BEFORE + key, before)
        if (atMs === this.fromMs && !presentOf(before)) this.space.put(BOUNDARY + key, before)
      } else if (presentOf(before) && this.space.get(BOUNDARY + key)) this.space.put(BOUNDARY + key, before)
      this.space.put(WRITTEN + key, new StoredItem({ ms: { N: String(atMs) } }, 1, false))
      return ++count < this.sliceItems
    })
    return count < this.sliceItems
  }

  private readAfter(recovery: RecoveryLog, limit: number): boolean {
    let count = 0
    this.position = recovery.changes(this.position, undefined, ({ key, before }) => {
      if (this.space.get(BEFORE + key) && !this.space.get(AFTER + key)) this.space.put(AFTER + key, before)
      return ++count < limit
    })
    return count < limit
  }

  private readChanges(table: Table): Slice<ChangedRow> {
    const to = this.filter.range.to === undefined ? positionAfterPart(BEFORE) : BEFORE + this.filter.range.to
    let end = to
    let [count, bytes] = [0, 0]
    const found: [key: string, before: StoredItem][] = []
    this.space.range({ from: this.cursor, to, reverse: false }, (before, place) => {
      found.push([place.slice(BEFORE.length), before])
      count++
      bytes += before.sizeBytes
      if (count < this.sliceItems && bytes < SLICE_BYTES) return true
      end = `${place}\0`
      return false
    })
    this.cursor = end
    const rows = found.flatMap(([key, before]) => this.rowOf(table, key, before) ?? [])
    return { rows, isLast: end === to }
  }

  private rowOf(table: Table, key: string, first: StoredItem): ChangedRow | undefined {
    const last = this.space.get(AFTER + key) ?? table.space.get(key)
    const [before, after] = [presentOf(first), presentOf(last)]
    const image = after ?? before ?? presentOf(this.space.get(BOUNDARY + key))
    if (!image || !this.filter.test(image.item)) return undefined
    return { image, before, after, writtenMs: Number(this.space.get(WRITTEN + key)!.item.ms!.N) }
  }
}

/** The log has an entry of size 0 where no item existed. */
const presentOf = (stored: StoredItem | undefined) => (stored && stored.sizeBytes > 0 ? stored : undefined)
const positionAfterPart = (part: string) => String.fromCharCode(part.charCodeAt(0) + 1)
