import type { ConsumedCapacity } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/memory.js'
import { type Example, itemsOf } from '../../../src/layout/items/items.js'
import type { Layout } from '../../../src/layout/layout.js'
import type { Plan, RequestTemplate } from '../../../src/plan/plan.js'
import { TABLE_UNITS_KEY } from '../../../src/plan/price/read-price.js'
import { answerOf } from '../../../src/plan/read/answer.js'
import type { ReadResponse } from '../../../src/plan/read/entries.js'
import { nextRequests } from '../../../src/plan/read/next-requests.js'
import type { Store } from '../../../src/store/port.js'
import { toCreateTableInput } from '../../../src/table/table-definition.js'

/** A store with the table of a layout, and the items that an example becomes. */
export async function storeOf(layout: Layout, example: Example, tenant?: string): Promise<Store> {
  const store = memory()
  await store.createTable(toCreateTableInput(layout.design))
  for (const { item } of itemsOf(layout, example, tenant))
    await store.putItem({ TableName: layout.design.name, Item: item })
  return store
}

interface Outcome {
  readonly value: unknown
  /** The requests in the order of sending, with concurrent requests in one list. */
  readonly rounds: readonly (readonly RequestTemplate[])[]
  readonly units: Readonly<Record<string, number>>
}

/** Runs a read in rounds, and reports its requests and units. */
export async function run(store: Store, layout: Layout, original: Plan, nowMs?: number): Promise<Outcome> {
  // A plan is data, so a copy is as good.
  const plan = structuredClone(original)
  const answered: ReadResponse[][] = plan.steps.map(() => [])
  const rounds: RequestTemplate[][] = []
  const units: Record<string, number> = {}
  for (;;) {
    const open = nextRequests(layout, plan, answered, nowMs)
    if (open.length === 0) return { value: answerOf(layout, plan, answered, nowMs), rounds, units }
    rounds.push(open.map(({ request }) => request))
    for (const { step, request } of open) {
      const answer = await send(store, request)
      for (const consumed of [answer.ConsumedCapacity ?? []].flat()) addUnits(units, consumed)
      answered[step]!.push(answer)
    }
  }
}

type Sender = (request: object) => Promise<ReadResponse & { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }>

function send(store: Store, { operation, input }: RequestTemplate) {
  const call = store[operation].bind(store) as unknown as Sender
  return call({ ...input, ReturnConsumedCapacity: 'INDEXES' })
}

function addUnits(units: Record<string, number>, consumed: ConsumedCapacity): void {
  const { Table, GlobalSecondaryIndexes = {}, LocalSecondaryIndexes = {} } = consumed
  const places = { [TABLE_UNITS_KEY]: Table ?? {}, ...GlobalSecondaryIndexes, ...LocalSecondaryIndexes }
  for (const [place, { CapacityUnits = 0 }] of Object.entries(places))
    if (CapacityUnits > 0) units[place] = (units[place] ?? 0) + CapacityUnits
}
