import { expect } from 'vitest'
import type { Item, Key } from '../../../src/dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../../src/dynamodb/operation-types.js'
import type { Layout } from '../../../src/layout/layout.js'
import { indexByKey, uniqueKeyTextOf } from '../../../src/plan/identity.js'
import type { ConditionOutcome, Plan, PlanStep } from '../../../src/plan/plan.js'
import { writePrice } from '../../../src/plan/price/write-price.js'
import { keysToRead } from '../../../src/plan/write/plan-changes.js'
import { completeCopies } from '../../../src/plan/write/plan-copies.js'
import { refusalError } from '../../../src/plan/write/refusals.js'
import { completeWrite, conditionOutcomeOf, type WriteToSend } from '../../../src/plan/write/request.js'
import type { Store } from '../../../src/store/port.js'

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

/**
 * Runs a write plan: reads, writes, and reads again after a concurrent change. Checks that the price of a write with
 * a read is exact.
 */
export async function run(
  store: Store,
  layout: Layout,
  plan: Plan,
  beforeWrite: () => Promise<void> = async () => {},
): Promise<unknown> {
  // A plan is data, so a copy is as good.
  const { steps } = structuredClone(plan)
  const last = steps.at(-1)!
  const reads = steps.slice(0, -1)
  for (let attempt = 0; attempt < (last.retry?.times ?? 1); attempt++) {
    const complete = last.changes![0]!.verb === 'copy' ? completeCopies : completeWrite
    const sent = complete(layout, last, await readAll(store, layout, reads))
    if (!sent) return undefined
    await beforeWrite()
    const outcome = await send(store, layout, sent)
    // Several unread writes are priced by assumptions.
    const isKnown = last.retry !== undefined && last.changes!.length === 1
    if (outcome.refused === undefined && isKnown)
      expect(consumed(outcome.answer)).toEqual(writePrice(layout, sent.itemWrites).write)
    const { refused = 'nothing' } = outcome
    if (refused === 'nothing' || refused === 'done') return outcome.answer ?? refused
    if (refused !== 'retry') throw refusalError(refused, sent.itemWrites[outcome.at!]!.subject)
  }
  throw new Error('the ground moved too often')
}

type Known = Map<string, Item | null>

async function readAll(store: Store, layout: Layout, steps: readonly PlanStep[]): Promise<Known> {
  const table = layout.design.name
  const known: Known = new Map()
  for (const { request } of steps) {
    const Keys = keysToRead(layout, request, known)
    if (request.operation === 'getItem') {
      const { Item } = await store.getItem(request.input as never)
      note(layout, known, Keys, Item ? [Item] : [])
      continue
    }
    const asked = (request.input as { RequestItems: Record<string, object> }).RequestItems[table]!
    if (Keys.length === 0) continue
    const answer = await store.batchGetItem({ RequestItems: { [table]: { ...asked, Keys } } } as never)
    note(layout, known, Keys, answer.Responses?.[table] ?? [])
  }
  return known
}

function note(layout: Layout, known: Known, keys: readonly Key[], items: readonly Item[]): void {
  const found = indexByKey(layout, items)
  for (const key of keys) known.set(uniqueKeyTextOf(layout, key), found.get(uniqueKeyTextOf(layout, key)) ?? null)
}

/** The items that a write plan reads from the given items. */
export function knownOf(layout: Layout, plan: Plan, items: readonly Item[]): Known {
  const known: Known = new Map()
  for (const { request } of plan.steps.slice(0, -1)) note(layout, known, keysToRead(layout, request, known), items)
  return known
}

async function send(
  store: Store,
  layout: Layout,
  sent: WriteToSend,
): Promise<{ readonly answer?: Answered; readonly refused?: ConditionOutcome; readonly at?: number }> {
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
    return { refused: conditionOutcomeOf(layout, sent, at, reasons[at]!.Item, Date.now()), at }
  }
}
