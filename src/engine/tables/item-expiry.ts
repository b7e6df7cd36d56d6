import type { Item } from '../../dynamodb/attribute-value.js'
import type { Engine } from '../engine.js'
import type { Space } from '../keyvalues/port.js'
import { attributeOf } from '../values/compare-values.js'
import { StoredItem } from '../values/stored-item.js'
import type { Schedule } from './schedule.js'
import type { Table } from './table.js'

const SECONDS_DIGITS = 15
const LATEST_SECONDS = 10 ** SECONDS_DIGITS - 1
/** The service takes a time that is longer past than this for a mistake. */
const OLDEST_SECONDS = 5 * 365 * 24 * 3600
const MARK = new StoredItem(Object.freeze({}), 0, false)

/** The items of a table by the end of their time, where it has a time to live. */
export class ItemExpiry {
  /** When to look for items whose time is over. */
  private nextMs = Number.POSITIVE_INFINITY

  constructor(
    readonly attributeName: string,
    private readonly space: Space<StoredItem>,
    private readonly delayMs: number,
    /** How many go at once: the rest is due before the next operation. */
    private readonly batchSize: number,
    private readonly schedule: Schedule,
    private readonly now: () => number,
  ) {}

  /** Keeps up with a change of an item. What was written too late stays as long as what has just expired. */
  track(key: string, before: StoredItem | undefined, after: StoredItem | undefined): void {
    const old = before && this.secondsOf(before.item)
    const next = after && this.secondsOf(after.item)
    if (old === next) return
    if (old !== undefined) this.space.remove(expiryKeyOf(old, key))
    if (next === undefined) return
    this.space.put(expiryKeyOf(next, key), MARK)
    this.scheduleAt(Math.max(next * 1000, this.now()) + this.delayMs)
  }

  /** Looks at once, where it is not known what was looked for. */
  scheduleImmediately(): void {
    this.scheduleAt(0)
  }

  isDue(nowMs: number): boolean {
    return this.nextMs <= nowMs
  }

  /** The keys of the items that are to go now. */
  dueKeys(nowMs: number): string[] {
    const endSeconds = Math.floor((nowMs - this.delayMs) / 1000)
    const keys: string[] = []
    const range = { from: oldestExpiryText(nowMs), to: formatSeconds(endSeconds + 1), reverse: false }
    this.space.range(range, (_, key) => keys.push(key.slice(SECONDS_DIGITS)) < this.batchSize)
    return keys
  }

  /** Puts on the agenda what is next: of a table that was due, what is left of it or comes after it. */
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

  /** Only a number is a time; what is no time of this world never comes. */
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

/** What is older is never due. */
function oldestExpiryText(nowMs: number): string {
  return formatSeconds(Math.max(0, Math.floor(nowMs / 1000) - OLDEST_SECONDS))
}

function formatSeconds(seconds: number): string {
  return String(seconds).padStart(SECONDS_DIGITS, '0')
}

function expirySpaceNameOf(table: Table): string {
  // No index is called so: a slash is in no name.
  return `${table.description.TableId}/expiry/items`
}

/** From now on the table's items expire, those that it has among them. */
export function startExpiry(engine: Engine, table: Table, attributeName: string): void {
  const expiry = newExpiry(engine, table, attributeName)
  table.space.range({ from: '', to: undefined, reverse: false }, (stored, key) => {
    expiry.track(key, undefined, stored)
    return true
  })
  table.expiry = expiry
}

/** Its items go on expiring, as they did before the table was opened. */
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
