import type { ConsumedCapacity } from '../dynamodb/operations/capacity.js'

type Tally = { [name: string]: string | number | Tally | undefined }

/** The capacities of both answers, one for each table, its parts and indexes added up. */
export function addCapacities(
  before: readonly ConsumedCapacity[] | undefined,
  after: readonly ConsumedCapacity[] | undefined,
): ConsumedCapacity[] | undefined {
  if (before === undefined && after === undefined) return undefined
  const byTable = new Map<string | undefined, ConsumedCapacity>()
  for (const capacity of [...(before ?? []), ...(after ?? [])]) {
    const sum = byTable.get(capacity.TableName)
    byTable.set(
      capacity.TableName,
      sum === undefined ? capacity : (add(sum as Tally, capacity as Tally) as ConsumedCapacity),
    )
  }
  return [...byTable.values()]
}

/** Adds numbers wherever they stand: every number in a ConsumedCapacity is an amount. */
function add(left: Tally, right: Tally): Tally {
  const sums = new Map(Object.entries(left))
  for (const [name, amount] of Object.entries(right)) {
    const sum = sums.get(name)
    if (typeof sum === 'number' && typeof amount === 'number') sums.set(name, sum + amount)
    else if (typeof sum === 'object' && typeof amount === 'object') sums.set(name, add(sum, amount))
    else if (amount !== undefined) sums.set(name, amount)
  }
  return Object.fromEntries(sums)
}
