import type { Item } from '../../../src/dynamodb/attribute-value.js'
import type { CreateTableInput } from '../../../src/dynamodb/operation-types.js'
import { type MemoryOptions, memory } from '../../../src/engine/index.js'
import type { Service } from '../../../src/store/port.js'
import { NOW_MS, request } from '../tables.js'

export const TableName = 'Orders'
export const ORDERS = { TableName }

/** Creates an in-memory store with a settable clock and a table. */
export async function storeWithClock(more: Partial<CreateTableInput> = {}, options: MemoryOptions = {}) {
  const clock = { ms: NOW_MS }
  const store = memory({ now: () => clock.ms, region: 'eu-west-1', ...options })
  await store.createTable(request(more))
  clock.ms += options.transitionMs ?? 0
  return { clock, store }
}

export const item = (pk: string, more: Item = {}): Item => ({ pk: { S: pk }, ...more })

export async function put(store: Service, ...items: Item[]): Promise<void> {
  for (const Item of items) await store.putItem({ TableName, Item })
}

/** Returns the partition keys of a table or index. */
export async function keysOf(store: Service, of: string, IndexName?: string): Promise<string[]> {
  const { Items } = await store.scan({ TableName: of, ...(IndexName !== undefined && { IndexName }) })
  return Items!.map(({ pk }) => pk!.S!).sort()
}

/** Returns the name and message of a call's error. */
export const refusal = (call: Promise<unknown>): Promise<[name: string, message: string]> =>
  call.then(
    answer => ['answered', JSON.stringify(answer)],
    (error: Error) => [error.name, error.message],
  )

export const enabled = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true } }
export const disabled = { PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: false } }
