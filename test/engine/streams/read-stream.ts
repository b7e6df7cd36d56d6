import type { ChangeRecord, Shard, StreamViewType } from '../../../src/dynamodb/operation-types.js'
import { type MemoryOptions, memory } from '../../../src/engine/index.js'
import type { Service, Streams } from '../../../src/store/port.js'
import { request } from '../tables.js'

export const START_MS = Date.UTC(2026, 0, 1)
export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS

export type StoreWithClock = Service & Streams

/** Creates a store with a settable clock and one table with a stream. */
export async function storeWithClock(
  options: MemoryOptions = {},
  StreamViewType: StreamViewType = 'NEW_AND_OLD_IMAGES',
): Promise<{ store: StoreWithClock; clock: { ms: number }; arn: string }> {
  const clock = { ms: START_MS }
  const store = memory({ now: () => clock.ms, ...options })
  await store.createTable(request({ StreamSpecification: { StreamEnabled: true, StreamViewType } }))
  const { Table } = await store.describeTable({ TableName: 'Orders' })
  return { store, clock, arn: Table!.LatestStreamArn! }
}

export function put(store: StoreWithClock, pk: string, n: number | string = 0): Promise<unknown> {
  return store.putItem({ TableName: 'Orders', Item: { pk: { S: pk }, n: { N: String(n) } } })
}

export async function shards(store: StoreWithClock, StreamArn: string): Promise<Shard[]> {
  return (await store.describeStream({ StreamArn })).StreamDescription!.Shards!
}

export async function beginning(store: StoreWithClock, StreamArn: string, ShardId: string): Promise<string> {
  const { ShardIterator } = await store.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
  return ShardIterator!
}

/** Reads the visible records of a shard. */
export async function read(
  store: StoreWithClock,
  arn: string,
  { ShardId }: Shard,
  Limit = 1000,
): Promise<ChangeRecord[]> {
  const records: ChangeRecord[] = []
  let iterator: string | undefined = await beginning(store, arn, ShardId!)
  for (;;) {
    const page: { Records?: ChangeRecord[] | undefined; NextShardIterator?: string | undefined } =
      await store.getRecords({ ShardIterator: iterator!, Limit })
    records.push(...page.Records!)
    iterator = page.NextShardIterator
    if (iterator === undefined || page.Records!.length === 0) return records
  }
}

export const keysOf = (records: readonly ChangeRecord[]) => records.map(({ dynamodb }) => dynamodb!.Keys!.pk!.S)
