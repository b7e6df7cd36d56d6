import type { Item } from '../../../src/dynamodb/attribute-value.js'
import type { CreateTableInput } from '../../../src/dynamodb/operation-types.js'
import { type EmbeddedStore, type MemoryOptions, memory } from '../../../src/engine/index.js'
import { defined, index, key, request } from '../tables.js'

export const TableName = 'Orders'
export const TABLE_ARN = 'arn:aws:dynamodb:us-east-1:123456789012:table/Orders'
export const INDEX_ARN = `${TABLE_ARN}/index/by-color`

export const units = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
  ProvisionedThroughput: { ReadCapacityUnits, WriteCapacityUnits },
})

/** Returns a table with the key `pk` and an index on `color`. */
export function table(more: Partial<CreateTableInput> = {}, indexMore: object = {}): CreateTableInput {
  return request({
    AttributeDefinitions: defined('pk', 'color'),
    GlobalSecondaryIndexes: [index('by-color', key('color'), indexMore)],
    ...more,
  })
}

/** Returns a table with five units each per second, and the given units for its index. */
export function provisioned(readUnits = 5, writeUnits = 5, indexUnits = units(1000, 1000)): CreateTableInput {
  return table({ BillingMode: 'PROVISIONED', ...units(readUnits, writeUnits) }, indexUnits)
}

/** Creates a store with a settable clock. */
export async function storeWithClock(definition: CreateTableInput, options: MemoryOptions = { throttle: true }) {
  const clock = { ms: Date.UTC(2026, 0, 1) }
  const store = memory({ now: () => clock.ms, ...options })
  await store.createTable(definition)
  return { clock, store }
}

export const item = (pk: string, more: Record<string, string> = {}): Item =>
  Object.fromEntries(Object.entries({ pk, ...more }).map(([name, text]) => [name, { S: text }]))

export const put = (store: EmbeddedStore, pk: string, more: Record<string, string> = {}) =>
  store.putItem({ TableName, Item: item(pk, more) })

export const get = (store: EmbeddedStore, pk: string, ConsistentRead = true) =>
  store.getItem({ TableName, Key: item(pk), ConsistentRead })

/** Returns how many consecutive calls succeed before one is throttled. */
export async function untilThrottled(call: (i: number) => Promise<unknown>): Promise<number> {
  for (let i = 0; i < 10_000; i++) {
    try {
      await call(i)
    } catch (error) {
      if (!/Throughput|Throttling/.test((error as Error).name)) throw error
      return i
    }
  }
  throw new Error('never throttled')
}
