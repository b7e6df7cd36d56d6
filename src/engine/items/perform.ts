import type { ReturnConsumedCapacity } from '../../dynamodb/operations/capacity.js'
import type { Units } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { targetOf } from '../traffic/target.js'
import { type Action, carryOut, isMetered, type Place, type PlannedWrite, transactional } from './action.js'

interface Metered {
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

/** Whether anything can be refused that would be done at another time. */
export function mayHoldBack({ inFlight, traffic }: Engine): boolean {
  return inFlight !== undefined || traffic !== undefined
}

/** Plans an action that is located, if what else goes on in the engine lets it through. */
export function planWrite(engine: Engine, action: Pick<Action, 'plan'>, place: Place): PlannedWrite {
  const { inFlight, traffic } = engine
  inFlight?.refuse(place)
  return traffic ? traffic.planWrite(engine, place, () => action.plan(place)) : action.plan(place)
}

/** A write by itself. */
export function carryOutAlone({ traffic }: Engine, request: Metered, write: PlannedWrite): Units {
  const units = carryOut(write, isMetered(request))
  traffic?.countWrite(write, units)
  return units
}

/** The writes of a transaction, which is under way from then on. */
export function carryOutTogether(
  { inFlight, traffic, now }: Engine,
  request: Metered,
  writes: readonly PlannedWrite[],
  token: string | undefined,
): Units[] {
  inFlight?.hold(writes, token)
  const atMs = now()
  return writes.map(write => {
    const units = transactional(carryOut(write, isMetered(request), { atMs }))
    traffic?.countWrite(write, units)
    return units
  })
}

/** Lets a read of one item through, if there is capacity for it. */
export function admitRead(engine: Engine, { table, key }: Pick<Place, 'table' | 'key'>): true {
  engine.traffic?.admit(engine, targetOf(table, undefined, key), 'Read')
  return true
}

export function countRead({ traffic }: Engine, { table, key }: Pick<Place, 'table' | 'key'>, units: number): void {
  traffic?.count(targetOf(table, undefined, key), 'Read', units)
}

/** An item that a transaction may read. */
export function admitTogether(engine: Engine, place: Place): Place {
  engine.inFlight?.refuse(place)
  admitRead(engine, place)
  return place
}
