import type { ReturnConsumedCapacity } from '../../dynamodb/operations/capacity.js'
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

/** Whether anything can be refused that would be done at another time. */
export function canFailTransiently({ inFlight, traffic }: Engine): boolean {
  return inFlight !== undefined || traffic !== undefined
}

/** Plans an action that is located, if what else goes on in the engine lets it through. */
export function planWrite(engine: Engine, action: Pick<WriteAction, 'plan'>, place: ItemLocation): PlannedWrite {
  const { inFlight, traffic } = engine
  inFlight?.checkItemFree(place)
  return traffic ? traffic.planWrite(engine, place, () => action.plan(place)) : action.plan(place)
}

/** A write by itself. */
export function executeSingleWrite({ traffic }: Engine, request: Metered, write: PlannedWrite): OperationUnits {
  const units = executeWrite(write, isCapacityRequested(request))
  traffic?.countWrite(write, units)
  return units
}

/** The writes of a transaction, which is under way from then on. */
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

/** Lets a read of one item through, if there is capacity for it. */
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

/** An item that a transaction may read. */
export function admitTransactionRead(engine: Engine, place: ItemLocation): ItemLocation {
  engine.inFlight?.checkItemFree(place)
  admitRead(engine, place)
  return place
}
