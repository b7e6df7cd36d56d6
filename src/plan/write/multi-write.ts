import type { Item } from '../../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import { chunksOf } from '../chunks.js'
import { ownKindByName, tableKeyOf, uniqueKeyTextOf } from '../identity.js'
import type { Plan, PlannedChange, PlanStep } from '../plan.js'
import { totalPrice } from '../price/read-price.js'
import { canonicalText } from '../slot-values.js'
import { renumberSteps } from '../step.js'
import { type TypeTraits, traitsOf } from '../type-traits.js'
import { planChanges } from './plan-changes.js'
import { type ReceiptOptions, receiptOf } from './receipt.js'
import { refusalError } from './refusals.js'

/**
 * What plans change: a node or an edge each. Of one that is there twice, chance would tell what comes last. A batch may
 * have other calls beside these, so that their number tells nothing.
 */
function changesOf(layout: Layout, plans: readonly Plan[], isBatch?: boolean): PlannedChange[] {
  const seenKeys = new Set<string>()
  const changes = plans.flatMap(({ steps }) => steps.at(-1)!.changes!)
  for (const [call, { type, identity }] of changes.entries()) {
    // The one edge of a node may be another, which a batch would leave to chance too.
    const text =
      uniqueKeyTextOf(layout, tableKeyOf(layout, ownKindByName(layout, type), identity)) +
      (isBatch || canonicalText(identity))
    if (seenKeys.has(text))
      throw refusalError('write.transaction', { type, identity, call: isBatch ? undefined! : call })
    seenKeys.add(text)
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
  const steps: PlanStep[] = []
  const batchable = plans.flatMap((plan, call) => batchRequestsOf(layout, plan, call))
  changesOf(layout, plans, true)
  for (const chunk of chunksOf(batchable, BATCH_WRITE_ITEMS))
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
  const batchedCalls = new Set(batchable.map(({ call }) => call))
  for (const [call, plan] of plans.entries())
    if (!batchedCalls.has(call))
      steps.push(...renumberSteps(plan.steps, steps.length).map(step => ({ ...step, calls: [call] })))
  return { steps, answer: { shape: 'nothing' } }
}

/**
 * A write that is one item without a condition, as a batch has it. That a node is not being deleted is no condition
 * where its edges are declared to be left: it would cost every put of such a node a request of its own.
 */
export function batchRequestsOf(layout: Layout, { steps }: Plan, call: number) {
  const [step] = steps as [PlanStep]
  const { operation, input } = step.request
  const { Item, Key, ConditionExpression } = input as Record<string, Item>
  const isLoose = () =>
    step.writeRequest!.itemWrites[0]!.onConditionFailed === 'node.going' &&
    hasNoDependents(traitsOf(layout, step.changes![0]!.type))
  if (!/^(put|delete)Item$/.test(operation) || (ConditionExpression && !isLoose())) return []
  const request = Item ? { PutRequest: { Item } } : { DeleteRequest: { Key } }
  return [{ step, call, part: request }]
}

/** Whether a node takes nothing with it, and nothing keeps it. */
const hasNoDependents = ({ incomingEnds, ownedTypes }: TypeTraits): boolean =>
  !ownedTypes[0] && incomingEnds.every(({ end }) => end.onDelete === 'leave')
