import type { StreamFollower } from '../../../src/derive/follow/start-follower.js'
import { startFollower } from '../../../src/derive/follow/start-follower.js'
import { faulty } from '../../../src/store/faulty.js'
import type { Service, Store, Streams } from '../../../src/store/port.js'
import { type Noting, noting, type Scene } from './follower-fixture.js'

/** A follower in a simulated process that can crash at any moment. */
export interface Member {
  readonly consumer: Noting
  readonly follow: StreamFollower
  /** Crashes the process. Its last request may or may not have been applied. */
  crash(): void
}

const never = () => new Promise<never>(() => undefined)
const STREAM_READS = ['listStreams', 'describeStream', 'getShardIterator', 'getRecords'] as const

/** Wraps a store whose requests fail now and then, in every possible way. */
export async function member({ store, time }: Scene, seed: number, random: () => number): Promise<Member> {
  let isGone = false
  const consumer = noting()
  const error = Object.assign(new Error('slow down'), { name: 'ThrottlingException' })
  consumer.before = async () => {
    if (isGone) await never()
    if (random() < 0.1) throw error
  }
  const own = cutOff(withStreams(faulty(store, { seed }), store, random), () => isGone)
  const follow = await startFollower(consumer, own, {
    clock: time.clock,
    sleep: (delayMs, signal) => (isGone ? never() : time.sleep(delayMs, signal)),
    create: true,
    leaseMs: 10_000,
    batchSize: 1 + Math.floor(random() * 10),
    listener: () => undefined,
    visibleMs: 3000,
  })
  return {
    consumer,
    follow,
    crash() {
      isGone = true
    },
  }
}

/** Throttles reads of the stream, or loses their connection. */
function withStreams(of: Store, store: Service & Streams, random: () => number): Store & Streams {
  const failing = STREAM_READS.map(name => {
    const send = store[name] as (request: never) => Promise<unknown>
    return [
      name,
      async (request: never) => {
        if (random() < 0.05) throw Object.assign(new Error('too fast'), { name: 'LimitExceededException' })
        if (random() < 0.05) throw Object.assign(new Error('lost'), { code: 'ECONNRESET' })
        return send(request)
      },
    ]
  })
  return { ...of, ...(Object.fromEntries(failing) as unknown as Streams) }
}

/** Returns a promise that never resolves: a crashed process gets no response and sends nothing. */
function cutOff(of: Store & Streams, isGone: () => boolean): Store & Streams {
  const cut = Object.entries(of)
    .filter(([, send]) => typeof send === 'function')
    .map(([name, send]) => [
      name,
      async (request: never) => {
        if (isGone()) return never()
        const answer = await (send as (request: never) => Promise<unknown>)(request)
        return isGone() ? never() : answer
      },
    ])
  return Object.fromEntries(cut) as Store & Streams
}
