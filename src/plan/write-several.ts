import type { Item } from '../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../dynamodb/limits.js'
import type { Layout } from '../layout/layout.js'
import { canonical } from './change-values.js'
import { chunksOf } from './chunks.js'
import { keyText, kindOf, tableKey } from './identity.js'
import type { Change, Plan, Step } from './plan.js'
import { totalPrice } from './price.js'
import { shifted } from './step.js'
import { planChanges } from './write-plan.js'
import { type ReceiptOptions, receiptOf } from './write-receipt.js'
import { refusalError } from './write-refusal.js'
import { type Traits, traitsOf } from './write-traits.js'

/**
 * What plans change: a node or an edge each. Of one that is there twice, chance would tell what comes last. A batch may
 * have other calls beside these, so that their number tells nothing.
 */
function changesOf(layout: Layout, plans: readonly Plan[], isBatch?: boolean): Change[] {
  const met = new Set<string>()
  const changes = plans.flatMap(({ steps }) => steps.at(-1)!.changes!)
  for (const [call, { type, identity }] of changes.entries()) {
    // The one edge of a node may be another, which a batch would leave to chance too.
    const text = keyText(layout, tableKey(layout, kindOf(layout, type), identity)) + (isBatch || canonical(identity))
    if (met.has(text)) throw refusalError('write.transaction', { type, identity, call: isBatch ? undefined! : call })
    met.add(text)
  }
  return changes
}

/** Several writes that are done together or not at all; with a token, once. */
export function planTransaction(layout: Layout, plans: readonly Plan[], options: ReceiptOptions = {}): Plan {
  const changes = changesOf(layout, plans)
  return planChanges(layout, changes, receiptOf(layout, changes, options))
}

/** Several writes in the fewest requests, each for itself: those that are one item without a condition go in batches. */
export function planBatch(layout: Layout, plans: readonly Plan[]): Plan {
  const steps: Step[] = []
  const batched = plans.flatMap((plan, call) => batchedOf(layout, plan, call))
  changesOf(layout, plans, true)
  for (const chunk of chunksOf(batched, BATCH_WRITE_ITEMS))
    steps.push({
      id: steps.length,
      after: [],
      request: {
        operation: 'batchWriteItem',
        input: { RequestItems: { [layout.design.name]: chunk.map(({ part }) => part) } },
      },
      calls: chunk.map(({ call }) => call),
      price: { ...totalPrice(chunk.map(({ step }) => step.price)), requests: 1, consistency: undefined },
    })
  const done = new Set(batched.map(({ call }) => call))
  for (const [call, plan] of plans.entries())
    if (!done.has(call)) steps.push(...shifted(plan.steps, steps.length).map(step => ({ ...step, calls: [call] })))
  return { steps, answer: { shape: 'nothing' } }
}

/**
 * A write that is one item without a condition, as a batch has it. That a node is not being deleted is no condition
 * where its edges are declared to be left: it would cost every put of such a node a request of its own.
 */
export function batchedOf(layout: Layout, { steps }: Plan, call: number) {
  const [step] = steps as [Step]
  const { operation, input } = step.request
  const { Item, Key, ConditionExpression } = input as Record<string, Item>
  const isLoose = () =>
    step.known!.parts[0]!.refused === 'node.going' && isLeft(traitsOf(layout, step.changes![0]!.type))
  if (!/^(put|delete)Item$/.test(operation) || (ConditionExpression && !isLoose())) return []
  const part = Item ? { PutRequest: { Item } } : { DeleteRequest: { Key } }
  return [{ step, call, part }]
}

/** Whether a node takes nothing with it, and nothing keeps it. */
const isLeft = ({ ends, owned }: Traits): boolean => !owned[0] && ends.every(({ end }) => end.onDelete === 'leave')
