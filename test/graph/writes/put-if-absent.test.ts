import { describe, expect, expectTypeOf, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, graph, integer, node, open, string, wrap } from '../../../src/index.js'

const user = node(
  'user',
  { id: string(), name: string(), mail: string().optional(), likes: counter() },
  {
    id: 'id',
    unique: ['mail'],
  },
)
const post = node('post', { id: string() }, { id: 'id' })
const like = edge('like', { user, post }, { at: integer() }, { count: { user: { into: 'likes' } }, one: 'post' })
const social = graph('social', [user, post, like])

/** A store that loses the response to the next write, which was applied or not. */
function losing() {
  let next: 'applied' | 'not applied' | undefined
  const embedded = memory()
  const store = wrap(embedded, async (operation, input, _options, send) => {
    const isWrite = /^(put|update|transactWrite)/.test(operation)
    if (!isWrite || !next) return send(input)
    const isApplied = next === 'applied'
    next = undefined
    if (isApplied) await send(input)
    throw Object.assign(new Error('the line went dead'), { name: 'TimeoutError' })
  })
  const lose = (which: typeof next) => {
    next = which
  }
  return { store, lose }
}

describe('putIfAbsent()', () => {
  it('putIfAbsent() writes a missing row, and leaves an existing row unchanged', async () => {
    const g = await open(social, memory())
    const first = await g.user.putIfAbsent({ id: 'ann', name: 'Ann' })
    expectTypeOf(first).toEqualTypeOf<boolean>()
    expect(first).toBe(true)
    expect(await g.user.putIfAbsent({ id: 'ann', name: 'Other' })).toBe(false)
    expect(await g.user.get('ann')).toMatchObject({ name: 'Ann' })
    await g.post.put({ id: '1' })
    expect(await g.like.putIfAbsent({ user: 'ann', post: '1', at: 1 })).toBe(true)
    expect(await g.like.putIfAbsent({ user: 'ann', post: '1', at: 2 })).toBe(false)
    expect(await g.user.get('ann')).toMatchObject({ likes: 1 })
  })

  it('putIfAbsent() returns true after a lost response, whether or not the write was applied', async () => {
    for (const which of ['applied', 'not applied'] as const) {
      const { store, lose } = losing()
      const g = await open(social, store, { create: true, retry: { baseDelayMs: 1 } })
      lose(which)
      expect(await g.post.putIfAbsent({ id: '1' })).toBe(true)
      expect(await g.post.putIfAbsent({ id: '1' })).toBe(false)
      await g.user.putIfAbsent({ id: 'ann', name: 'Ann', mail: 'a' })
      lose(which)
      expect(await g.like.putIfAbsent({ user: 'ann', post: '1', at: 1 })).toBe(true)
      expect(await g.user.get('ann')).toMatchObject({ likes: 1 })
    }
  })

  it('putIfAbsent() lets exactly one of many concurrent calls write', async () => {
    const g = await open(social, memory())
    const all = await Promise.all(Array.from({ length: 20 }, (_, i) => g.post.putIfAbsent({ id: `${i % 2}` })))
    expect(all.filter(Boolean)).toHaveLength(2)
  })

  it('putIfAbsent() rejects for other reasons than an existing row, also for another edge in its place', async () => {
    const g = await open(social, memory())
    await g.user.put({ id: 'ann', name: 'Ann', mail: 'a' })
    await g.user.put({ id: 'bob', name: 'Bob' })
    await g.post.put({ id: '1' })
    await expect(g.user.putIfAbsent({ id: 'eve', name: 'Eve', mail: 'a' })).rejects.toMatchObject({
      code: 'unique.taken',
    })
    await g.like.put({ user: 'ann', post: '1', at: 1 })
    await expect(g.like.putIfAbsent({ user: 'bob', post: '1', at: 1 })).rejects.toMatchObject({ code: 'write.exists' })
    expect(await g.like.putIfAbsent({ user: 'ann', post: '1', at: 3 })).toBe(false)
  })

  it('putIfAbsent() writes only the first time under a token, and then returns true again', async () => {
    const g = await open(social, memory())
    const put = () => g.post.putIfAbsent({ id: '1' }).run({ token: 't' })
    expect((await put()).value).toBe(true)
    expect((await put()).value).toBe(true)
  })

  it('putIfAbsent() works for each tenant separately', async () => {
    const g = await open(graph('posts', [post], { tenant: true }), memory())
    expect(await g.$tenant('a').post.putIfAbsent({ id: '1' })).toBe(true)
    expect(await g.$tenant('b').post.putIfAbsent({ id: '1' })).toBe(true)
    expect(await g.$tenant('a').post.putIfAbsent({ id: '1' })).toBe(false)
  })

  it('putIfAbsent() is rejected in a transaction, which would fail as a whole', async () => {
    const g = await open(social, memory())
    // @ts-expect-error putIfAbsent() cannot be part of a transaction
    expect(() => g.$transact([g.post.putIfAbsent({ id: '1' })])).toThrow(expect.objectContaining({ code: 'call.part' }))
  })
})
