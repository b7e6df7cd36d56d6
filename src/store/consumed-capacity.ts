import type { ConsumedCapacity } from '../dynamodb/operations/capacity.js'

type Told = { readonly ConsumedCapacity?: readonly ConsumedCapacity[] | undefined }

/** The capacities of several answers, where any tells: one for each table, its parts and indexes added up. */
export function addCapacities(...answers: readonly Told[]): { ConsumedCapacity?: ConsumedCapacity[] } {
  const byTable = new Map<string | undefined, ConsumedCapacity>()
  for (const capacity of answers.flatMap(({ ConsumedCapacity = [] }) => ConsumedCapacity)) {
    byTable.set(capacity.TableName, added(byTable.get(capacity.TableName) ?? {}, capacity))
  }
  return byTable.size > 0 ? { ConsumedCapacity: [...byTable.values()] } : {}
}

/** Adds numbers wherever they stand: every number in a ConsumedCapacity is an amount. */
export function added<T extends object>(left: T, right: T): T {
  const sums = { ...left } as Record<string, unknown>
  for (const [name, amount] of Object.entries(right)) {
    const sum = sums[name]
    if (typeof sum === 'number' && typeof amount === 'number') sums[name] = sum + amount
    else if (typeof sum === 'object' && typeof amount === 'object') sums[name] = added(sum as object, amount)
    else if (amount !== undefined) sums[name] = amount
  }
  return sums as T
}
