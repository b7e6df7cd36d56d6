import type { Key } from '../../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import { assertTransactionSize, chunksOf } from '../chunks.js'
import { indexByKey } from '../identity.js'
import type { ItemShape, Plan, SeveralShape } from '../plan.js'
import type { Sizes } from '../price/read-price.js'
import { readStep } from '../step.js'
import type { ReadOptions } from './options.js'

type CombinedOperation = 'batchGetItem' | 'transactGetItems'

/**
 * Plans several single-item reads in the fewest requests, or in one transaction. Each key is read in full and only on
 * its first mention.
 */
export function planCombinedRead(
  layout: Layout,
  plans: readonly Plan[],
  operation: CombinedOperation,
  sizes?: Sizes,
): Plan {
  const inputs = plans.map(({ steps }) => steps[0]!.request.input)
  const reads = plans.map(({ answer }, i) => ({ key: inputs[i]!.Key as Key, answer: answer as ItemShape }))
  const consistent = inputs.some(({ ConsistentRead }) => ConsistentRead === true)
  return combineReads(layout, reads, operation, { consistent, sizes })
}

export function combineReads(
  layout: Layout,
  reads: SeveralShape['of'],
  operation: CombinedOperation,
  options: ReadOptions,
): Plan {
  const TableName = layout.design.name
  const uniqueKeys = indexByKey(
    layout,
    reads.map(({ key }) => key),
  )
  const keys = [...uniqueKeys.values()]
  const isBatch = operation === 'batchGetItem'
  if (!isBatch) assertTransactionSize('read.transaction', keys.length)
  const steps = chunksOf(keys, BATCH_GET_KEYS).map((Keys, i) => {
    const input = isBatch ? { Keys } : { TransactItems: Keys.map(Key => ({ Get: { TableName, Key } })) }
    return readStep(layout, i, operation, input, options, Keys.length)
  })
  return { steps, answer: { shape: 'several', of: reads } }
}
