import { describe, expect, it } from 'vitest'
import { deadLetters, follow, replay } from '../../src/derive/index.js'
import { memory } from '../../src/engine/index.js'
import { counter, edge, GraphError, graph, node, open, string } from '../../src/index.js'
import { backfill, deploy, deployment, dump, finishDeletes, load, repair, verify } from '../../src/jobs/index.js'
import { source } from './load/sources.js'

const user = node('user', { id: string(), follows: counter() }, { id: 'id' })
const follows = edge('follows', { one: user, other: user }, {}, { count: { one: { into: 'follows', by: 'stream' } } })
const social = graph('social', [user, follows])

/** A store whose requests fail on demand. */
async function setUp() {
  const inner = memory()
  let failure: Error | undefined
  const store = new Proxy(inner, {
    get: (_, name) => {
      const member = Reflect.get(inner, name)
      if (typeof member !== 'function') return member
      return (...given: unknown[]) => (failure ? Promise.reject(failure) : member.apply(inner, given))
    },
  })
  const g = await open(social, store, { follow: false, retry: { attempts: 1 } })
  return {
    g,
    store,
    failWith: (name: string) => {
      failure = Object.assign(new Error('not you'), { name })
      return failure
    },
  }
}

type Scene = Awaited<ReturnType<typeof setUp>>
const none = () => undefined
const row = '{"type":"user","id":"a"}\n'
const jobs: Record<string, (scene: Scene) => Promise<unknown>> = {
  verify: ({ g }) => verify(g),
  'verify of one': ({ g }) => verify(g, { type: 'user', id: 'a' }),
  repair: ({ g }) => repair(g),
  dump: ({ g }) => dump(g, none),
  load: ({ g }) => load(g, [source('rows', 'json', row)]),
  backfill: ({ store }) => backfill(social, store, { retry: { attempts: 1 } }),
  finishDeletes: ({ g }) => finishDeletes(g),
  deploy: ({ store }) => deploy(social, store),
  deployment: ({ store }) => deployment(social, store),
  follow: ({ store }) => follow(social, store),
  replay: ({ store }) => replay(social, store),
  deadLetters: async ({ store }) => {
    for await (const _ of deadLetters(social, store)) none()
  },
}

describe('a job on a store that rejects its requests throws the same error as a call', () => {
  for (const [name, job] of Object.entries(jobs))
    it(name, async () => {
      const scene = await setUp()
      const cause = scene.failWith('AccessDeniedException')
      const error = await job(scene).catch(told => told)
      expect(error).toBeInstanceOf(GraphError)
      expect(error).toMatchObject({ code: 'store.refused', cause })
    })
})

describe('a value that is not a graph', () => {
  it('every job rejects a value that is not a graph', async () => {
    for (const job of [verify, repair, finishDeletes]) {
      const answer = job({})
      await expect(answer).rejects.toMatchObject({ code: 'call.argument' })
    }
  })
})

describe('an aborted job', () => {
  it('rejects with the reason of its signal, also if the reason has the name of a store error', async () => {
    const { g, store } = await setUp()
    const reason = Object.assign(new Error('too long'), { name: 'TimeoutError' })
    const signal = AbortSignal.abort(reason)
    for (const job of [
      () => verify(g, { signal }),
      () => repair(g, { signal }),
      () => dump(g, none, { signal }),
      () => backfill(social, store, { signal }),
      () => finishDeletes(g, { signal }),
      () => deploy(social, store, { signal }),
      () => follow(social, store, { signal }),
    ])
      await expect(job()).rejects.toBe(reason)
  })
})

describe('an error of a callback of a job', () => {
  const lost = Object.assign(new Error('the log is away'), { code: 'ECONNRESET' })
  const fails = [
    () => {
      throw lost
    },
    () => Promise.reject(lost),
  ] as const
  const callers: Record<string, (scene: Scene, fail: () => Promise<never>) => Promise<unknown>> = {
    'progress of verify': ({ g }, progress) => verify(g, { progress }),
    'onFault of verify': ({ g }, onFault) => verify(g, { onFault }),
    'progress of repair': ({ g }, progress) => repair(g, { progress }),
    'onFault of repair': ({ g }, onFault) => repair(g, { onFault }),
    'progress of backfill': ({ store }, progress) => backfill(social, store, { progress }),
    'progress of load': ({ g }, progress) => load(g, [source('rows', 'json', row)], { progress }),
    'failed of load': ({ g }, failed) => load(g, [source('rows', 'json', 'no row\n')], { failed }),
    'progress of finishDeletes': async ({ store }, progress) => {
      const going = edge('follows', { one: user, other: user }, {}, { onDelete: { one: 'cascade' } })
      const h = await open(graph('other', [user, going]), store, { follow: false })
      await h.user.put({ id: 'a' })
      const mark = { UpdateExpression: 'SET #g = :g', ExpressionAttributeNames: { '#g': '_going' } }
      const values = { ':g': { S: 'declared a' } }
      await store.updateItem({
        TableName: 'other',
        Key: h.user.keyOf('a'),
        ...mark,
        ExpressionAttributeValues: values,
      })
      return finishDeletes(h, { progress })
    },
    'progress of deploy': ({ store }, progress) => deploy(graph('another', [user]), store, { progress }),
  }
  for (const [name, caller] of Object.entries(callers))
    it.each(fails)(`a job rethrows an error of its callback unchanged: ${name}`, async fail => {
      const scene = await setUp()
      await scene.g.follows.put({ one: 'a', other: 'b' })
      await expect(caller(scene, fail)).rejects.toBe(lost)
    })
})

describe('dump', () => {
  it('rethrows an error of its callback, also with the name of a store error', async () => {
    const { g } = await setUp()
    await g.user.put({ id: 'a' })
    const lost = Object.assign(new Error('the bucket is gone'), { code: 'ECONNRESET' })
    const taken = dump(g, () => Promise.reject(lost))
    await expect(taken).rejects.toBe(lost)
  })

  it('rejects an invalid number of segments instead of returning an empty dump', async () => {
    const { g } = await setUp()
    for (const segments of [0, -1, 1.5, Number.NaN])
      await expect(dump(g, none, { segments })).rejects.toMatchObject({ code: 'call.argument' })
  })
})
