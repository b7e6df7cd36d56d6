import type { Engine } from '../engine.js'
import type { Space } from '../keyvalues/port.js'
import { REMOVAL_BATCH_SIZE } from '../removal-batch.js'
import type { PointInTimeRecovery, Table } from '../tables/table.js'
import { StoredItem } from '../values/stored-item.js'

const MS_DIGITS = 15
const NUMBER_DIGITS = 15
const ENTRY_DIGITS = MS_DIGITS + NUMBER_DIGITS
const SECOND_MS = 1000
const DAY_MS = 24 * 3600 * SECOND_MS
const TRIM_EVERY_MS = 3600 * SECOND_MS
/** Where there was no item. No item is without its key. */
const NO_ITEM_MARK = new StoredItem(Object.freeze({}), 0, false)

interface LoggedChange {
  readonly key: string
  readonly before: StoredItem | undefined
  readonly atMs: number | undefined
}

/**
 * What the items of a table were before each change, by the time of the change. Undone from the last on, it leads from
 * the items as they are to those of any moment since it began.
 */
export class RecoveryLog {
  private lastEntry = { ms: 0, number: 0 }
  /** Nobody knows when it was before it was opened. */
  private trimmedMs = Number.NEGATIVE_INFINITY

  constructor(
    private readonly space: Space<StoredItem>,
    private readonly now: () => number,
  ) {
    space.range({ from: '', to: undefined, reverse: true }, (_, entry) => {
      this.lastEntry = { ms: timeOfEntry(entry), number: Number(entry.slice(MS_DIGITS, ENTRY_DIGITS)) }
      return false
    })
  }

  append({ key, before, atMs = this.now() }: LoggedChange): void {
    // The clock may go back, and the changes stay in their order.
    this.lastEntry = { ms: Math.max(Math.floor(atMs), this.lastEntry.ms), number: this.lastEntry.number + 1 }
    this.space.put(formatTime(this.lastEntry.ms) + formatNumber(this.lastEntry.number) + key, before ?? NO_ITEM_MARK)
  }

  /** Now and then forgets what was before the days that are to be kept. Answers since when all is there. */
  trim({ sinceMs, days }: PointInTimeRecovery): number {
    const nowMs = this.now()
    if (nowMs - this.trimmedMs < TRIM_EVERY_MS) return sinceMs
    const firstKeptMs = floorToSecond(nowMs - days * DAY_MS)
    if (firstKeptMs <= sinceMs) return sinceMs
    const expiredEntries: string[] = []
    const before = { from: '', to: formatTime(firstKeptMs), reverse: false }
    this.space.range(before, (_, entry) => expiredEntries.push(entry) < REMOVAL_BATCH_SIZE)
    for (const entry of expiredEntries) this.space.remove(entry)
    // Where there are very many, later changes remove the rest.
    if (expiredEntries.length < REMOVAL_BATCH_SIZE) this.trimmedMs = nowMs
    return firstKeptMs
  }

  /** Makes of items that are as they are now those of an earlier moment: of its end, if it had changes. */
  undoChanges(items: Space<StoredItem>, untilMs: number): void {
    const later = { from: formatTime(untilMs + 1), to: undefined, reverse: true }
    this.space.range(later, (before, entry) => {
      const key = entry.slice(ENTRY_DIGITS)
      if (before.sizeBytes > 0) items.put(key, before)
      else items.remove(key)
      return true
    })
  }
}

/** The first moment that a table can be restored to. Clients tell the time in whole seconds. */
export function earliestRestorableMs({ sinceMs, days }: { sinceMs: number; days: number }, nowMs: number): number {
  return floorToSecond(Math.max(sinceMs, nowMs - days * DAY_MS))
}

const floorToSecond = (ms: number) => Math.floor(ms / SECOND_MS) * SECOND_MS
const formatTime = (ms: number) => String(ms).padStart(MS_DIGITS, '0')
const formatNumber = (number: number) => String(number).padStart(NUMBER_DIGITS, '0')
const timeOfEntry = (entry: string) => Number(entry.slice(0, MS_DIGITS))

/** Takes note of a change of an item, together with it. */
export function logChange(table: Table, recovery: RecoveryLog, change: LoggedChange): void {
  recovery.append(change)
  const settings = table.pointInTimeRecovery!
  const sinceMs = recovery.trim(settings)
  // What is gone does not come back with more days, nor with a clock that goes back.
  if (sinceMs !== settings.sinceMs) table.pointInTimeRecovery = { ...settings, sinceMs }
}

/** From now on the table can be restored to any moment. One that can be already stays so, for as many days as are told. */
export function startRecovery(engine: Engine, table: Table, days: number): void {
  const sinceMs = table.recovery ? table.pointInTimeRecovery!.sinceMs : Math.floor(engine.now())
  table.pointInTimeRecovery = { sinceMs, days, isNoted: true }
  table.recovery ??= newRecovery(engine, table)
}

/** Goes on where the table was opened. In a folder from before changes were noted, that begins now. */
export function resumeRecovery(engine: Engine, table: Table): void {
  const { pointInTimeRecovery: recovery } = table
  if (!recovery) return
  if (recovery.isNoted) table.recovery = newRecovery(engine, table)
  else startRecovery(engine, table, recovery.days)
}

export function stopRecovery(engine: Engine, table: Table): void {
  table.pointInTimeRecovery = undefined
  if (!table.recovery) return
  table.recovery = undefined
  engine.keyValues.drop(spaceName(table))
}

function newRecovery(engine: Engine, table: Table): RecoveryLog {
  return new RecoveryLog(engine.keyValues.space(spaceName(table)), engine.now)
}

function spaceName({ description }: Table): string {
  // No index is called so: a slash is in no name.
  return `${description.TableId}/recovery/items`
}
