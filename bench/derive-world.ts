import type { HandleResult } from '../src/derive/index.js'
import { consumer } from '../src/derive/index.js'
import type { AttributeValue, Item } from '../src/dynamodb/attribute-value.js'
import type { ChangeRecord } from '../src/dynamodb/operation-types.js'
import { memory } from '../src/engine/index.js'
import { counter, edge, graph, integer, metered, node, open, string } from '../src/index.js'
import type { Service, Store, Streams } from '../src/store/port.js'

/** The cost of some work, separately for the writer and the consumer. */
export interface Cost {
  readonly requests: number
  readonly read: number
  readonly write: number
}

export type Mode = 'stream' | 'transaction' | 'none'

function graphOf(mode: Mode) {
  const user = node(
    'user',
    { id: string(), name: string(), given: counter(), got: counter(), score: counter() },
    { id: 'id' },
  )
  const by = mode === 'transaction' ? 'transaction' : 'stream'
  const likes = edge(
    'likes',
    { user, fan: user },
    { stars: integer() },
    {
      by: { fan: { as: 'mirror' } },
      ...(mode !== 'none' && {
        count: { user: { into: 'got', by }, fan: { into: 'given', by } },
        sum: { user: { into: 'score', of: 'stars', by } },
      }),
      ...(mode === 'stream' && { carry: { fanName: { from: 'fan.name', sync: 'eventual' } } }),
    },
  )
  return graph('likes', [user, likes])
}

/** A graph in one of the modes, with separate meters for the writer and the consumer. */
export async function begin(mode: Mode, store: Service & Streams = memory(), isNaive = false) {
  const made = graphOf(mode)
  const writer = metered(store)
  const own = metered(store)
  const g = await open(made, writer.store, { follow: false, create: true })
  const derive = isNaive ? { handle: naive(own.store) } : consumer(made, own.store)
  const { Table } = await store.describeTable({ TableName: 'likes' })
  const stream = Table!.LatestStreamArn
  const iterators = new Map<string, string | undefined>()
  const read = async (): Promise<ChangeRecord[]> => {
    if (!stream) return []
    const records: ChangeRecord[] = []
    const { StreamDescription } = await store.describeStream({ StreamArn: stream })
    for (const { ShardId } of StreamDescription!.Shards ?? []) {
      const first = { StreamArn: stream, ShardId: ShardId!, ShardIteratorType: 'TRIM_HORIZON' as const }
      if (!iterators.has(ShardId!)) iterators.set(ShardId!, (await store.getShardIterator(first)).ShardIterator)
      for (;;) {
        const { Records = [], NextShardIterator } = await store.getRecords({ ShardIterator: iterators.get(ShardId!)! })
        iterators.set(ShardId!, NextShardIterator)
        if (Records.length === 0) break
        records.push(...Records)
      }
    }
    return records
  }
  return { g, store, derive, read, costs: { writer: () => costOf(writer.meter), consumer: () => costOf(own.meter) } }
}

function costOf(meter: ReturnType<typeof metered>['meter']): Cost {
  const { requests, tables } = meter.snapshot()
  const { read = 0, write = 0 } = tables.likes ?? {}
  return { requests: Object.values(requests).reduce((sum, each) => sum + each, 0), read, write }
}

/** Handles records in batches until the stream is empty. Returns their number. */
export async function catchUp({ derive, read }: Awaited<ReturnType<typeof begin>>, batch: number): Promise<number> {
  let handled = 0
  for (let records = await read(); records.length > 0; records = await read())
    for (let at = 0; at < records.length; at += batch) {
      const { failures } = await derive.handle(records.slice(at, at + batch))
      if (failures.length > 0) throw failures[0]!.error
      handled += Math.min(batch, records.length - at)
    }
  return handled
}

/** The pattern of AWS's documentation: each record changes counters and copies without conditions. */
function naive(store: Store) {
  const TableName = 'likes'
  const nodeOf = (PK: AttributeValue) => ({ PK, SK: { S: '#' } })
  const add = (Key: Item, by: Record<string, number>) =>
    store.updateItem({
      TableName,
      Key,
      UpdateExpression: `ADD ${Object.keys(by).map((_, i) => `#n${i} :v${i}`)}`,
      ExpressionAttributeNames: Object.fromEntries(Object.keys(by).map((name, i) => [`#n${i}`, name])),
      ExpressionAttributeValues: Object.fromEntries(
        Object.values(by).map((more, i) => [`:v${i}`, { N: String(more) }]),
      ),
    })
  const copy = async (PK: AttributeValue, name: AttributeValue) => {
    const { Items = [] } = await store.query({
      TableName,
      KeyConditionExpression: 'PK = :p AND begins_with(SK, :s)',
      ExpressionAttributeValues: { ':p': PK, ':s': { S: 'likes.fan#' } },
    })
    for (const { SK } of Items) {
      const own = { PK: { S: `user#${SK!.S!.split('#')[1]}` }, SK: { S: `likes#${PK.S!.split('#')[1]}` } }
      for (const Key of [{ PK, SK: SK! }, own])
        await store.updateItem({
          TableName,
          Key,
          UpdateExpression: 'SET fanName = :n',
          ExpressionAttributeValues: { ':n': name },
        })
    }
  }
  return async (records: readonly ChangeRecord[]): Promise<HandleResult> => {
    for (const { dynamodb } of records) {
      const { Keys, OldImage: old, NewImage: now } = dynamodb!
      const [PK, SK] = [Keys!.PK!, Keys!.SK!.S!]
      const more = (now ? 1 : 0) - (old ? 1 : 0)
      const stars = Number(now?.stars?.N ?? 0) - Number(old?.stars?.N ?? 0)
      if (SK === '#' && old && now && old.name?.S !== now.name?.S) await copy(PK, now.name!)
      else if (SK.startsWith('likes#') && (more !== 0 || stars !== 0))
        await add(nodeOf(PK), { got: more, score: stars })
      else if (SK.startsWith('likes.fan#') && more !== 0) await add(nodeOf(PK), { given: more })
    }
    return { applied: records.length, skipped: 0, failures: [] }
  }
}
