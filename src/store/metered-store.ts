import type { ConsumedCapacity, ReturnConsumedCapacity } from '../dynamodb/operations/capacity.js'
import { addConsumedCapacity, emptyUsage, type Usage } from './capacity-usage.js'
import { OPERATION_TRAITS } from './operation-traits.js'
import type { OperationInput, OperationOutput, Store } from './port.js'
import { type WrappedStore, wrap } from './wrap.js'

/** A store that counts, and its meter. */
export interface MeteredStore<Given extends Store = Store> {
  /** The same store, counted. */
  readonly store: WrappedStore<Given>
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
export function metered<Given extends Store>(store: Given): MeteredStore<Given> {
  let usage = emptyUsage()
  const meter = {
    snapshot: () => structuredClone(usage),
    reset() {
      usage = emptyUsage()
    },
  }
  const countingStore = wrap(store, async (operation, request, options, send) => {
    const { target, effect } = OPERATION_TRAITS[operation]
    usage.requests[operation] = (usage.requests[operation] ?? 0) + 1
    const requestedMode = (request as CapacityInput | undefined)?.ReturnConsumedCapacity
    // A value that DynamoDB does not know goes on to be refused.
    if (target !== 'items' || !VALID_MODES.includes(requestedMode)) return send(request, options)
    const meteredRequest = { ...request, ReturnConsumedCapacity: 'INDEXES' } as OperationInput<typeof operation>
    const output = (await send(meteredRequest, options)) as ConsumedCapacityOutput
    for (const consumed of [output.ConsumedCapacity ?? []].flat()) addConsumedCapacity(usage, effect, consumed)
    return (requestedMode === 'INDEXES' ? output : trimCapacity(output, requestedMode)) as OperationOutput<
      typeof operation
    >
  })
  return { store: countingStore, meter }
}

interface CapacityInput {
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

interface ConsumedCapacityOutput {
  ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] | undefined
}

const VALID_MODES: readonly unknown[] = [undefined, null, 'NONE', 'TOTAL', 'INDEXES']

function trimCapacity(
  output: ConsumedCapacityOutput,
  requestedMode: ReturnConsumedCapacity | undefined,
): ConsumedCapacityOutput {
  const { ConsumedCapacity: consumed, ...rest } = output
  if (requestedMode !== 'TOTAL' || consumed === undefined) return rest
  return {
    ...rest,
    ConsumedCapacity: Array.isArray(consumed) ? consumed.map(toTotalCapacity) : toTotalCapacity(consumed),
  }
}

function toTotalCapacity(consumed: ConsumedCapacity): ConsumedCapacity {
  const { Table, LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes, ...rest } = consumed
  return rest
}
