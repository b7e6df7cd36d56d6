import type { ReturnConsumedCapacity } from '../../dynamodb/operation-types.js'
import type { OperationUnits } from '../capacity/consumed-capacity.js'
import type { Engine } from '../engine.js'
import { trafficTargetOf } from '../traffic/traffic-target.js'
import {
  executeWrite,
  type ItemLocation,
  isCapacityRequested,
  type PlannedWrite,
  toTransactionUnits,
  type WriteAction,
} from './write-action.js'

interface Metered {
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

/** Returns whether requests can fail with errors that a retry may resolve. */
export function canFailTransiently({ inFlight, traffic }: Engine): boolean {
  return inFlight !== undefined || traffic !== undefined
}

/** Plans a located action after checking for conflicts and capacity. */
export function planWrite(engine: Engine, action: Pick<WriteAction, 'plan'>, place: ItemLocation): PlannedWrite {
  const { inFlight, traffic } = engine
  inFlight?.checkItemFree(place)
  return traffic ? traffic.planWrite(engine, place, () => action.plan(place)) : action.plan(place)
}

/** Executes a write that is not part of a transaction. */
export function executeSingleWrite({ traffic }: Engine, request: Metered, write: PlannedWrite): OperationUnits {
  const units = executeWrite(write, isCapacityRequested(request))
  traffic?.countWrite(write, units)
  return units
}

/** Executes the writes of a transaction, which is in progress from then on. */
export function executeTransactionWrites(
  { inFlight, traffic, now }: Engine,
  request: Metered,
  writes: readonly PlannedWrite[],
  token: string | undefined,
): OperationUnits[] {
  inFlight?.begin(writes, token)
  const atMs = now()
  return writes.map(write => {
    const units = toTransactionUnits(executeWrite(write, isCapacityRequested(request), { atMs }))
    traffic?.countWrite(write, units)
    return units
  })
}

/** Throws if there is no capacity for reading an item. */
export function admitRead(engine: Engine, { table, key }: Pick<ItemLocation, 'table' | 'key'>): true {
  engine.traffic?.admit(engine, trafficTargetOf(table, undefined, key), 'Read')
  return true
}

export function countRead(
  { traffic }: Engine,
  { table, key }: Pick<ItemLocation, 'table' | 'key'>,
  units: number,
): void {
  traffic?.count(trafficTargetOf(table, undefined, key), 'Read', units)
}

/** Throws if a transaction cannot read an item because of a conflict or missing capacity. */
export function admitTransactionRead(engine: Engine, place: ItemLocation): ItemLocation {
  engine.inFlight?.checkItemFree(place)
  admitRead(engine, place)
  return place
}
