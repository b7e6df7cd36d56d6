import { expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, embedded, graph, integer, node, open, string } from '../../../src/index.js'
import { computed, encrypted, Secret } from '../../../src/schema/transformed/index.js'

const name = string()
const keys = { one: new Uint8Array(32) }
const user = node(
  'user',
  {
    id: string(),
    name,
    key: computed(string(), { name }, row => row.name.toLowerCase()),
    born: integer().immutable(),
    token: encrypted(string(), { keys, current: 'one', context: 'user.token' }).immutable(),
    likes: counter(),
    points: counter(),
    last: embedded({ at: integer() }),
  },
  { id: 'id' },
)
const post = node('post', { id: string() }, { id: 'id' })
const like = edge(
  'like',
  { user, post },
  { at: integer() },
  {
    count: { user: { into: 'likes' } },
    sum: { user: { into: 'points', of: 'at' } },
    embed: { user: { into: 'last', max: 5 } },
    carry: { userBorn: 'user.born', userToken: 'user.token' },
  },
)
const social = graph('social', [user, post, like])

const filled = async () => {
  const g = await open(social, memory())
  await g.user.put({ id: 'ann', name: 'Ann', born: 1990, token: 't' })
  await g.post.put({ id: '1' })
  return g
}

const refused = { code: 'write.derived' }

it('a node that was read can be put again with its counters, map and computed attributes', async () => {
  const g = await filled()
  await g.user.put({ ...(await g.user.get('ann'))! })
  await g.like.put({ user: 'ann', post: '1', at: 3 })
  const row = (await g.user.get('ann'))!
  expect(row).toMatchObject({ likes: 1, points: 3, last: { '1': { at: 3 } }, key: 'ann' })
  await g.user.put({ ...row })
  await g.$transact([g.user.put({ ...row }), g.post.put({ id: '2' })])
  expect(await g.user.get('ann')).toEqual(row)
})

it('a node with other derived values is rejected, whether or not it exists, and nothing is written', async () => {
  const g = await filled()
  const row = (await g.user.get('ann'))!
  await g.like.put({ user: 'ann', post: '1', at: 3 })
  const now = (await g.user.get('ann'))!
  for (const given of [
    row,
    { ...now, likes: 2 },
    { ...now, points: 0 },
    { ...now, last: {} },
    { ...now, key: 'other' },
    { ...now, id: 'eve' },
  ])
    await expect(async () => g.user.put(given)).rejects.toMatchObject(refused)
  await expect(g.$transact([g.user.put(row), g.post.put({ id: '2' })])).rejects.toMatchObject(refused)
  await expect(async () => g.user.create({ ...now, id: 'eve' })).rejects.toMatchObject(refused)
  await g.user.create({ ...row, id: 'eve' })
  expect(await g.user.get('ann')).toEqual(now)
  expect(await g.post.get('2')).toBeUndefined()
  await expect(g.$batch([g.user.put(row)])).rejects.toMatchObject({ code: 'batch.failed' })
})

it('an edge that was read can be put again with its carried attributes, and other copies are rejected', async () => {
  const g = await filled()
  await g.like.put({ user: 'ann', post: '1', at: 3 })
  const row = (await g.like.get({ user: 'ann', post: '1' }))!
  expect(row.userBorn).toBe(1990)
  await g.like.put({ ...row, at: 4 })
  expect(await g.like.get({ user: 'ann', post: '1' })).toEqual({ ...row, at: 4 })
  await expect(g.like.put({ ...row, userBorn: 1991 })).rejects.toMatchObject({
    ...refused,
    details: { name: 'userBorn' },
  })
  await expect(g.like.put({ ...row, userToken: new Secret('x') })).rejects.toMatchObject(refused)
  expect(await g.user.get('ann')).toMatchObject({ likes: 1, points: 4 })
})

it('an update never accepts derived values', async () => {
  const g = await filled()
  // @ts-expect-error a patch must not contain a counter
  await expect(async () => g.user.update('ann', { likes: 0 })).rejects.toMatchObject(refused)
})
