import type { Key } from '../../dynamodb/attribute-value.js'
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../../dynamodb/limits.js'
import { partitionKey } from '../keys/partition.js'
import type { KeySchema } from '../keys/schema.js'
import type { Direction } from './settings.js'

/** Units that were taken. */
export interface TakenUnits {
  readonly readUnits: number
  readonly writeUnits: number
}

/** What one partition key took. */
export interface KeyHeat extends TakenUnits {
  readonly key: Key
}

type Taken = Record<Direction, number>

/** What partition keys took. Of those that are too many to tell apart, the coldest are put together. */
export class Heat {
  private readonly taken = new Map<string, Taken>()
  private readonly others: Taken = { Read: 0, Write: 0 }

  constructor(private readonly keysMost: number) {}

  add(partition: string | undefined, direction: Direction, units: number): void {
    if (partition === undefined) this.others[direction] += units
    else this.of(partition)[direction] += units
  }

  hottest(keys: KeySchema): KeyHeat[] {
    return this.ordered()
      .slice(0, this.keysMost)
      .map(([partition, taken]) => ({ key: partitionKey(keys, partition), ...unitsOf(taken) }))
  }

  /** What is not told by key. */
  rest(): TakenUnits {
    const rest = { ...this.others }
    for (const [, taken] of this.ordered().slice(this.keysMost)) add(rest, taken)
    return unitsOf(rest)
  }

  private of(partition: string): Taken {
    const known = this.taken.get(partition)
    if (known) return known
    if (this.taken.size >= 2 * this.keysMost) this.forgetColdest()
    const taken = { Read: 0, Write: 0 }
    this.taken.set(partition, taken)
    return taken
  }

  private forgetColdest(): void {
    for (const [partition, taken] of this.ordered().slice(this.keysMost)) {
      add(this.others, taken)
      this.taken.delete(partition)
    }
  }

  private ordered(): [partition: string, taken: Taken][] {
    return [...this.taken].sort(([, a], [, b]) => heat(b) - heat(a))
  }
}

/** By the seconds that a partition needs for it. */
function heat({ Read, Write }: Taken): number {
  return Read / PARTITION_READ_UNITS + Write / PARTITION_WRITE_UNITS
}

function add(sum: Taken, more: Taken): void {
  sum.Read += more.Read
  sum.Write += more.Write
}

function unitsOf({ Read, Write }: Taken): TakenUnits {
  return { readUnits: Read, writeUnits: Write }
}
