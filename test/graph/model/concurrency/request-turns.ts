import type { Operation, Store } from '../../../../src/store/port.js'
import { wrap } from '../../../../src/store/wrap.js'
import type { Random } from '../../../derive/simulator/random.js'
import { Actor, type Schedule } from '../../../derive/simulator/schedule.js'
import { apart } from '../../../derive/simulator/split-requests.js'

const ON_ITEMS = /Item|query|scan/
const WRITES = /^(put|update|delete|transactWrite)Item/

/** How requests of one of several are let through. */
export interface Turns {
  readonly schedule: Schedule
  readonly random: Random
  /** How often a write is lost before it is done, and how often its answer is after it was. */
  readonly lossRate: number
  /** Told of each write that was done, before anybody else has a turn. */
  wrote(operation: Operation): Promise<void>
}

/** The store as one of several sees it: each of its requests waits for its turn. */
export function inTurns(store: Store, name: string, { schedule, random, lossRate, wrote }: Turns): Store {
  const actor = new Actor(name)
  const turned = wrap(store, async (operation, request, options, send) => {
    if (!ON_ITEMS.test(operation)) return send(request, options)
    await schedule.turn(actor)
    if (!WRITES.test(operation)) return send(request, options)
    if (random.chance(lossRate)) throw hangUp()
    const answer = await send(request, options)
    await wrote(operation)
    if (random.chance(lossRate)) throw hangUp()
    return answer
  })
  return apart(turned, random)
}

const hangUp = () => Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
