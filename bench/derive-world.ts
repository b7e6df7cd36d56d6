import { consumer } from '../src/derive/index.js'
import type { ChangeRecord } from '../src/dynamodb/operations/streams.js'
import { memory } from '../src/engine/index.js'
import { counter, edge, graph, integer, metered, node, open, string } from '../src/index.js'
import type { Service, Streams } from '../src/store/port.js'

/** What something took, of the writer and of the consumer apart. */
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

/** A graph in one of the modes, whose writer and whose consumer are metered apart. */
export async function begin(mode: Mode, store: Service & Streams = memory()) {
  const made = graphOf(mode)
  const writer = metered(store)
  const own = metered(store)
  const g = await open(made, writer.store, { follow: false, create: true })
  const derive = consumer(made, own.store)
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

/** Handles records until none come any more, in batches; answers how many there were. */
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
