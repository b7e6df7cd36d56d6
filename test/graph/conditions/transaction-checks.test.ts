import { describe, expect, expectTypeOf, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { boolean, counter, date, edge, embedded, graph, integer, node, open, string } from '../../../src/index.js'

const user = node('user', { id: string(), active: boolean(), posts: counter(), until: date().optional() }, { id: 'id' })
const post = node('post', { id: string(), text: string(), authors: embedded({ at: integer() }) }, { id: 'id' })
const wrote = edge(
  'wrote',
  { user, post },
  { at: integer() },
  { count: { user: { into: 'posts' } }, embed: { post: { into: 'authors', max: 5 } } },
)
const token = node('token', { id: string(), until: date() }, { id: 'id', expires: 'until' })
const owns = edge('owns', { user, token }, {}, { one: 'token' })
const social = graph('social', [user, post, wrote, token, owns])

const now = Date.UTC(2026, 0, 1)

const openSocial = async (store = memory()) => {
  const g = await open(social, store, { clock: () => now })
  await g.user.put({ id: 'ann', active: true })
  await g.user.put({ id: 'bob', active: false })
  return g
}

describe('a check in a transaction', () => {
  it('a check lets all writes be applied when the row meets the condition, and none otherwise', async () => {
    const g = await openSocial()
    expectTypeOf(g.user.check('ann')).toExtend<Promise<void>>()
    const writing = (id: string) =>
      g.$transact([g.user.check(id, r => r.active.is(true)), g.post.create({ id: `by-${id}`, text: 'x' })])
    expect(await writing('ann')).toEqual([undefined, undefined])
    await expect(writing('bob')).rejects.toMatchObject({
      code: 'write.condition',
      message:
        "user 'bob': this user does not meet the condition of the call; read it, and then decide whether to repeat the call.",
      details: { type: 'user', value: { id: 'bob' }, call: 0 },
    })
    await expect(writing('eve')).rejects.toMatchObject({ code: 'write.absent', details: { value: { id: 'eve' } } })
    expect((await g.post.scan().all()).map(({ id }) => id)).toEqual(['by-ann'])
  })

  it('a check without a condition only requires that the row exists', async () => {
    const g = await openSocial()
    await g.$transact([g.user.check('bob'), g.post.create({ id: '1', text: 'x' })])
    await expect(g.$transact([g.user.check('eve'), g.post.create({ id: '2', text: 'x' })])).rejects.toMatchObject({
      code: 'write.absent',
    })
  })

  it('a check can be the only part of a transaction, or accompany the deletion of a missing row', async () => {
    const g = await openSocial()
    await g.$transact([g.user.check('ann')])
    await expect(g.$transact([g.user.check('eve')])).rejects.toMatchObject({ code: 'write.absent' })
    const beside = (id: string) => g.$transact([g.user.check(id), g.wrote.delete({ user: 'ann', post: 'none' })])
    await beside('ann')
    await expect(beside('eve')).rejects.toMatchObject({ code: 'write.absent' })
  })

  it('a check of a node can accompany an edge that the node counts and embeds', async () => {
    const g = await openSocial()
    await g.post.put({ id: '1', text: 'x' })
    const writing = (id: string, at: number) =>
      g.$transact([
        g.user.check(id, r => r.active.is(true)),
        g.post.check('1', r => r.text.is('x')),
        g.wrote.put({ user: id, post: '1', at }),
      ])
    await writing('ann', 1)
    await writing('ann', 2)
    await expect(writing('bob', 1)).rejects.toMatchObject({ code: 'write.condition', details: { call: 0 } })
    await expect(writing('eve', 1)).rejects.toThrow(
      "user 'eve': this user does not exist, but an edge refers to it; create it first.",
    )
    expect(await g.user.get('ann')).toMatchObject({ posts: 1 })
    expect((await g.post.get('1'))!.authors).toEqual({ ann: { at: 2 } })
    await g.$transact([g.user.check('ann', r => r.posts.is(1)), g.wrote.delete({ user: 'ann', post: '1' })])
    expect(await g.user.get('ann')).toMatchObject({ posts: 0 })
  })

  it('a check of an only edge requires that it leads to the given node', async () => {
    const g = await openSocial()
    await g.token.put({ id: 't', until: new Date(now + 60_000) })
    await g.owns.put({ user: 'ann', token: 't' })
    const writing = (owner: string) =>
      g.$transact([g.owns.check({ user: owner, token: 't' }), g.post.put({ id: owner, text: 'x' })])
    await writing('ann')
    await expect(writing('bob')).rejects.toMatchObject({ code: 'write.absent', details: { type: 'owns' } })
  })

  it('a check finds no row that is expired or being deleted', async () => {
    const g = await openSocial()
    await g.token.put({ id: 'old', until: new Date(now - 1000) })
    await expect(g.$transact([g.token.check('old'), g.post.put({ id: '1', text: 'x' })])).rejects.toMatchObject({
      code: 'write.absent',
    })
  })

  it('a check is rejected for a row written by the same transaction, on its own, in a batch and next to reads', async () => {
    const g = await openSocial()
    const refused = { code: 'call.part' }
    await expect(g.$transact([g.user.check('ann'), g.user.update('ann', { active: false })])).rejects.toMatchObject({
      code: 'write.transaction',
    })
    await expect(g.user.check('ann')).rejects.toMatchObject(refused)
    // @ts-expect-error a batch does not accept checks
    expect(() => g.$batch([g.user.check('ann')])).toThrow(expect.objectContaining(refused))
    expect(() => g.$transact([g.user.check('ann'), g.user.get('bob')])).toThrow(expect.objectContaining(refused))
    // @ts-expect-error the attribute does not exist
    expect(() => g.user.check('ann', r => r.nothing.is(true))).toThrow()
    await g.owns.put({ user: 'ann', token: 't' })
    await expect(
      g.$transact([g.owns.check({ user: 'ann', token: 't' }), g.owns.put({ user: 'bob', token: 't' })]),
    ).rejects.toMatchObject({ code: 'write.transaction' })
    expect(await g.user.get('ann')).toMatchObject({ active: true })
  })

  it('the price of a check is exact', async () => {
    const store = memory()
    const g = await openSocial(store)
    for (const checks of [
      [g.user.check('ann')],
      [g.user.check('ann', r => r.active.is(true)), g.post.create({ id: '1', text: 'x' })],
    ]) {
      const call = g.$transact(checks as never)
      const { Items: there } = await store.scan({ TableName: 'social' })
      const { total } = call.explain({ existing: there! })
      const { consumed } = await call.run()
      expect(consumed.write).toEqual(total.write)
      expect(call.explain().steps[0]!.operation).toBe('TransactWriteItems')
    }
  })

  it('a check is evaluated only the first time under a token', async () => {
    const g = await openSocial()
    const run = () =>
      g
        .$transact([g.user.check('ann', r => r.active.is(true)), g.post.create({ id: '1', text: 'x' })])
        .run({ token: 't' })
    await run()
    await g.user.update('ann', { active: false })
    await run()
    await expect(
      g.$transact([g.user.check('ann'), g.post.create({ id: '1', text: 'x' })]).run({ token: 't' }),
    ).rejects.toMatchObject({ code: 'write.token' })
  })
})
