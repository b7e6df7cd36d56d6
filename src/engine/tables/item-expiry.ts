import type { Item } from '../../dynamodb/attribute-value.js'
import type { Engine } from '../engine.js'
import type { Space } from '../keyvalues/port.js'
import { attributeOf } from '../values/compare-values.js'
import { StoredItem } from '../values/stored-item.js'
import type { Schedule } from './schedule.js'
import type { Table } from './table.js'

const SECONDS_DIGITS = 15
const LATEST_SECONDS = 10 ** SECONDS_DIGITS - 1
/** The service treats a time that is more than five years ago as a mistake and never expires the item. */
const OLDEST_SECONDS = 5 * 365 * 24 * 3600
const MARK = new StoredItem(Object.freeze({}), 0, false)

/** The expiry times of a table's items. */
export class ItemExpiry {
  /** The time of the next check for expired items. */
  private nextMs = Number.POSITIVE_INFINITY

  constructor(
    readonly attributeName: string,
    private readonly space: Space<StoredItem>,
    private readonly delayMs: number,
    /** The maximum number of items to remove at a time. The rest is due before the next operation. */
    private readonly batchSize: number,
    private readonly schedule: Schedule,
    private readonly now: () => number,
  ) {}

  /**
   * Tracks a change of an item. An item that is written after its time is removed after the same delay as one that just
   * expired.
   */
  track(key: string, before: StoredItem | undefined, after: StoredItem | undefined): void {
    const old = before && this.secondsOf(before.item)
    const next = after && this.secondsOf(after.item)
    if (old === next) return
    if (old !== undefined) this.space.remove(expiryKeyOf(old, key))
    if (next === undefined) return
    this.space.put(expiryKeyOf(next, key), MARK)
    this.scheduleAt(Math.max(next * 1000, this.now()) + this.delayMs)
  }

  /** Schedules an immediate check, for a table whose last check is unknown. */
  scheduleImmediately(): void {
    this.scheduleAt(0)
  }

  isDue(nowMs: number): boolean {
    return this.nextMs <= nowMs
  }

  /** Returns the keys of items to remove now. */
  dueKeys(nowMs: number): string[] {
    const endSeconds = Math.floor((nowMs - this.delayMs) / 1000)
    const keys: string[] = []
    const range = { from: oldestExpiryText(nowMs), to: formatSeconds(endSeconds + 1), reverse: false }
    this.space.range(range, (_, key) => keys.push(key.slice(SECONDS_DIGITS)) < this.batchSize)
    return keys
  }

  /** Schedules the next check: after a check, the remaining items or the next expiry. */
  scheduleNext(nowMs: number): void {
    if (!this.isDue(nowMs)) {
      this.schedule.add(this.nextMs)
      return
    }
    this.nextMs = Number.POSITIVE_INFINITY
    this.space.range({ from: oldestExpiryText(nowMs), to: undefined, reverse: false }, (_, key) => {
      this.scheduleAt(Number(key.slice(0, SECONDS_DIGITS)) * 1000 + this.delayMs)
      return false
    })
  }

  private scheduleAt(ms: number): void {
    if (ms >= this.nextMs) return
    this.nextMs = ms
    this.schedule.add(ms)
  }

  /** Returns the expiry time of an item; undefined if it is not a number or is out of range. */
  private secondsOf(item: Item): number | undefined {
    const text = attributeOf(item, this.attributeName)?.N
    if (text === undefined) return undefined
    const seconds = Math.floor(Number(text))
    return seconds >= 0 && seconds <= LATEST_SECONDS ? seconds : undefined
  }
}

function expiryKeyOf(seconds: number, key: string): string {
  return formatSeconds(seconds) + key
}

/** Returns the oldest expiry time that is not ignored. */
function oldestExpiryText(nowMs: number): string {
  return formatSeconds(Math.max(0, Math.floor(nowMs / 1000) - OLDEST_SECONDS))
}

function formatSeconds(seconds: number): string {
  return String(seconds).padStart(SECONDS_DIGITS, '0')
}

function expirySpaceNameOf(table: Table): string {
  // No index has this name, because names cannot contain a slash.
  return `${table.description.TableId}/expiry/items`
}

/** Enables expiry for all items of a table, including existing ones. */
export function startExpiry(engine: Engine, table: Table, attributeName: string): void {
  const expiry = newExpiry(engine, table, attributeName)
  table.space.range({ from: '', to: undefined, reverse: false }, (stored, key) => {
    expiry.track(key, undefined, stored)
    return true
  })
  table.expiry = expiry
}

/** Resumes the expiry of items when a table is opened. */
export function resumeExpiry(engine: Engine, table: Table, attributeName: string): void {
  table.expiry = newExpiry(engine, table, attributeName)
  table.expiry.scheduleImmediately()
}

function newExpiry(engine: Engine, table: Table, attributeName: string): ItemExpiry {
  const space = engine.keyValues.space(expirySpaceNameOf(table))
  const { expiryDelayMs, expiryBatchSize } = engine.settings
  return new ItemExpiry(attributeName, space, expiryDelayMs, expiryBatchSize, engine.schedule, engine.now)
}

export function stopExpiry(engine: Engine, table: Table): void {
  table.expiry = undefined
  engine.keyValues.drop(expirySpaceNameOf(table))
}
