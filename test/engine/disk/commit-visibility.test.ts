import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { type Disk, type DiskOptions, disk } from '../../../src/engine/index.js'
import { shards } from '../streams/read-stream.js'
import { defined, index, key, request } from '../tables.js'
import { temporaryFolder } from './temporary-folder.js'

const TableName = 'Orders'
const ROUNDS = 20

async function opened(options: DiskOptions = {}): Promise<Disk> {
  const store = disk(temporaryFolder(), options)
  const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' } as const
  await store.createTable(request({ StreamSpecification }))
  return store
}

const put = (store: Disk, pk: string) => store.putItem({ TableName, Item: { pk: { S: pk }, g: { S: 'g' } } })

async function filled(items: number): Promise<Disk> {
  const store = await opened()
  await Promise.all(Array.from({ length: items }, (_, i) => put(store, String(i))))
  return store
}

/** Collects what each turn of the event loop shows until a write is acknowledged. */
async function seenDuring<T>(write: Promise<unknown>, look: () => Promise<T>): Promise<T[]> {
  let isOver = false
  const over = write.finally(() => {
    isOver = true
  })
  const seen: T[] = []
  while (!isOver) {
    seen.push(await look())
    await turn()
  }
  await over
  return [...seen, await look()]
}

describe('reads during a commit', () => {
  it('a shard does not end before all of its records are readable', async () => {
    const store = await opened({ streams: { splitAfterRecords: 3 } })
    const { Table } = await store.describeTable({ TableName })
    const StreamArn = Table!.LatestStreamArn!
    const recordsOf = async (ShardId: string) => {
      const { ShardIterator } = await store.getShardIterator({ StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' })
      const { Records, NextShardIterator } = await store.getRecords({ ShardIterator: ShardIterator! })
      return NextShardIterator === undefined ? Records!.length : 'more'
    }
    const seen = new Set<unknown>()
    for (let round = 0; round < ROUNDS; round++) {
      const open = (await shards(store, StreamArn)).filter(shard => !shard.SequenceNumberRange!.EndingSequenceNumber)
      const writes = Promise.all(Array.from({ length: 20 }, (_, i) => put(store, `${round}/${i}`)))
      for (const looks of await seenDuring(writes, () => Promise.all(open.map(({ ShardId }) => recordsOf(ShardId!)))))
        for (const look of looks) seen.add(look)
    }
    expect(seen).toEqual(new Set(['more', 3]))
    await store.close()
  })

  it('a new index is not readable before it contains every item', async () => {
    const store = await filled(50)
    const seen = new Set<unknown>()
    const read = () =>
      store.scan({ TableName, IndexName: 'by-g', Select: 'COUNT' }).then(
        ({ Count }) => Count,
        error => error.name,
      )
    for (let round = 0; round < ROUNDS; round++) {
      const make = store.updateTable({
        TableName,
        AttributeDefinitions: defined('g'),
        GlobalSecondaryIndexUpdates: [{ Create: index('by-g', key('g')) }],
      })
      for (const look of await seenDuring(make, read)) seen.add(look)
      await store.updateTable({ TableName, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'by-g' } }] })
    }
    seen.delete('ValidationException')
    expect(seen).toEqual(new Set([50]))
    await store.close()
  })

  it('a restored table is not readable before it contains every item', async () => {
    const store = await filled(50)
    const { BackupDetails } = await store.createBackup({ TableName, BackupName: 'before' })
    const seen = new Set<unknown>()
    const read = () =>
      store.scan({ TableName: 'restored', Select: 'COUNT' }).then(
        ({ Count }) => Count,
        error => error.name,
      )
    for (let round = 0; round < ROUNDS; round++) {
      const restore = store.restoreTableFromBackup({
        TargetTableName: 'restored',
        BackupArn: BackupDetails!.BackupArn!,
      })
      for (const look of await seenDuring(restore, read)) seen.add(look)
      await store.deleteTable({ TableName: 'restored' })
    }
    seen.delete('ResourceNotFoundException')
    expect(seen).toEqual(new Set([50]))
    await store.close()
  })
})
