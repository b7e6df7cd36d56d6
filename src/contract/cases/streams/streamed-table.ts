import type { Key } from '../../../dynamodb/attribute-value.js'
import type { ChangeRecord, CreateTableInput, Shard, StreamViewType } from '../../../dynamodb/operation-types.js'
import { SIMPLE_KEY_TABLE } from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

/** A table with a stream, for one case. */
export interface StreamedTable {
  readonly TableName: string
  readonly StreamArn: string
}

export async function createStreamedTable(
  bench: TestBench,
  StreamViewType: StreamViewType = 'NEW_AND_OLD_IMAGES',
  definition: Omit<CreateTableInput, 'TableName'> = SIMPLE_KEY_TABLE,
): Promise<StreamedTable> {
  const StreamSpecification = { StreamEnabled: true, StreamViewType }
  const TableName = await bench.createOwnTable({ ...definition, StreamSpecification })
  const { Table } = await bench.store.describeTable({ TableName })
  return { TableName, StreamArn: Table!.LatestStreamArn! }
}

export async function listShards({ service }: TestBench, StreamArn: string): Promise<Shard[]> {
  const shards: Shard[] = []
  let ExclusiveStartShardId: string | undefined
  do {
    const { StreamDescription } = await service.describeStream({ StreamArn, ExclusiveStartShardId })
    shards.push(...StreamDescription!.Shards!)
    ExclusiveStartShardId = StreamDescription!.LastEvaluatedShardId
  } while (ExclusiveStartShardId !== undefined)
  return shards
}

/** Reads the records of a shard from its beginning; for an open shard, until a page is empty. */
export async function readShardRecords(
  { service }: TestBench,
  StreamArn: string,
  { ShardId }: Shard,
): Promise<ChangeRecord[]> {
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

/** Waits until a table has this many changes; the changes of one item are in order. */
export function waitForRecords(bench: TestBench, { StreamArn }: StreamedTable, count: number): Promise<ChangeRecord[]> {
  return bench.eventually(async () => {
    const records: ChangeRecord[] = []
    for (const shard of await listShards(bench, StreamArn))
      records.push(...(await readShardRecords(bench, StreamArn, shard)))
    if (records.length !== count) throw new Error(`expected ${count} records, there are ${records.length}`)
    return records
  })
}

/** The changes of one item, by kind. */
export function eventNamesOf(records: readonly ChangeRecord[], key: Key): (string | undefined)[] {
  const text = JSON.stringify(key)
  return records.filter(({ dynamodb }) => JSON.stringify(dynamodb!.Keys) === text).map(({ eventName }) => eventName)
}
