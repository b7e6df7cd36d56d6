import { consumer } from '../src/derive/index.js'
import type { ChangeRecord } from '../src/dynamodb/operation-types.js'
import { memory } from '../src/embedded.js'
import { counter, edge, graph, integer, node, open, string } from '../src/index.js'

/** A call of the package on a memory store. */
export interface WalkedCall {
  /** Writes the data of one repetition, and returns the call on it. */
  prepare(index: number): Promise<() => PromiseLike<unknown>>
}

const movie = node('movie', { name: string(), year: integer(), roles: counter() }, { id: 'name' })
const actor = node('actor', { name: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { character: string() })
const counted = edge('counted', { movie, actor }, {}, { count: { movie: { into: 'roles', by: 'stream' } } })

async function put(): Promise<WalkedCall> {
  const g = await open(graph('cinema', [movie, actor, role]), memory())
  return {
    async prepare(index) {
      const row = { movie: `movie ${index}`, actor: 'Tom Hanks', character: 'Woody' }
      return () => g.role.put(row)
    },
  }
}

async function collect(): Promise<WalkedCall> {
  const g = await open(graph('cinema', [movie, actor, role]), memory())
  return {
    async prepare(index) {
      const name = `movie ${index}`
      await g.movie.put({ name, year: 1995 })
      for (const actor of ['Tim Allen', 'Tom Hanks']) await g.role.put({ movie: name, actor, character: 'Woody' })
      return () => g.movie.collect(name, { roles: g.role.by.movie })
    },
  }
}

async function record(): Promise<WalkedCall> {
  const store = memory()
  const declared = graph('cinema', [movie, actor, counted])
  const g = await open(declared, store, { follow: false })
  const { handle } = consumer(declared, store)
  const readRecords = await recordReader(store)
  return {
    async prepare(index) {
      await g.movie.put({ name: `movie ${index}`, year: 1995 })
      while ((await readRecords()).length > 0);
      await g.counted.put({ movie: `movie ${index}`, actor: 'Tom Hanks' })
      const records = await readRecords()
      if (records.length !== 1)
        throw new Error(`the edge has ${records.length} stream records; change this walk to one`)
      return async () => {
        const { failures } = await handle(records)
        if (failures.length > 0) throw failures[0]!.error
      }
    },
  }
}

/** Returns a function that reads the next records of the table's only shard. */
async function recordReader(store: ReturnType<typeof memory>): Promise<() => Promise<readonly ChangeRecord[]>> {
  const { Table } = await store.describeTable({ TableName: 'cinema' })
  const StreamArn = Table!.LatestStreamArn!
  const { StreamDescription } = await store.describeStream({ StreamArn })
  const { ShardId } = StreamDescription!.Shards![0]!
  const start = { StreamArn, ShardId: ShardId!, ShardIteratorType: 'TRIM_HORIZON' as const }
  let iterator = (await store.getShardIterator(start)).ShardIterator!
  return async () => {
    const { Records = [], NextShardIterator } = await store.getRecords({ ShardIterator: iterator })
    iterator = NextShardIterator!
    return Records
  }
}

/** A put of a plain edge, a collect of a node with two edges, and the record of an edge that its node counts. */
export const walkedCalls: Readonly<Record<string, () => Promise<WalkedCall>>> = { put, collect, record }
