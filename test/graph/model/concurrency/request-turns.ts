import type { Operation, Store } from '../../../../src/store/port.js'
import { wrap } from '../../../../src/store/wrap.js'
import type { Random } from '../../../derive/simulator/random.js'
import { Actor, type Schedule } from '../../../derive/simulator/schedule.js'
import { apart } from '../../../derive/simulator/split-requests.js'

const ON_ITEMS = /Item|query|scan/
const WRITES = /^(put|update|delete|transactWrite)Item/

/** The schedule of one caller's requests. */
export interface Turns {
  readonly schedule: Schedule
  readonly random: Random
  /** The probability that a write is lost before it is applied, and that its response is lost afterwards. */
  readonly lossRate: number
  /** Called after each applied write, before the next request runs. */
  wrote(operation: Operation): Promise<void>
}

/** The store as one caller sees it: each request waits for its turn. */
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
