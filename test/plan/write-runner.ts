import { expect } from 'vitest'
import type { Item } from '../../src/dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../src/dynamodb/operations/capacity.js'
import type { Layout } from '../../src/layout/layout.js'
import type { Plan, Refused, Step } from '../../src/plan/plan.js'
import { lateWrite } from '../../src/plan/write.js'
import { askedKeys } from '../../src/plan/write-plan.js'
import { refusalError } from '../../src/plan/write-refusal.js'
import { refusedAs, type WriteRequest } from '../../src/plan/write-request.js'
import type { Store } from '../../src/store/port.js'

interface Failure {
  readonly name?: string
  readonly Item?: Item
  readonly CancellationReasons?: readonly { readonly Code?: string; readonly Item?: Item }[]
}

interface Answered {
  readonly ConsumedCapacity?: ConsumedCapacity | readonly ConsumedCapacity[]
}

/** Units by the table and by each index, as a price has them. */
function consumed(answer: Answered | undefined): Record<string, number> {
  const [capacity] = [answer?.ConsumedCapacity ?? []].flat() as ConsumedCapacity[]
  const indexes = { ...capacity?.GlobalSecondaryIndexes, ...capacity?.LocalSecondaryIndexes }
  const entries = Object.entries(indexes).map(([name, { CapacityUnits }]) => [name, CapacityUnits!] as const)
  return { table: capacity!.Table!.CapacityUnits!, ...Object.fromEntries(entries.filter(([, units]) => units > 0)) }
}

/** Sends a plan of writes: reads, fills in, writes, and reads again where the ground has moved. What was read is priced exactly. */
export async function run(
  store: Store,
  layout: Layout,
  plan: Plan,
  beforeWrite: () => Promise<void> = async () => {},
): Promise<unknown> {
  const last = plan.steps.at(-1)!
  for (let attempt = 0; attempt < (last.again?.times ?? 1); attempt++) {
    const read = await readAll(store, layout, plan.steps.slice(0, -1))
    const sent = lateWrite(layout, last, read)
    if (!sent) return undefined
    await beforeWrite()
    const outcome = await send(store, layout, sent)
    // Of several together, those that are not read are priced by what is known of them.
    const isKnown = last.again !== undefined && last.changes!.length === 1
    if (outcome.refused === undefined && isKnown) expect(consumed(outcome.answer)).toEqual(sent.price.write)
    const { refused = 'nothing' } = outcome
    if (refused === 'nothing' || refused === 'done') return outcome.answer ?? refused
    if (refused !== 'again') throw refusalError(refused, sent.parts[outcome.at!]!.about)
  }
  throw new Error('the ground moved too often')
}

async function readAll(store: Store, layout: Layout, steps: readonly Step[]): Promise<Item[]> {
  const table = layout.design.name
  const read: Item[] = []
  for (const { request } of steps) {
    if (request.operation === 'getItem') {
      const { Item } = await store.getItem(request.input as never)
      if (Item) read.push(Item)
      continue
    }
    const asked = (request.input as { RequestItems: Record<string, object> }).RequestItems[table]!
    const Keys = askedKeys(layout, request, read)
    if (Keys.length === 0) continue
    const answer = await store.batchGetItem({ RequestItems: { [table]: { ...asked, Keys } } } as never)
    read.push(...(answer.Responses?.[table] ?? []))
  }
  return read
}

async function send(
  store: Store,
  layout: Layout,
  sent: WriteRequest,
): Promise<{ readonly answer?: Answered; readonly refused?: Refused; readonly at?: number }> {
  try {
    const { request } = sent
    const input = { ...request.input, ReturnConsumedCapacity: 'INDEXES' }
    return { answer: (await store[request.operation](input as never)) as Answered }
  } catch (error) {
    const { name, Item, CancellationReasons } = error as Failure
    const reasons = CancellationReasons ?? [{ Code: 'ConditionalCheckFailed', ...(Item && { Item }) }]
    if (name !== 'ConditionalCheckFailedException' && !CancellationReasons) throw error
    const at = reasons.findIndex(({ Code }) => Code === 'ConditionalCheckFailed')
    if (at < 0) throw error
    return { refused: refusedAs(layout, sent, at, reasons[at]!.Item, Date.now()), at }
  }
}
