import { countWriteUnits } from '../../dynamodb/capacity.js'
import type { OperationUnits } from '../capacity/consumed-capacity.js'
import type { Engine } from '../engine.js'
import { ServiceError, TransientServiceError } from '../errors.js'
import { entryCostsOf } from '../indexes/maintain-indexes.js'
import type { ItemLocation, PlannedWrite } from '../items/write-action.js'
import type { Table, TableIndex } from '../tables/table.js'
import { billedBytesOf } from '../vectors/billed-bytes.js'
import { HeatCounter } from './key-heat.js'
import { Throttle } from './throttle.js'
import type { ThrottleSettings, TrafficDirection } from './traffic-settings.js'
import { entryTargetOf, payingTargetOf, type TrafficTarget, trafficTargetOf } from './traffic-target.js'

/** The measures of a table or index. */
export interface TrafficMeasures {
  readonly consumed: Record<TrafficDirection, number>
  readonly throttled: Record<TrafficDirection, number>
  readonly heat: HeatCounter
}

/** Counts and throttles the traffic of an engine's tables and indexes. */
export class Traffic {
  private readonly measured = new WeakMap<Table | TableIndex, TrafficMeasures>()
  private readonly throttle: Throttle | undefined

  constructor(
    throttle: ThrottleSettings | undefined,
    private readonly heatKeys: number,
    private readonly now: () => number,
  ) {
    this.throttle = throttle && new Throttle(throttle)
  }

  /** Throws if there is no capacity for a read or write. */
  admit(engine: Engine, target: TrafficTarget, direction: TrafficDirection): void {
    if (!this.throttle) return
    try {
      this.throttle.admit(engine, payingTargetOf(target), direction)
    } catch (error) {
      if (error instanceof TransientServiceError) this.measuresOf(target).throttled[direction]++
      throw error
    }
  }

  /** Counts the units of an admitted request. */
  count(target: TrafficTarget, direction: TrafficDirection, units: number): void {
    if (units === 0) return
    const { consumed, heat } = this.measuresOf(target)
    consumed[direction] += units
    heat.add(target.partition, direction, units)
    this.throttle?.take(payingTargetOf(target), direction, units, this.now())
  }

  /** Plans a write if its table and all changed indexes have capacity. A failed condition consumes capacity too. */
  planWrite(engine: Engine, place: ItemLocation, plan: () => PlannedWrite): PlannedWrite {
    const target = trafficTargetOf(place.table, undefined, place.key)
    this.admit(engine, target, 'Write')
    const write = this.planOrCharge(target, place, plan)
    for (const entry of changedEntriesOf(write)) if (entry.index?.kind === 'global') this.admit(engine, entry, 'Write')
    return write
  }

  private planOrCharge(target: TrafficTarget, { before }: ItemLocation, plan: () => PlannedWrite): PlannedWrite {
    try {
      return plan()
    } catch (error) {
      const failed = error instanceof ServiceError && error.name === 'ConditionalCheckFailedException'
      if (failed) this.count(target, 'Write', countWriteUnits(billedBytesOf(target.table, before)))
      throw error
    }
  }

  /** Counts an executed write. */
  countWrite(write: PlannedWrite, units: OperationUnits): void {
    this.count(trafficTargetOf(write.table, undefined, write.key), 'Write', units.table)
    for (const { units: spent, ...entry } of changedEntriesOf(write)) this.count(entry, 'Write', spent)
  }

  /** Counts a read of a table or index, with the units of completing entries from the table. */
  countRead(target: TrafficTarget, { table, indexes }: OperationUnits): void {
    const { index } = target
    if (index) this.count(target, 'Read', indexes?.get(index) ?? 0)
    this.count({ ...target, index: undefined }, 'Read', table)
  }

  measuresOf({ table, index }: Pick<TrafficTarget, 'table' | 'index'>): TrafficMeasures {
    const known = this.measured.get(index ?? table)
    if (known) return known
    const measures = {
      consumed: { Read: 0, Write: 0 },
      throttled: { Read: 0, Write: 0 },
      heat: new HeatCounter(this.heatKeys),
    }
    this.measured.set(index ?? table, measures)
    return measures
  }
}

/** Returns the index entries that a write changes, with the units of each. */
function changedEntriesOf({ table, before, after }: PlannedWrite): (TrafficTarget & { units: number })[] {
  if (before === after) return []
  return table.indexes.flatMap(index =>
    entryCostsOf(index, before, after).map(({ entry, units }) => ({ ...entryTargetOf(table, index, entry), units })),
  )
}
