import { writeUnits } from '../../dynamodb/capacity.js'
import type { Units } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { HeldBackError, ServiceError } from '../errors.js'
import { entryCosts } from '../indexes/maintain.js'
import type { Place, PlannedWrite } from '../items/action.js'
import type { Index, Table } from '../tables/table.js'
import { billedBytes } from '../vectors/billed.js'
import { Heat } from './key-heat.js'
import type { Direction, ThrottleSettings } from './settings.js'
import { entryTarget, payerOf, type Target, targetOf } from './target.js'
import { Throttle } from './throttle.js'

/** Of a table or an index. */
export interface Measured {
  readonly consumed: Record<Direction, number>
  readonly throttled: Record<Direction, number>
  readonly heat: Heat
}

/** What goes to the tables and indexes of an engine: counted, and held back where it is too much. */
export class Traffic {
  private readonly measured = new WeakMap<Table | Index, Measured>()
  private readonly throttle: Throttle | undefined

  constructor(
    throttle: ThrottleSettings | undefined,
    private readonly heatKeys: number,
    private readonly now: () => number,
  ) {
    this.throttle = throttle && new Throttle(throttle)
  }

  /** Refuses a read or a write for want of capacity. */
  admit(engine: Engine, target: Target, direction: Direction): void {
    if (!this.throttle) return
    try {
      this.throttle.admit(engine, payerOf(target), direction)
    } catch (error) {
      if (error instanceof HeldBackError) this.of(target).throttled[direction]++
      throw error
    }
  }

  /** Counts what was admitted. */
  count(target: Target, direction: Direction, units: number): void {
    if (units === 0) return
    const { consumed, heat } = this.of(target)
    consumed[direction] += units
    heat.add(target.partition, direction, units)
    this.throttle?.take(payerOf(target), direction, units, this.now())
  }

  /** Plans a write, if its table and the indexes that it changes have capacity for it. A failed condition takes its part. */
  planWrite(engine: Engine, place: Place, plan: () => PlannedWrite): PlannedWrite {
    const target = targetOf(place.table, undefined, place.key)
    this.admit(engine, target, 'Write')
    const write = this.planned(target, place, plan)
    for (const entry of entriesOf(write)) if (entry.index?.kind === 'global') this.admit(engine, entry, 'Write')
    return write
  }

  private planned(target: Target, { before }: Place, plan: () => PlannedWrite): PlannedWrite {
    try {
      return plan()
    } catch (error) {
      const failed = error instanceof ServiceError && error.name === 'ConditionalCheckFailedException'
      if (failed) this.count(target, 'Write', writeUnits(billedBytes(target.table, before)))
      throw error
    }
  }

  /** Counts a write that was carried out. */
  countWrite(write: PlannedWrite, units: Units): void {
    this.count(targetOf(write.table, undefined, write.key), 'Write', units.table)
    for (const { units: spent, ...entry } of entriesOf(write)) this.count(entry, 'Write', spent)
  }

  /** Counts a read of a table or an index, with what was completed from the table. */
  countRead(target: Target, { table, indexes }: Units): void {
    const { index } = target
    if (index) this.count(target, 'Read', indexes?.get(index) ?? 0)
    this.count({ ...target, index: undefined }, 'Read', table)
  }

  of({ table, index }: Pick<Target, 'table' | 'index'>): Measured {
    const known = this.measured.get(index ?? table)
    if (known) return known
    const made = { consumed: { Read: 0, Write: 0 }, throttled: { Read: 0, Write: 0 }, heat: new Heat(this.heatKeys) }
    this.measured.set(index ?? table, made)
    return made
  }
}

/** The entries of indexes that a write changes, each with what that takes. */
function entriesOf({ table, before, after }: PlannedWrite): (Target & { units: number })[] {
  if (before === after) return []
  return table.indexes.flatMap(index =>
    entryCosts(index, before, after).map(({ entry, units }) => ({ ...entryTarget(table, index, entry), units })),
  )
}
