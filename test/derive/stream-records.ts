import type { ChangeRecord } from '../../src/dynamodb/operation-types.js'
import type { Service, Streams } from '../../src/store/port.js'

/** All records of a table's stream. */
export async function recordsOf(store: Service & Streams, table: string): Promise<ChangeRecord[]> {
  const StreamArn = (await store.describeTable({ TableName: table })).Table!.LatestStreamArn!
  const { StreamDescription } = await store.describeStream({ StreamArn })
  const all: ChangeRecord[] = []
  for (const { ShardId } of StreamDescription!.Shards!) {
    const given = { StreamArn, ShardId: ShardId!, ShardIteratorType: 'TRIM_HORIZON' } as const
    const { ShardIterator } = await store.getShardIterator(given)
    all.push(...(await store.getRecords({ ShardIterator: ShardIterator! })).Records!)
  }
  return all
}
