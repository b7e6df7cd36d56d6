import type { Item } from '../../dynamodb/attribute-value.js'
import type { Engine } from '../engine.js'
import { encodeKey, type KeySchema } from '../keys/key-schema.js'
import type { Space } from '../keyvalues/port.js'
import type { SimulatedDelay } from '../simulated-delay.js'
import type { Schedule } from '../tables/schedule.js'
import { StoredItem, toStoredItem } from '../values/stored-item.js'

const MS_DIGITS = 15
const NUMBER_DIGITS = 15

interface LagTarget {
  readonly tableId: string
  readonly tableKeys: KeySchema
  readonly indexName: string
}

type ApplyChange = (before: StoredItem | undefined, after: StoredItem | undefined) => void

/**
 * The changes that a global index does not show yet, ordered by the time at which they become visible. They are stored
 * next to the other data, so they survive a crash. The changes of one item stay in their order.
 */
export class IndexLag {
  /** The time at which the latest pending change of each item becomes visible. */
  private readonly latestMs = new Map<string, number>()
  private nextMs = Number.POSITIVE_INFINITY
  private lastNumber = 0

  constructor(
    private readonly target: LagTarget,
    private readonly space: Space<StoredItem>,
    /** Undefined when the lag was turned off: all remaining changes are then applied immediately. */
    private readonly delay: SimulatedDelay | undefined,
    private readonly schedule: Schedule,
    private readonly now: () => number,
  ) {
    this.restoreState()
  }

  /** Adds a change of an item that becomes visible later. Must run within a write. */
  enqueue(key: string, before: StoredItem | undefined, after: StoredItem | undefined): void {
    const number = ++this.lastNumber
    const delayMs = this.delay?.msOf('index', this.target.indexName, number) ?? 0
    const dueMs = Math.max(Math.floor(this.now()) + delayMs, this.latestMs.get(key) ?? 0)
    this.latestMs.set(key, dueMs)
    this.space.put(changeKeyOf(dueMs, number), toStoredChange(before, after))
    this.scheduleAt(dueMs)
  }

  /** Applies every change that is due. Must run within a write. */
  applyDue(nowMs: number, applyChange: ApplyChange): void {
    if (this.nextMs <= nowMs) this.applyDueChanges(this.delay ? nowMs : Number.POSITIVE_INFINITY, applyChange)
    this.schedule.add(this.nextMs)
  }

  private applyDueChanges(nowMs: number, show: ApplyChange): void {
    for (const [at, item] of this.readDueChanges(nowMs)) {
      const { before, after } = item
      show(before && toStoredItem(before.M!), after && toStoredItem(after.M!))
      this.space.remove(at)
      const key = this.keyOf(item)
      if ((this.latestMs.get(key) ?? 0) <= nowMs) this.latestMs.delete(key)
    }
  }

  /** Reads the changes that are due, and sets the time of the next one. */
  private readDueChanges(nowMs: number): [at: string, change: Item][] {
    const due: [string, Item][] = []
    this.nextMs = Number.POSITIVE_INFINITY
    this.space.range(FULL_RANGE, ({ item }, at) => {
      const isDue = dueMsOf(at) <= nowMs
      if (isDue) due.push([at, item])
      else this.nextMs = dueMsOf(at)
      return isDue
    })
    return due
  }

  private scheduleAt(ms: number): void {
    if (ms < this.nextMs) this.nextMs = ms
    this.schedule.add(ms)
  }

  private restoreState(): void {
    this.space.range(FULL_RANGE, ({ item }, at) => {
      this.lastNumber = Math.max(this.lastNumber, numberOf(at))
      this.latestMs.set(this.keyOf(item), dueMsOf(at))
      this.scheduleAt(this.delay ? dueMsOf(at) : 0)
      return true
    })
  }

  private keyOf({ before, after }: Item): string {
    return encodeKey(this.target.tableKeys, (after ?? before)!.M!)
  }
}

const FULL_RANGE = { from: '', to: undefined, reverse: false }

function changeKeyOf(dueMs: number, number: number): string {
  return String(dueMs).padStart(MS_DIGITS, '0') + String(number).padStart(NUMBER_DIGITS, '0')
}

const dueMsOf = (at: string) => Number(at.slice(0, MS_DIGITS))
const numberOf = (at: string) => Number(at.slice(MS_DIGITS))

/** Encodes a change as an item, so that any store of items can hold it. The items inside are shared with the table. */
function toStoredChange(before: StoredItem | undefined, after: StoredItem | undefined): StoredItem {
  const change: Item = {}
  if (before) change.before = { M: before.item }
  if (after) change.after = { M: after.item }
  return new StoredItem(Object.freeze(change), 0, (before?.hasBinary ?? false) || (after?.hasBinary ?? false))
}

/** Creates the lag of a new index, if the option is set. */
export function newIndexLag(engine: Engine, target: LagTarget): IndexLag | undefined {
  const { indexLag: delay } = engine.settings
  return delay && new IndexLag(target, openLagSpace(engine, target), delay, engine.schedule, engine.now)
}

/** Restores the lag of an existing index. It may have pending changes even when the option is no longer set. */
export function resumeIndexLag(engine: Engine, target: LagTarget): IndexLag | undefined {
  const space = openLagSpace(engine, target)
  const { indexLag: delay } = engine.settings
  return delay || !isSpaceEmpty(space) ? new IndexLag(target, space, delay, engine.schedule, engine.now) : undefined
}

function openLagSpace(engine: Engine, { tableId, indexName }: LagTarget): Space<StoredItem> {
  return engine.keyValues.space(lagSpaceNameOf(tableId, indexName))
}

function isSpaceEmpty(space: Space<StoredItem>): boolean {
  let empty = true
  space.range(FULL_RANGE, () => {
    empty = false
    return false
  })
  return empty
}

export function dropIndexLag(engine: Engine, tableId: string, indexName: string): void {
  engine.keyValues.drop(lagSpaceNameOf(tableId, indexName))
}

function lagSpaceNameOf(tableId: string, indexName: string): string {
  return `${tableId}/lag/${indexName}`
}
