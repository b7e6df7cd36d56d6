import type { FollowEvent } from '../../../src/derive/follow/events.js'
import type { EmbeddedStreamInfo, FollowOptions } from '../../../src/derive/follow/settings.js'
import { type StreamFollower, startFollower } from '../../../src/derive/follow/start-follower.js'
import type { Consumer, HandleResult } from '../../../src/derive/port.js'
import type { ChangeRecord } from '../../../src/dynamodb/operation-types.js'
import { memory, type StreamOptions } from '../../../src/engine/index.js'
import { graph, layout, node, string } from '../../../src/index.js'
import type { Service, Streams } from '../../../src/store/port.js'
import { VirtualTime } from './virtual-time.js'

const item = node('item', { name: string() }, { id: 'name' })
const LAYOUT = layout(graph('things', [item]))
export const TABLE = 'things'

/** A consumer that records its batches and calls the given function. */
export interface Noting extends Consumer {
  readonly seen: string[]
  /** The records of each batch. */
  readonly batches: string[][]
  fails: (name: string) => unknown
  throws: (names: readonly string[]) => unknown
  before: () => Promise<void>
}

export function noting(): Noting {
  const made: Noting = {
    layout: LAYOUT,
    seen: [],
    batches: [],
    fails: () => undefined,
    throws: () => undefined,
    before: async () => undefined,
    async handle(records): Promise<HandleResult> {
      await made.before()
      const names = records.map(nameOf)
      made.batches.push(names)
      const thrown = made.throws(names)
      if (thrown) throw thrown
      const failures = records.flatMap(record => {
        const error = made.fails(nameOf(record))
        return error ? [{ record, error }] : []
      })
      const done = names.filter(name => !made.fails(name))
      made.seen.push(...done)
      return { applied: done.length, skipped: 0, failures }
    },
  }
  return made
}

const nameOf = (record: ChangeRecord) => record.dynamodb?.Keys?.PK?.S ?? ''

export interface Scene {
  readonly time: VirtualTime
  readonly store: Service & Streams
  write(...names: string[]): Promise<void>
  follow(
    consumer: Consumer,
    options?: FollowOptions,
    inProcess?: EmbeddedStreamInfo,
  ): Promise<StreamFollower & { readonly events: FollowEvent[] }>
}

/** A table with a stream, on a virtual clock. */
export async function scene(streams: StreamOptions = {}): Promise<Scene> {
  const time = new VirtualTime()
  const store = memory({ now: time.clock, streams })
  await createTable(store)
  let written = 0
  return {
    time,
    store,
    async write(...names) {
      for (const name of names)
        await store.putItem({
          TableName: TABLE,
          Item: { PK: { S: name }, SK: { S: '-' }, n: { N: String(written++) } },
        })
    },
    async follow(consumer, options = {}, inProcess = undefined) {
      const events: FollowEvent[] = []
      const { clock, sleep } = time
      const settings = {
        clock,
        sleep,
        leaseMs: 30_000,
        listener: (event: FollowEvent) => events.push(event),
        ...options,
      }
      const follower = await startFollower(consumer, store, settings, inProcess)
      const { stop, settled, stats, wake } = follower
      const bound = { stop, settled, stats, wake }
      for (const name of Object.keys(bound) as (keyof StreamFollower)[])
        bound[name] = bound[name].bind(follower) as never
      return { ...bound, events }
    },
  }
}

export async function createTable(store: Service, TableName = TABLE): Promise<void> {
  await store.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [
      { AttributeName: 'PK', AttributeType: 'S' },
      { AttributeName: 'SK', AttributeType: 'S' },
    ],
    KeySchema: [
      { AttributeName: 'PK', KeyType: 'HASH' },
      { AttributeName: 'SK', KeyType: 'RANGE' },
    ],
    StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
  })
}

/** Reads the items of the checkpoint table in one partition. */
export async function ledgerItems(store: Service, partition = 'derived') {
  const { Items = [] } = await store.query({
    TableName: `${TABLE}-consumers`,
    KeyConditionExpression: 'PK = :p',
    ExpressionAttributeValues: { ':p': { S: partition } },
  })
  return Items
}

export const names = (count: number, prefix = 'a') => Array.from({ length: count }, (_, at) => `${prefix}${at}`)
