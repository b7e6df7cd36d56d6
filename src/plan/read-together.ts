import type { Key } from '../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import type { ReadOptions } from './ask.js'
import { checkCount, chunksOf } from './chunks.js'
import { byKey } from './identity.js'
import type { ItemShape, Plan, SeveralShape } from './plan.js'
import type { Sizes } from './price.js'
import { readStep } from './step.js'

type Together = 'batchGetItem' | 'transactGetItems'

/** Several reads of one item each in the fewest requests, or all at one moment; each key is read once, and whole. */
export function planTogether(layout: Layout, plans: readonly Plan[], operation: Together, sizes?: Sizes): Plan {
  const inputs = plans.map(({ steps }) => steps[0]!.request.input)
  const of = plans.map(({ answer }, i) => ({ key: inputs[i]!.Key as Key, answer: answer as ItemShape }))
  const consistent = inputs.some(({ ConsistentRead }) => ConsistentRead === true)
  return together(layout, of, operation, { consistent, sizes })
}

export function together(layout: Layout, of: SeveralShape['of'], operation: Together, options: ReadOptions): Plan {
  const TableName = layout.design.name
  const once = byKey(
    layout,
    of.map(({ key }) => key),
  )
  const keys = [...once.values()]
  const isBatch = operation === 'batchGetItem'
  if (!isBatch) checkCount('read.transaction', keys.length)
  const steps = chunksOf(keys, BATCH_GET_KEYS).map((Keys, i) => {
    const asked = isBatch ? { Keys } : { TransactItems: Keys.map(Key => ({ Get: { TableName, Key } })) }
    return readStep(layout, i, operation, asked, options, Keys.length)
  })
  return { steps, answer: { shape: 'several', of } }
}
