import type { Difference } from './difference.js'
import type { TableShape } from './random/tables.js'
import { type Plain, plain, textOf } from './sides/outcome.js'
import type { Side } from './sides/side.js'

interface Change {
  readonly eventName: string
  readonly dynamodb: Record<string, unknown> & { readonly Keys: unknown }
}

/** Compares the changes of each item in order, except for items that were overwritten (`table key`). */
export async function streamDifferences(
  ours: Side,
  theirs: Side,
  table: TableShape,
  forced: ReadonlySet<string>,
): Promise<Difference[]> {
  const [mine, other] = await Promise.all([changesOf(ours, table.name), changesOf(theirs, table.name)])
  const keys = [...new Set([...mine.keys(), ...other.keys()])].filter(key => !forced.has(`${table.name} ${key}`))
  return keys
    .filter(key => textOf(mine.get(key)) !== textOf(other.get(key)))
    .map(key => ({ at: 'stream', ours: mine.get(key), theirs: other.get(key) }))
}

async function changesOf(side: Side, TableName: string): Promise<Map<string, Plain[]>> {
  const { Table } = (await side.send('describeTable', { TableName })) as { Table: { LatestStreamArn: string } }
  const StreamArn = Table.LatestStreamArn
  const { StreamDescription } = (await side.send('describeStream', { StreamArn })) as {
    StreamDescription: { Shards: { ShardId: string }[] }
  }
  const changes = new Map<string, Plain[]>()
  for (const { ShardId } of StreamDescription.Shards)
    for (const { eventName, dynamodb } of await recordsOf(side, StreamArn, ShardId)) {
      const key = textOf(plain(dynamodb.Keys))
      const { OldImage, NewImage, SizeBytes } = dynamodb
      const change = plain({ eventName, OldImage, NewImage, SizeBytes })
      changes.set(key, [...(changes.get(key) ?? []), change])
    }
  return changes
}

async function recordsOf(side: Side, StreamArn: string, ShardId: string): Promise<Change[]> {
  const request = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' }
  let { ShardIterator } = (await side.send('getShardIterator', request)) as { ShardIterator: string | undefined }
  const records: Change[] = []
  while (ShardIterator !== undefined) {
    const page = (await side.send('getRecords', { ShardIterator })) as {
      Records: Change[]
      NextShardIterator?: string
    }
    records.push(...page.Records)
    ShardIterator = page.Records.length === 0 ? undefined : page.NextShardIterator
  }
  return records
}
