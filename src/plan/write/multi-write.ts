import type { Item } from '../../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../../dynamodb/limits.js'
import type { Layout } from '../../layout/layout.js'
import { chunksOf } from '../chunks.js'
import { uniqueKeyTextOf } from '../identity.js'
import type { Plan, PlannedChange, PlanStep } from '../plan.js'
import { canonicalText } from '../slot-values.js'
import { renumberSteps } from '../step.js'
import { type TypeTraits, traitsOf } from '../type-traits.js'
import { planChanges } from './plan-changes.js'
import { type ReceiptOptions, receiptOf } from './receipt.js'
import { refusalError } from './refusals.js'

/**
 * Collects the changes of plans and rejects a node or an edge that occurs twice, because the order of writes is
 * undefined. In a batch the error has no call number, because the batch may contain other calls.
 */
function changesOf(layout: Layout, plans: readonly Plan[], isBatch?: boolean): PlannedChange[] {
  const seenKeys = new Set<string>()
  const changes = plans.flatMap(({ steps }) => steps.at(-1)!.changes!)
  for (const [call, { type, identity, key }] of changes.entries()) {
    // Two edges of a node with at most one edge share a key, so a batch would write them in an undefined order
    // too.
    const text = uniqueKeyTextOf(layout, key) + (isBatch || canonicalText(identity))
    if (seenKeys.has(text))
      throw refusalError('write.transaction', { type, identity, call: isBatch ? undefined! : call })
    seenKeys.add(text)
  }
  return changes
}

/** Plans several writes in one transaction; a token makes it idempotent. */
export function planTransaction(layout: Layout, plans: readonly Plan[], options: ReceiptOptions = {}): Plan {
  const changes = changesOf(layout, plans)
  return planChanges(layout, changes, receiptOf(layout, changes, options))
}

/** Plans several independent writes in the fewest requests: single-item writes without a condition are batched. */
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
      batched: chunk.map(({ step }) => step),
    })
  const batchedCalls = new Set(batchable.map(({ call }) => call))
  for (const [call, plan] of plans.entries())
    if (!batchedCalls.has(call))
      steps.push(...renumberSteps(plan.steps, steps.length).map(step => ({ ...step, calls: [call] })))
  return { steps, answer: { shape: 'nothing' } }
}

/**
 * The batch entries of a write that consists of one item without a condition. When a node's edges are declared to be
 * left, its put does not check for a pending deletion: the check would cost each put its own request.
 */
export function batchRequestsOf(layout: Layout, { steps }: Plan, call: number) {
  const [step] = steps as [PlanStep]
  const { operation, input } = step.request
  const { Item, Key, ConditionExpression } = input as Record<string, Item>
  const isLoose = () =>
    step.writeRequest!.itemWrites[0]!.onConditionFailed === 'node.deleting' &&
    hasNoDependents(traitsOf(layout, step.changes![0]!.type))
  if (!/^(put|delete)Item$/.test(operation) || (ConditionExpression && !isLoose())) return []
  const request = Item ? { PutRequest: { Item } } : { DeleteRequest: { Key } }
  return [{ step, call, part: request }]
}

/** Whether the deletion of a node neither deletes other rows nor can be prevented by them. */
const hasNoDependents = ({ incomingEnds, ownedTypes }: TypeTraits): boolean =>
  ownedTypes.length === 0 && incomingEnds.every(({ end }) => end.onDelete === 'leave')
