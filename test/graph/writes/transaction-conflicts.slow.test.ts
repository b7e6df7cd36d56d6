import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, node, open, retrying, string, wrap } from '../../../src/index.js'

const user = node('user', { id: string() }, { id: 'id' })
const post = node('post', { id: string(), likes: counter() }, { id: 'id' })
const like = edge('like', { user, post }, {}, { count: { post: 'likes' } })
const blog = graph('blog', [user, post, like])

const failing = (name: string, reasons?: string[]) =>
  Object.assign(new Error(name), { name, ...(reasons && { CancellationReasons: reasons.map(Code => ({ Code })) }) })

it('transactions that conflict are retried until all are applied', async () => {
  const g = await open(blog, memory({ conflicts: 20 }))
  await g.post.put({ id: 'p' })
  const ends = await Promise.allSettled(Array.from({ length: 200 }, (_, i) => g.like.put({ user: `u${i}`, post: 'p' })))
  expect(ends.filter(({ status }) => status === 'rejected')).toEqual([])
  expect(await g.post.get('p')).toEqual({ id: 'p', likes: 200 })
}, 60_000)

it.each([
  ['a canceled transaction', failing('TransactionCanceledException', ['None', 'TransactionConflict'])],
  ['a single write', failing('TransactionConflictException')],
])('a conflict of %s that does not end is write.contended, and its message has a remedy', async (_, error) => {
  const store = memory()
  await (await open(blog, store)).post.put({ id: 'p' })
  let tries = 0
  const busy = wrap(store, (operation, request, options, send) => {
    if (!/write|put/i.test(operation)) return send(request, options)
    tries++
    return Promise.reject(error)
  })
  const clock = { now: () => 0, sleep: async () => {} }
  const g = await open(blog, busy, { retry: { clock, attempts: 3 } })
  await expect(g.like.put({ user: 'u', post: 'p' })).rejects.toMatchObject({
    code: 'write.contended',
    message: expect.stringMatching(/concurrent transactions.*by: 'stream'/),
    cause: error,
  })
  expect(tries).toBe(12)
  tries = 0
  const once = retrying(busy, { clock, attempts: 1 })
  await expect(once.putItem({ TableName: 'blog', Item: {} })).rejects.toBe(error)
  expect(tries).toBe(1)
})

it('throttling is still store.throttled, after the same number of attempts', async () => {
  const store = memory()
  await (await open(blog, store)).post.put({ id: 'p' })
  let tries = 0
  const busy = wrap(store, (operation, request, options, send) => {
    if (!/write|put/i.test(operation)) return send(request, options)
    tries++
    return Promise.reject(failing('TransactionCanceledException', ['TransactionConflict', 'ThrottlingError']))
  })
  const clock = { now: () => 0, sleep: async () => {} }
  const g = await open(blog, busy, { retry: { clock, attempts: 3 } })
  await expect(g.like.put({ user: 'u', post: 'p' })).rejects.toMatchObject({ code: 'store.throttled' })
  expect(tries).toBe(3)
})

it('a read whose response is lost does not claim that a write may have been applied', async () => {
  const store = memory()
  await open(blog, store)
  const lossy = wrap(store, (operation, request, options, send) =>
    operation === 'getItem' && isLossy ? Promise.reject(failing('TimeoutError')) : send(request, options),
  )
  let isLossy = false
  const clock = { now: () => 0, sleep: async () => {} }
  const g = await open(blog, lossy, { retry: { clock } })
  isLossy = true
  const error = await g.post.get('p').catch((thrown: unknown) => thrown)
  expect(error).toMatchObject({ code: 'store.unknown', message: expect.stringMatching(/^store: a read failed.*retry/) })
  expect((error as Error).message).not.toMatch(/may/)
})

it('a write whose response is lost may have been applied, also when the response of the lookup is lost', async () => {
  const store = memory()
  await open(blog, store)
  let isLossy = false
  const lossy = wrap(store, (_, request, options, send) =>
    isLossy ? Promise.reject(failing('TimeoutError')) : send(request, options),
  )
  const clock = { now: () => 0, sleep: async () => {} }
  const g = await open(blog, lossy, { retry: { clock } })
  isLossy = true
  await expect(g.user.put({ id: 'u' })).rejects.toMatchObject({
    code: 'store.unknown',
    message: expect.stringMatching(/may have been applied/),
  })
})
