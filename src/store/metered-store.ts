import type { ConsumedCapacity, ReturnConsumedCapacity } from '../dynamodb/operation-types.js'
import { addConsumedCapacity, emptyUsage, type Usage } from './capacity-usage.js'
import { OPERATION_TRAITS } from './operation-traits.js'
import type { OperationInput, OperationOutput, Store } from './port.js'
import { type WrappedStore, wrap } from './wrap.js'

/** A metered store and its usage. */
export interface MeteredStore<Input extends Store = Store> {
  /** The same store, with every request counted. */
  readonly store: WrappedStore<Input>
  readonly meter: {
    /** Returns a copy of the counts since the last reset. */
    snapshot(): Usage
    reset(): void
  }
}

/**
 * Counts the requests that reach a store and the capacity that they consume.
 *
 * The wrapper requests consumed capacity itself; callers receive only the capacity that they asked for. Below
 * `retrying`, the meter counts every attempt: `retrying(metered(store).store)`. Above it, the meter counts every call:
 * `metered(retrying(store))`.
 *
 * @param store - The store to count on.
 * @returns The counted store, and the meter with the counts.
 * @example
 * ```ts
 * import { memory } from 'edgewise/engine'
 * import { metered } from 'edgewise'
 *
 * const { store, meter } = metered(memory())
 * await store.listTables({})
 * console.log(meter.snapshot().requests)
 * ```
 */
export function metered<Input extends Store>(store: Input): MeteredStore<Input> {
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
    // An invalid ReturnConsumedCapacity is passed on, so that the store rejects it.
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
