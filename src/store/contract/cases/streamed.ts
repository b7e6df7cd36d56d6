import type { Key } from '../../../dynamodb/attribute-value.js'
import type { ChangeRecord, Shard } from '../../../dynamodb/operations/streams.js'
import type { StreamViewType } from '../../../dynamodb/operations/table-description.js'
import type { CreateTableRequest } from '../../../dynamodb/operations/tables.js'
import type { Bench } from '../bench.js'
import { SINGLE } from './table-definitions.js'

/** A table with a stream, for one case. */
export interface Streamed {
  readonly TableName: string
  readonly StreamArn: string
}

export async function streamed(
  bench: Bench,
  StreamViewType: StreamViewType = 'NEW_AND_OLD_IMAGES',
  definition: Omit<CreateTableRequest, 'TableName'> = SINGLE,
): Promise<Streamed> {
  const StreamSpecification = { StreamEnabled: true, StreamViewType }
  const TableName = await bench.ownTable({ ...definition, StreamSpecification })
  const { Table } = await bench.store.describeTable({ TableName })
  return { TableName, StreamArn: Table!.LatestStreamArn! }
}

export async function shardsOf({ service }: Bench, StreamArn: string): Promise<Shard[]> {
  const shards: Shard[] = []
  let ExclusiveStartShardId: string | undefined
  do {
    const { StreamDescription } = await service.describeStream({ StreamArn, ExclusiveStartShardId })
    shards.push(...StreamDescription!.Shards!)
    ExclusiveStartShardId = StreamDescription!.LastEvaluatedShardId
  } while (ExclusiveStartShardId !== undefined)
  return shards
}

/** The records of a shard from its beginning: of one that is open, until there are no more. */
export async function recordsOf({ service }: Bench, StreamArn: string, { ShardId }: Shard): Promise<ChangeRecord[]> {
  const request = { StreamArn, ShardId: ShardId!, ShardIteratorType: 'TRIM_HORIZON' as const }
  let iterator = (await service.getShardIterator(request)).ShardIterator
  const records: ChangeRecord[] = []
  while (iterator !== undefined) {
    const page = await service.getRecords({ ShardIterator: iterator })
    records.push(...page.Records!)
    iterator = page.Records!.length === 0 ? undefined : page.NextShardIterator
  }
  return records
}

/** All changes of a table, once there are so many; those of one item are in their order. */
export function changes(bench: Bench, { StreamArn }: Streamed, count: number): Promise<ChangeRecord[]> {
  return bench.eventually(async () => {
    const records: ChangeRecord[] = []
    for (const shard of await shardsOf(bench, StreamArn)) records.push(...(await recordsOf(bench, StreamArn, shard)))
    if (records.length !== count) throw new Error(`expected ${count} records, there are ${records.length}`)
    return records
  })
}

/** The changes of one item, by what happened. */
export function eventsOf(records: readonly ChangeRecord[], key: Key): (string | undefined)[] {
  const text = JSON.stringify(key)
  return records.filter(({ dynamodb }) => JSON.stringify(dynamodb!.Keys) === text).map(({ eventName }) => eventName)
}
