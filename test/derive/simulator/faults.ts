import type { Store } from '../../../src/index.js'
import { wrap } from '../../../src/store/wrap.js'
import type { Random } from './random.js'
import type { Actor, Schedule } from './schedule.js'
import { apart } from './split-requests.js'

/** Number of injected faults of each kind in a run. */
export type Injected = Record<string, number>

export interface FaultRates {
  readonly throttled: number
  readonly conflict: number
  /** the request was applied, but its response was lost */
  readonly lost: number
  /** the request was not applied, and its outcome is unknown to the actor */
  readonly unsent: number
}

const WRITES = /^(put|update|delete|batchWrite|transactWrite)/

/** The store of an actor: every request waits for its turn, and some fail. */
export function seenBy(
  store: Store,
  actor: () => Actor,
  schedule: Schedule,
  random: Random,
  rates: () => FaultRates | undefined,
  injected: Injected,
): Store {
  const turned = wrap(store, async (operation, request, options, send) => {
    await schedule.turn(actor())
    const given = rates()
    const fault = given && WRITES.test(operation) ? drawn(random, given, operation) : undefined
    if (fault) injected[fault] = (injected[fault] ?? 0) + 1
    if (fault && fault !== 'lost') throw errorOf(fault, request)
    const answer = await send(request, options)
    if (fault) throw errorOf(fault, request)
    return answer
  })
  return apart(turned, random)
}

function drawn(random: Random, rates: FaultRates, operation: string): keyof FaultRates | undefined {
  let left = random.next()
  for (const [name, share] of Object.entries(rates) as [keyof FaultRates, number][]) {
    if (left < share) return name === 'conflict' && operation !== 'transactWriteItems' ? 'throttled' : name
    left -= share
  }
  return undefined
}

function errorOf(fault: keyof FaultRates, request: object): Error {
  const named = (name: string, more: object = {}) => Object.assign(new Error(`injected: ${fault}`), { name }, more)
  if (fault === 'throttled') return named('ProvisionedThroughputExceededException')
  if (fault === 'lost' || fault === 'unsent') return Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
  const { TransactItems = [] } = request as { TransactItems?: unknown[] }
  const CancellationReasons = TransactItems.map((_, at) => ({ Code: at === 0 ? 'TransactionConflict' : 'None' }))
  return named('TransactionCanceledException', { CancellationReasons })
}
