import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import type { Random } from './random.js'

interface Pending {
  readonly record: ChangeRecord
  readonly item: string
  /** the first turn at which the record can be delivered */
  readonly due: number
}

const MOST_AT_ONCE = 12
const LONGEST_DELAY = 150

/** Delivers records late, repeatedly, and in any order across items. Some runs use any order at all. */
export class Delivery {
  readonly history: ChangeRecord[] = []
  private pending: Pending[] = []
  private readonly busy = new Map<string, number>()
  private hidden: string | undefined

  constructor(
    private readonly random: Random,
    private readonly inOrder: boolean,
  ) {}

  add(records: readonly ChangeRecord[], turn: number): void {
    for (const given of records) {
      const record = this.hidden === undefined ? given : without(given, this.hidden)
      this.history.push(record)
      this.pending.push({
        record,
        item: JSON.stringify(record.dynamodb?.Keys),
        due: turn + (this.random.chance(0.3) ? this.random.below(LONGEST_DELAY) : 0),
      })
    }
  }

  /** Removes an attribute from the old images of records. */
  hide(attribute: string): void {
    this.hidden = attribute
  }

  /** Returns the keys of the latest writes. */
  latest(count: number): unknown[] {
    return this.history.slice(-count).map(({ dynamodb }) => dynamodb?.Keys)
  }

  get isEmpty(): boolean {
    return this.pending.length === 0 && this.busy.size === 0
  }

  /** Returns records to handle, or none if none can be delivered now. */
  take(turn: number, replays: number): { records: ChangeRecord[]; done(failed: ReadonlySet<ChangeRecord>): void } {
    const met = new Set<string>()
    const ready = this.pending.filter(({ item, due }) => {
      const first = !met.has(item) && !this.busy.has(item)
      if (this.inOrder) met.add(item)
      return due <= turn && (!this.inOrder || first)
    })
    const some: Pending[] = []
    const most = 1 + this.random.below(MOST_AT_ONCE)
    while (some.length < most && ready.length > 0) some.push(ready.splice(this.random.below(ready.length), 1)[0]!)
    const taken = new Set(some)
    this.pending = this.pending.filter(each => !taken.has(each))
    for (const { item } of some) this.busy.set(item, (this.busy.get(item) ?? 0) + 1)
    const again = Array.from({ length: this.history.length > 0 ? replays : 0 }, () => this.random.pick(this.history))
    return { records: [...some.map(({ record }) => record), ...again], done: failed => this.done(some, failed) }
  }

  private done(some: readonly Pending[], failed: ReadonlySet<ChangeRecord>): void {
    for (const { item } of some) {
      const left = this.busy.get(item)! - 1
      if (left > 0) this.busy.set(item, left)
      else this.busy.delete(item)
    }
    this.pending = [...some.filter(({ record }) => failed.has(record)), ...this.pending]
  }
}

function without(record: ChangeRecord, attribute: string): ChangeRecord {
  if (!record.dynamodb?.OldImage) return record
  const { [attribute]: _, ...OldImage } = record.dynamodb.OldImage
  return { ...record, dynamodb: { ...record.dynamodb, OldImage } }
}
