import type { Item } from '../../dynamodb/attribute-value.js'
import type { Delaying } from '../delay.js'
import type { Engine } from '../engine.js'
import { encodeKey, type KeySchema } from '../keys/schema.js'
import type { Space } from '../keyvalues/port.js'
import type { Agenda } from '../tables/agenda.js'
import { Stored, storedFrom } from '../values/stored.js'

const MS_DIGITS = 15
const NUMBER_DIGITS = 15

interface LagOf {
  readonly tableId: string
  readonly tableKeys: KeySchema
  readonly indexName: string
}

type Show = (before: Stored | undefined, after: Stored | undefined) => void

/**
 * The changes that a global index does not show yet, by the time at which it will. They lie where all else lies, so that
 * they are there again after a crash; those of an item come in their order.
 */
export class IndexLag {
  /** When the latest change of each item that has any will show. */
  private readonly latestMs = new Map<string, number>()
  private nextMs = Number.POSITIVE_INFINITY
  private number = 0

  constructor(
    private readonly of: LagOf,
    private readonly space: Space<Stored>,
    /** Where there is none any more, all that is left over shows at once. */
    private readonly delay: Delaying | undefined,
    private readonly agenda: Agenda,
    private readonly now: () => number,
  ) {
    this.resume()
  }

  /** Takes in a change of an item, to be shown later. Within a write. */
  follow(key: string, before: Stored | undefined, after: Stored | undefined): void {
    const number = ++this.number
    const delayMs = this.delay?.msOf('index', this.of.indexName, number) ?? 0
    const dueMs = Math.max(Math.floor(this.now()) + delayMs, this.latestMs.get(key) ?? 0)
    this.latestMs.set(key, dueMs)
    this.space.put(changeKey(dueMs, number), changeOf(before, after))
    this.plan(dueMs)
  }

  /** Shows every change whose time has come. Within a write. */
  catchUp(nowMs: number, show: Show): void {
    if (this.nextMs <= nowMs) this.showDue(this.delay ? nowMs : Number.POSITIVE_INFINITY, show)
    this.agenda.add(this.nextMs)
  }

  private showDue(nowMs: number, show: Show): void {
    for (const [at, item] of this.takeDue(nowMs)) {
      const { before, after } = item
      show(before && storedFrom(before.M!), after && storedFrom(after.M!))
      this.space.remove(at)
      const key = this.keyOf(item)
      if ((this.latestMs.get(key) ?? 0) <= nowMs) this.latestMs.delete(key)
    }
  }

  /** What is due, and from when on more will be. */
  private takeDue(nowMs: number): [at: string, change: Item][] {
    const due: [string, Item][] = []
    this.nextMs = Number.POSITIVE_INFINITY
    this.space.range(ALL, ({ item }, at) => {
      const isDue = dueMsOf(at) <= nowMs
      if (isDue) due.push([at, item])
      else this.nextMs = dueMsOf(at)
      return isDue
    })
    return due
  }

  private plan(ms: number): void {
    if (ms < this.nextMs) this.nextMs = ms
    this.agenda.add(ms)
  }

  private resume(): void {
    this.space.range(ALL, ({ item }, at) => {
      this.number = Math.max(this.number, numberOf(at))
      this.latestMs.set(this.keyOf(item), dueMsOf(at))
      this.plan(this.delay ? dueMsOf(at) : 0)
      return true
    })
  }

  private keyOf({ before, after }: Item): string {
    return encodeKey(this.of.tableKeys, (after ?? before)!.M!)
  }
}

const ALL = { from: '', to: undefined, reverse: false }

function changeKey(dueMs: number, number: number): string {
  return String(dueMs).padStart(MS_DIGITS, '0') + String(number).padStart(NUMBER_DIGITS, '0')
}

const dueMsOf = (at: string) => Number(at.slice(0, MS_DIGITS))
const numberOf = (at: string) => Number(at.slice(MS_DIGITS))

/** Shaped as an item, so that whatever keeps items keeps it too. The items in it are shared with the table. */
function changeOf(before: Stored | undefined, after: Stored | undefined): Stored {
  const change: Item = {}
  if (before) change.before = { M: before.item }
  if (after) change.after = { M: after.item }
  return new Stored(Object.freeze(change), 0, (before?.hasBinary ?? false) || (after?.hasBinary ?? false))
}

/** What a new index lags behind by, if that is asked for. */
export function newLag(engine: Engine, of: LagOf): IndexLag | undefined {
  const { indexLag: delay } = engine.settings
  return delay && new IndexLag(of, lagSpace(engine, of), delay, engine.agenda, engine.now)
}

/** The same of an index that was there before, which may have something left over although it is not asked for. */
export function resumeLag(engine: Engine, of: LagOf): IndexLag | undefined {
  const space = lagSpace(engine, of)
  const { indexLag: delay } = engine.settings
  return delay || !isEmpty(space) ? new IndexLag(of, space, delay, engine.agenda, engine.now) : undefined
}

function lagSpace(engine: Engine, { tableId, indexName }: LagOf): Space<Stored> {
  return engine.keyValues.space(lagSpaceName(tableId, indexName))
}

function isEmpty(space: Space<Stored>): boolean {
  let empty = true
  space.range(ALL, () => {
    empty = false
    return false
  })
  return empty
}

export function dropLag(engine: Engine, tableId: string, indexName: string): void {
  engine.keyValues.drop(lagSpaceName(tableId, indexName))
}

function lagSpaceName(tableId: string, indexName: string): string {
  return `${tableId}/lag/${indexName}`
}
