import type { ConsumedCapacity } from '../dynamodb/operation-types.js'

type CapacityOutput = { readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined }

/** Adds up the capacities of several responses: one entry for each table, with its breakdown by index. */
export function sumConsumedCapacity(...outputs: readonly CapacityOutput[]): { ConsumedCapacity?: ConsumedCapacity[] } {
  const byTable = new Map<string | undefined, ConsumedCapacity>()
  for (const capacity of outputs.flatMap(({ ConsumedCapacity = [] }) => ConsumedCapacity)) {
    byTable.set(capacity.TableName, addAmounts(byTable.get(capacity.TableName) ?? {}, capacity))
  }
  return byTable.size > 0 ? { ConsumedCapacity: [...byTable.values()] } : {}
}

/** Adds numbers at every depth: every number in a ConsumedCapacity is an amount. */
export function addAmounts<T extends object>(left: T, right: T): T {
  const totals = { ...left } as Record<string, unknown>
  for (const [name, amount] of Object.entries(right)) {
    const sum = totals[name]
    if (typeof sum === 'number' && typeof amount === 'number') totals[name] = sum + amount
    else if (typeof sum === 'object' && typeof amount === 'object') totals[name] = addAmounts(sum as object, amount)
    else if (amount !== undefined) totals[name] = amount
  }
  return totals as T
}
