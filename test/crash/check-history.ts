import { expect } from 'vitest'
import type { Item } from '../../src/dynamodb/attribute-value.js'
import type { Shard } from '../../src/dynamodb/operation-types.js'
import { countItemBytes } from '../../src/dynamodb/size.js'
import type { Disk } from '../../src/engine/index.js'
import { type Effect, type History, itemsAfter, type Operation } from './history.js'
import { keyItem, keyText, TABLE } from './table.js'

const { TableName } = TABLE

/**
 * Compares the stored data with the acknowledgements that the writers received, and resolves unacknowledged operations.
 */
export async function checkAfterCrash(store: Disk, history: History): Promise<number> {
  const found = new Map((await everything(store)).map(item => [keyText(item), item]))
  const { done, open } = history.read()
  const before = itemsAfter(done)
  for (const operation of open) {
    if (isCarriedOut(operation, found, before)) history.finish(operation.id)
    else history.forget(operation.id)
  }
  const settled = history.read().done
  expect(found).toEqual(itemsAfter(settled))
  await checkIndexes(store, [...found.values()])
  await checkStream(store, settled)
  await checkToken(store, done)
  await checkRecovery(store, [...found.values()])
  await checkBackups(store)
  return done.length
}

/** Returns whether an unacknowledged operation was applied. It must be applied completely or not at all. */
function isCarriedOut({ effects }: Operation, found: ReadonlyMap<string, Item>, before: ReadonlyMap<string, Item>) {
  const [first] = effects.map(
    ({ key, item }) =>
      JSON.stringify(found.get(key)) !== JSON.stringify(before.get(key)) && isSame(found.get(key), item),
  )
  return first!
}

function isSame(found: Item | undefined, item: Item | null): boolean {
  return found?.version?.S === item?.version?.S
}

/** Every index must equal a rebuild from the items, and the counts must be correct. */
async function checkIndexes(store: Disk, items: readonly Item[]): Promise<void> {
  const { Table } = await store.describeTable({ TableName })
  expect([Table!.ItemCount, Table!.TableSizeBytes]).toEqual([items.length, sum(items)])
  const indexes = [...Table!.LocalSecondaryIndexes!, ...Table!.GlobalSecondaryIndexes!]
  for (const { IndexName, KeySchema, Projection, ItemCount, IndexSizeBytes } of indexes) {
    const keys = KeySchema!.map(({ AttributeName }) => AttributeName!)
    const kept = new Set(['pk', 'sk', ...keys, ...(Projection!.NonKeyAttributes ?? [])])
    const whole = Projection!.ProjectionType === 'ALL'
    const expected = items
      .filter(item => keys.every(name => item[name]))
      .map(item => Object.fromEntries(Object.entries(item).filter(([name]) => whole || kept.has(name))))
    expect(inOrder(await everything(store, IndexName!))).toEqual(inOrder(expected))
    expect([ItemCount, IndexSizeBytes]).toEqual([expected.length, sum(expected)])
  }
}

/** Each change must be in the stream once, in order per key, with the image before it. */
async function checkStream(store: Disk, settled: readonly Operation[]): Promise<void> {
  const expected = new Map<string, (string | undefined)[]>()
  for (const { key, item } of settled.flatMap(({ effects }) => effects) as Effect[])
    expected.set(key, [...(expected.get(key) ?? []), item?.version?.S])
  const recorded = new Map<string, (string | undefined)[]>()
  const previous = new Map<string, string | undefined>()
  for (const { dynamodb } of await records(store)) {
    const key = keyText(dynamodb!.Keys!)
    const version = dynamodb!.NewImage?.version?.S
    expect(dynamodb!.OldImage?.version?.S).toBe(previous.get(key))
    previous.set(key, version)
    recorded.set(key, [...(recorded.get(key) ?? []), version])
  }
  expect(recorded).toEqual(expected)
}

/** An acknowledged transaction must be recognized by its token. */
async function checkToken(store: Disk, done: readonly Operation[]): Promise<void> {
  const last = done.findLast(({ kind }) => kind === 'transaction')
  if (!last) return
  const other = store.transactWriteItems({
    ClientRequestToken: last.id,
    TransactItems: [{ Put: { TableName, Item: keyItem('no writer/1') } }],
  })
  await expect(other).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' })
}

/** Undoing all logged changes must lead to the empty table at the beginning. */
async function checkRecovery(store: Disk, items: readonly Item[]): Promise<void> {
  const restore = { SourceTableName: TableName, TargetTableName: 'restored' }
  await store.restoreTableToPointInTime({ ...restore, UseLatestRestorableTime: true })
  expect(inOrder(await restored(store))).toEqual(inOrder(items))
  const { ContinuousBackupsDescription } = await store.describeContinuousBackups({ TableName })
  const { EarliestRestorableDateTime } = ContinuousBackupsDescription!.PointInTimeRecoveryDescription!
  await store.restoreTableToPointInTime({ ...restore, RestoreDateTime: EarliestRestorableDateTime })
  expect(await restored(store)).toEqual([])
}

/** A backup must exist with all of its items or not at all. Existing ones are removed. */
async function checkBackups(store: Disk): Promise<void> {
  const { BackupSummaries } = await store.listBackups({ TableName })
  for (const { BackupArn } of BackupSummaries!) {
    const { BackupDescription } = await store.describeBackup({ BackupArn: BackupArn! })
    await store.restoreTableFromBackup({ TargetTableName: 'restored', BackupArn: BackupArn! })
    const items = await restored(store)
    const { ItemCount, TableSizeBytes } = BackupDescription!.SourceTableDetails!
    expect([items.length, sum(items)]).toEqual([ItemCount, TableSizeBytes])
    await store.deleteBackup({ BackupArn: BackupArn! })
  }
}

/** Returns the items of a restored table, which is then removed. */
async function restored(store: Disk): Promise<Item[]> {
  const items = await everything(store, undefined, 'restored')
  await store.deleteTable({ TableName: 'restored' })
  return items
}

async function everything(store: Disk, IndexName?: string, of = TableName): Promise<Item[]> {
  const items: Item[] = []
  let ExclusiveStartKey: Item | undefined
  do {
    const page = await store.scan({
      TableName: of,
      ...(IndexName && { IndexName }),
      ...(ExclusiveStartKey && { ExclusiveStartKey }),
    })
    items.push(...page.Items!)
    ExclusiveStartKey = page.LastEvaluatedKey
  } while (ExclusiveStartKey)
  return items
}

async function records(store: Disk) {
  const { Table } = await store.describeTable({ TableName })
  const StreamArn = Table!.LatestStreamArn!
  const all = []
  for (const { ShardId } of await shards(store, StreamArn)) {
    const from = { StreamArn, ShardId: ShardId!, ShardIteratorType: 'TRIM_HORIZON' as const }
    let ShardIterator = (await store.getShardIterator(from)).ShardIterator
    while (ShardIterator) {
      const page = await store.getRecords({ ShardIterator })
      all.push(...page.Records!)
      ShardIterator = page.Records!.length > 0 ? page.NextShardIterator : undefined
    }
  }
  return all
}

async function shards(store: Disk, StreamArn: string): Promise<Shard[]> {
  const all: Shard[] = []
  let last: string | undefined
  do {
    const { StreamDescription } = await store.describeStream({
      StreamArn,
      ...(last !== undefined && { ExclusiveStartShardId: last }),
    })
    all.push(...StreamDescription!.Shards!)
    last = StreamDescription!.LastEvaluatedShardId
  } while (last !== undefined)
  return all
}

const sum = (items: readonly Item[]) => items.reduce((bytes, item) => bytes + countItemBytes(item), 0)
const inOrder = (items: readonly Item[]) => items.map(item => JSON.stringify(Object.entries(item).sort())).sort()
