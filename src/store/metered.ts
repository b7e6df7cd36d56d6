import type { ConsumedCapacity, ReturnConsumedCapacity } from '../dynamodb/operations/capacity.js'
import { count, type Usage, unused } from './meter.js'
import { OPERATIONS } from './operations.js'
import type { Answer, Request, Store } from './port.js'
import { type Wrapped, wrap } from './wrap.js'

/** A store that counts, and its meter. */
export interface Metered<Given extends Store = Store> {
  /** The same store, counted. */
  readonly store: Wrapped<Given>
  readonly meter: {
    /** A copy of what was counted since the last reset. */
    snapshot(): Usage
    reset(): void
  }
}

/**
 * Counts the requests that go to a store and the capacity that they consume.
 *
 * Capacity is asked for by itself; callers get of it only what they asked for. Under `retrying` every attempt is
 * counted, over it every call: `retrying(metered(store).store)` against `metered(retrying(store))`.
 */
export function metered<Given extends Store>(store: Given): Metered<Given> {
  let usage = unused()
  const meter = {
    snapshot: () => structuredClone(usage),
    reset() {
      usage = unused()
    },
  }
  const counted = wrap(store, async (operation, request, options, send) => {
    const { on, effect } = OPERATIONS[operation]
    usage.requests[operation] = (usage.requests[operation] ?? 0) + 1
    const asked = (request as Asking | undefined)?.ReturnConsumedCapacity
    // A value that DynamoDB does not know goes on to be refused.
    if (on !== 'items' || !KNOWN.includes(asked)) return send(request, options)
    const asking = { ...request, ReturnConsumedCapacity: 'INDEXES' } as Request<typeof operation>
    const answer = (await send(asking, options)) as Consuming
    for (const consumed of [answer.ConsumedCapacity ?? []].flat()) count(usage, effect, consumed)
    return (asked === 'INDEXES' ? answer : trimmed(answer, asked)) as Answer<typeof operation>
  })
  return { store: counted, meter }
}

interface Asking {
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

interface Consuming {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined
}

const KNOWN: readonly unknown[] = [undefined, null, 'NONE', 'TOTAL', 'INDEXES']

function trimmed(answer: Consuming, asked: ReturnConsumedCapacity | undefined): Consuming {
  const { ConsumedCapacity: consumed, ...rest } = answer
  if (asked !== 'TOTAL' || consumed === undefined) return rest
  return { ...rest, ConsumedCapacity: Array.isArray(consumed) ? consumed.map(total) : total(consumed) }
}

function total(consumed: ConsumedCapacity): ConsumedCapacity {
  const { Table, LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes, ...rest } = consumed
  return rest
}
