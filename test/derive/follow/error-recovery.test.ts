import { afterEach, describe, expect, it, vi } from 'vitest'
import { follow } from '../../../src/derive/follow/follow.js'
import type { FollowOptions } from '../../../src/derive/follow/settings.js'
import { startFollower } from '../../../src/derive/follow/start-follower.js'
import type { Operation, Store, Streams } from '../../../src/store/port.js'
import { wrap } from '../../../src/store/wrap.js'
import { names, noting, type Scene, scene } from './follower-fixture.js'

type Trouble = (operation: Operation | keyof Streams) => unknown

const named = (name: string) => Object.assign(new Error(`told by ${name}`), { name })

/** The store of a scene. Each request first awaits `trouble`, which may throw. */
function troubled({ store }: Scene, trouble: Trouble): Store & Streams {
  const meet = (operation: Parameters<Trouble>[0]) => {
    const error = trouble(operation)
    if (error) throw error
  }
  const stream = <Name extends keyof Streams>(name: Name): Streams[Name] =>
    (async (request: never) => {
      meet(name)
      return (store[name] as (request: never) => Promise<unknown>)(request)
    }) as unknown as Streams[Name]
  return {
    ...wrap(store, async (operation, request, options, send) => {
      meet(operation)
      return send(request, options)
    }),
    listStreams: stream('listStreams'),
    describeStream: stream('describeStream'),
    getShardIterator: stream('getShardIterator'),
    getRecords: stream('getRecords'),
  }
}

function following(made: Scene, consumer: ReturnType<typeof noting>, trouble: Trouble, options: FollowOptions = {}) {
  const { clock, sleep } = made.time
  const settings = { clock, sleep, leaseMs: 30_000, visibleMs: 0, create: true, ...options }
  return startFollower(consumer, troubled(made, trouble), settings)
}

/** Records the process warnings. */
function warnings(): string[] {
  const told: string[] = []
  vi.spyOn(process, 'emitWarning').mockImplementation(text => void told.push(String(text)))
  return told
}

afterEach(() => void vi.restoreAllMocks())

describe('a follower on a failing store', () => {
  it.each(['describeStream', 'getRecords', 'getShardIterator', 'query'] as const)(
    'resumes after %s fails for a while, and emits a warning without a listener',
    async operation => {
      const made = await scene()
      await made.write('a', 'b')
      const told = warnings()
      const consumer = noting()
      let isRefused = false
      const follower = await following(made, consumer, each =>
        isRefused && each === operation ? named('AccessDeniedException') : undefined,
      )
      isRefused = true
      await made.time.pass(60_000)
      expect(consumer.seen).toEqual([])
      isRefused = false
      await made.time.until(follower.settled())
      expect(consumer.seen).toEqual(['a', 'b'])
      expect(new Set(told)).toEqual(
        new Set([
          'following the stream failed and will be retried: AccessDeniedException: told by AccessDeniedException',
        ]),
      )
      await follower.stop()
    },
  )

  it('resumes within seconds after a long failure, also with long leases', async () => {
    const made = await scene()
    await made.write('a')
    warnings()
    const consumer = noting()
    let isRefused = true
    const trouble: Trouble = each => (isRefused && each === 'query' ? named('AccessDeniedException') : undefined)
    const follower = await following(made, consumer, trouble, {
      leaseMs: 3 * 3_600_000,
      random: () => Uint8Array.of(255),
    })
    await made.time.pass(40 * 60_000)
    isRefused = false
    const sinceMs = made.time.clock()
    await made.time.until(follower.settled())
    expect(consumer.seen).toEqual(['a'])
    expect(made.time.clock() - sinceMs).toBeLessThanOrEqual(10_000)
    await follower.stop()
  })

  it.each([1, 2])('reads past %i empty pages, because DynamoDB may return them before further records', async empty => {
    const made = await scene()
    await made.write('a')
    const consumer = noting()
    const { getRecords } = made.store
    let left = empty
    const store: Store & Streams = {
      ...made.store,
      getRecords: async request =>
        left-- > 0 ? { Records: [], NextShardIterator: request.ShardIterator } : getRecords(request),
    }
    const { clock, sleep } = made.time
    const follower = await startFollower(consumer, store, { clock, sleep, visibleMs: 0, create: true })
    await made.time.until(follower.settled())
    expect(consumer.seen).toEqual(['a'])
    await follower.stop()
  })

  it('does not report transient errors', async () => {
    const made = await scene()
    await made.write('a')
    const told = warnings()
    const consumer = noting()
    let refusals = 3
    const follower = await following(made, consumer, each =>
      each === 'getRecords' && refusals-- > 0 ? named('LimitExceededException') : undefined,
    )
    await made.time.until(follower.settled())
    expect(consumer.seen).toEqual(['a'])
    expect(told).toEqual([])
    await follower.stop()
  })

  it('skips no record that is not stored as a dead letter, and warns of dead letters', async () => {
    const made = await scene()
    await made.write(...names(3))
    const told = warnings()
    const consumer = noting()
    consumer.fails = name => (name === 'a1' ? new Error('poison') : undefined)
    let refusals = 3
    const follower = await following(
      made,
      consumer,
      each => (each === 'putItem' && refusals-- > 0 ? named('AccessDeniedException') : undefined),
      { attempts: 1 },
    )
    await made.time.until(follower.settled())
    expect(refusals).toBeLessThan(0)
    expect(follower.stats()).toMatchObject({ deadLettered: 1, applied: 2 })
    expect(told.at(-1)).toBe('a stream record could not be handled and was stored as a dead letter: Error: poison')
    await follower.stop()
  })

  it('a follower that is stopped while a record fails leaves its batch to the next follower', async () => {
    const made = await scene()
    await made.write(...names(2))
    warnings()
    const consumer = noting()
    consumer.throws = () => named('ThrottlingException')
    const follower = await following(made, consumer, () => undefined)
    await made.time.pass(10_000)
    expect(consumer.batches.length).toBeGreaterThan(1)
    await follower.stop()
    const next = noting()
    const second = await following(made, next, () => undefined)
    await made.time.until(second.settled())
    expect(next.seen).toEqual(names(2))
    await second.stop()
  })

  it.each([
    () => {
      throw new Error('deaf')
    },
    () => Promise.reject(new Error('deaf')),
  ])('continues after a listener throws or rejects, and emits a warning', async listener => {
    const made = await scene()
    await made.write('a')
    const told = warnings()
    const consumer = noting()
    const follower = await following(made, consumer, () => undefined, { listener })
    await made.time.until(follower.settled())
    expect(consumer.seen).toEqual(['a'])
    expect(told[0]).toContain('Error: deaf')
    await follower.stop()
  })

  it('does not start without access to a stream', async () => {
    const made = await scene()
    const consumer = noting()
    await expect(startFollower(consumer, { ...made.store, getRecords: undefined } as never)).rejects.toMatchObject({
      code: 'open.store',
    })
    const missing = Object.assign(new Error('no such package'), { code: 'ERR_MODULE_NOT_FOUND' })
    const lacking = following(made, consumer, each => (each === 'describeStream' ? missing : undefined))
    await expect(lacking).rejects.toMatchObject({ code: 'open.store', message: 'no such package', cause: missing })
    const closed = following(made, consumer, () => undefined, { create: false })
    await expect(closed).rejects.toMatchObject({ code: 'table.absent' })
    const refused = following(made, consumer, each =>
      each === 'createTable' ? named('AccessDeniedException') : undefined,
    )
    await expect(refused).rejects.toThrow('told by AccessDeniedException')
  })

  it('uses a checkpoint table that another follower creates at the same moment', async () => {
    const made = await scene()
    await made.write('a')
    const consumer = noting()
    const others = made.store
    const store = troubled(made, () => undefined)
    const createTable: Store['createTable'] = async request => {
      await others.createTable(request)
      throw named('ResourceInUseException')
    }
    const { clock, sleep } = made.time
    const follower = await follow(consumer, { ...store, createTable }, { clock, sleep, visibleMs: 0, create: true })
    await made.time.until(follower.settled())
    expect(consumer.seen).toEqual(['a'])
    await follower.stop()
  })
})
