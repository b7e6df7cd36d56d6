import type { Item } from '../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../dynamodb/limits.js'
import type { TransactWriteItem } from '../dynamodb/operations/transactions.js'
import type { Layout } from '../layout/layout.js'
import { keyOf } from './change-part.js'
import type { Draft, Late, Plan, Price, Refused, Step } from './plan.js'
import { totalPrice } from './price.js'
import { transactionalPrice } from './write-price.js'
import { checkParts } from './write-request.js'

/** Several writes that are done together or not at all. */
export function planTransaction(layout: Layout, plans: readonly Plan[]): Plan {
  const { reads, writes } = joined(plans)
  const parts = writes.flatMap(({ request }) => partsOf(request))
  checkParts(
    layout,
    parts.filter((part): part is TransactWriteItem => !('late' in part)),
  )
  const refused = writes.flatMap(step => step.refused ?? (['again'] as const satisfies Refused[]))
  const step: Step = {
    id: reads.length,
    after: reads.map(({ id }) => id),
    request: { operation: 'transactWriteItems', input: { TransactItems: parts } },
    refused,
    ...(reads.length > 0 && {
      again: { on: 'condition', from: 0, times: writes.find(each => each.again)!.again!.times },
    }),
    price: transactionalPrice(writes),
  }
  return { steps: [...reads, step], answer: { shape: 'nothing' } }
}

/** Several writes in the fewest requests, each for itself: those that are one item without a condition go in batches. */
export function planBatch(layout: Layout, plans: readonly Plan[]): Plan {
  const isPlain = ({ steps: [first, ...more] }: Plan) =>
    more.length === 0 &&
    (first!.request.operation === 'putItem' || first!.request.operation === 'deleteItem') &&
    first!.request.input.ConditionExpression === undefined &&
    first!.request.input.ReturnValues === undefined
  const plain = plans.filter(isPlain).map(({ steps }) => steps[0]!)
  const parts = plain.flatMap(({ request }) => partsOf(request)) as TransactWriteItem[]
  checkParts(layout, parts, Number.POSITIVE_INFINITY)
  const chunks = Array.from({ length: Math.ceil(plain.length / BATCH_WRITE_ITEMS) }, (_, at) => ({
    parts: parts.slice(at * BATCH_WRITE_ITEMS, (at + 1) * BATCH_WRITE_ITEMS),
    price: together(plain.slice(at * BATCH_WRITE_ITEMS, (at + 1) * BATCH_WRITE_ITEMS)),
  }))
  const batches = chunks.map(({ parts: chunk, price }, id): Step => {
    const RequestItems = { [layout.design.name]: chunk.map(part => batchPart(layout, part)) }
    return { id, after: [], request: { operation: 'batchWriteItem', input: { RequestItems } }, price }
  })
  let next = batches.length
  const others = plans
    .filter(plan => !isPlain(plan))
    .flatMap(plan => {
      const steps = plan.steps.map(step => shifted(step, next))
      next += steps.length
      return steps
    })
  return { steps: [...batches, ...others], answer: { shape: 'nothing' } }
}

const together = (steps: readonly Step[]): Price => ({
  ...totalPrice(steps.map(({ price }) => price)),
  requests: 1,
  consistency: undefined,
})

function batchPart(layout: Layout, { Put, Delete }: TransactWriteItem): object {
  return Put ? { PutRequest: { Item: Put.Item } } : { DeleteRequest: { Key: keyOf(layout, Delete!.Key as Item) } }
}

/** The reading and the writing steps of several plans, with ids of their own. */
function joined(plans: readonly Plan[]): { reads: Step[]; writes: Step[] } {
  const reads: Step[] = []
  const writes: Step[] = []
  for (const { steps } of plans) {
    const moved = steps.map(step => shifted(step, reads.length))
    writes.push(moved.pop()!)
    reads.push(...moved)
  }
  return { reads, writes }
}

function shifted(step: Step, by: number): Step {
  const request = shiftedLate(step.request, by) as Draft
  const again = step.again && { again: { ...step.again, from: step.again.from + by } }
  return { ...step, id: step.id + by, after: step.after.map(id => id + by), request, ...again }
}

/** Whatever is late in a request waits for the step by its new id. */
function shiftedLate(value: unknown, by: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value
  if (Array.isArray(value)) return value.map(each => shiftedLate(each, by))
  if ('late' in value && 'change' in value) return { ...value, step: (value as { step?: number }).step! + by }
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shiftedLate(each, by)]))
}

/** A request as parts of a transaction. */
function partsOf({ operation, input }: Draft): (TransactWriteItem | Late)[] {
  const { ReturnValues: _, ...members } = input
  if (operation === 'putItem') return [{ Put: members } as unknown as TransactWriteItem]
  if (operation === 'updateItem') return [{ Update: members } as unknown as TransactWriteItem]
  if (operation === 'deleteItem') return [{ Delete: members } as unknown as TransactWriteItem]
  const parts = input.TransactItems as Late | (TransactWriteItem | Late)[]
  return Array.isArray(parts) ? parts : [parts]
}
