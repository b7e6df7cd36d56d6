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
/** Marks that no item existed before the change. No real item is empty, because every item has a key. */
const NO_ITEM_MARK = new StoredItem(Object.freeze({}), 0, false)

interface ChangeToLog {
  readonly key: string
  readonly before: StoredItem | undefined
  readonly atMs: number | undefined
}

/** A change in the log. */
export interface LoggedChange {
  readonly key: string
  /** The item before the change; its size is 0 if no item existed. */
  readonly before: StoredItem
  readonly atMs: number
}

/** The position in the log of the first change at a time or later. */
export const positionAt = (ms: number) => formatTime(ms)

/**
 * The state of each item before each change, ordered by the time of the change. Undoing the changes from the last to
 * the first turns the current items into those of any moment since the log began.
 */
export class RecoveryLog {
  private lastEntry = { ms: 0, number: 0 }
  /** Negative infinity, because the time of the last trim is not stored and is unknown after opening. */
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

  append({ key, before, atMs = this.now() }: ChangeToLog): void {
    // The clock may be set back. Entries still keep the order of the changes.
    this.lastEntry = { ms: Math.max(Math.floor(atMs), this.lastEntry.ms), number: this.lastEntry.number + 1 }
    this.space.put(formatTime(this.lastEntry.ms) + formatNumber(this.lastEntry.number) + key, before ?? NO_ITEM_MARK)
  }

  /**
   * Removes entries that are older than the recovery period, at most once an hour. Returns the time since which the log
   * is complete.
   */
  trim({ sinceMs, days }: PointInTimeRecovery): number {
    const nowMs = this.now()
    if (nowMs - this.trimmedMs < TRIM_EVERY_MS) return sinceMs
    const firstKeptMs = floorToSecond(nowMs - days * DAY_MS)
    if (firstKeptMs <= sinceMs) return sinceMs
    const expiredEntries: string[] = []
    const before = { from: '', to: formatTime(firstKeptMs), reverse: false }
    this.space.range(before, (_, entry) => expiredEntries.push(entry) < REMOVAL_BATCH_SIZE)
    for (const entry of expiredEntries) this.space.remove(entry)
    // When more entries are expired than one batch removes, the next changes remove the rest.
    if (expiredEntries.length < REMOVAL_BATCH_SIZE) this.trimmedMs = nowMs
    return firstKeptMs
  }

  /** Where in the log the changes after a moment begin: at its end, for a moment that is not over. */
  positionAfter(ms: number): string {
    if (ms >= this.lastEntry.ms) return formatTime(this.lastEntry.ms) + formatNumber(this.lastEntry.number + 1)
    return formatTime(ms + 1)
  }

  /**
   * Visits the changes from a position on, and before another, until `visit` returns false.
   * @returns The position after the last visited change; the end, if `visit` never returned false.
   */
  changes(from: string, to: string | undefined, visit: (change: LoggedChange) => boolean): string {
    let next = to ?? this.positionAfter(this.lastEntry.ms)
    this.space.range({ from, to, reverse: false }, (before, entry) => {
      if (visit({ key: entry.slice(ENTRY_DIGITS), before, atMs: timeOfEntry(entry) })) return true
      next = `${entry}\0`
      return false
    })
    return next
  }

  /** Turns a copy of the current items into the items at the end of the given millisecond. */
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

/** Returns the earliest time that a table can be restored to, in whole seconds, because clients send whole seconds. */
export function earliestRestorableMs({ sinceMs, days }: { sinceMs: number; days: number }, nowMs: number): number {
  return floorToSecond(Math.max(sinceMs, nowMs - days * DAY_MS))
}

const floorToSecond = (ms: number) => Math.floor(ms / SECOND_MS) * SECOND_MS
const formatTime = (ms: number) => String(ms).padStart(MS_DIGITS, '0')
const formatNumber = (number: number) => String(number).padStart(NUMBER_DIGITS, '0')
const timeOfEntry = (entry: string) => Number(entry.slice(0, MS_DIGITS))

/** Logs a change of an item in the same write as the change. */
export function logChange(table: Table, recovery: RecoveryLog, change: ChangeToLog): void {
  recovery.append(change)
  const settings = table.pointInTimeRecovery!
  const sinceMs = recovery.trim(settings)
  // The start is stored, because removed entries do not come back when the period gets longer or the clock is set back.
  if (sinceMs !== settings.sinceMs) table.pointInTimeRecovery = { ...settings, sinceMs }
}

/**
 * Starts to log changes, so that the table can be restored to any later moment. If the log exists already, only its
 * period changes.
 */
export function startRecovery(engine: Engine, table: Table, days: number): void {
  const sinceMs = table.recovery ? table.pointInTimeRecovery!.sinceMs : Math.floor(engine.now())
  table.pointInTimeRecovery = { sinceMs, days, isNoted: true }
  table.recovery ??= newRecovery(engine, table)
}

/** Resumes the log when a table is opened. A folder of a version that did not log changes starts its log now. */
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
  // No index has this name, because names cannot contain a slash.
  return `${description.TableId}/recovery/items`
}
