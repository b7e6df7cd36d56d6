import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, graph, integer, layout, node, open, string } from '../../../src/index.js'
import { backfill, deploy, repair, verify } from '../../../src/jobs/index.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { findings } from '../../../src/table/index.js'

const user = node('user', { id: string(), email: string(), likes: counter() }, { id: 'id', unique: ['email'] })
const post = node('post', { no: integer(), text: string() }, { id: 'no', within: user })
const likes = edge('likes', { user, post }, {}, { count: { user: 'likes' } })

/** A single key attribute, as in models of Dynamoose and Amplify. */
const made = layout(graph('blog', [user, post, likes]), { table: { keys: ['key'] } })

async function filled() {
  const store = memory()
  const g = await open(made, store)
  await g.user.create({ id: 'ann', email: 'a@x' })
  await g.user.create({ id: 'bob', email: 'b@x' })
  await g.$batch([2, 1].map(no => g.post.create({ user: 'ann', no, text: `${no}` })))
  await g.likes.put({ user: 'bob', post: { user: 'ann', no: 1 } })
  return { g, store }
}

describe('a table without a sort key', () => {
  it('a table without a sort key identifies items by one key, and has indexes for related items', () => {
    expect(made.design).toMatchObject({
      keys: { partition: 'key' },
      indexes: [
        { name: 'GSI1', serves: ['post.by.user', 'likes.by.user'] },
        { name: 'GSI2', serves: ['likes.by.post'] },
      ],
    })
    expect(made.design.keys).not.toHaveProperty('sort')
    const items = itemsOf(made, { user: [{ id: 'ann', email: 'a@x' }], post: [{ user: 'ann', no: 1, text: '' }] })
    expect(items.map(({ item }) => item.key)).toEqual([
      { S: 'user#ann' },
      { S: 'user.email#a@x' },
      { S: 'user#ann#post#a1' },
    ])
    expect(proveLayout(made)).toEqual([])
    expect(findings(made).map(({ code }) => code)).toEqual(['owned.undeclared'])
  })

  it('a table without a sort key supports both directions, collections, counters and unique values', async () => {
    const { g } = await filled()
    expect(await g.user.collect('ann', { posts: g.post.by.user })).toEqual({
      node: { id: 'ann', email: 'a@x', likes: 0 },
      posts: [1, 2].map(no => ({ user: 'ann', no, text: `${no}` })),
    })
    expect(await g.likes.by.post({ user: 'ann', no: 1 }).nodes().all()).toEqual([{ id: 'bob', email: 'b@x', likes: 1 }])
    expect(await g.user.by.email('b@x')).toMatchObject({ id: 'bob' })
    await expect(g.user.create({ id: 'cy', email: 'b@x' })).rejects.toMatchObject({ code: 'unique.taken' })
    await expect(g.post.by.user('ann').consistent().all()).rejects.toMatchObject({ code: 'read.consistent' })
  })

  it('a table without a sort key can be deployed, verified, repaired and backfilled', async () => {
    const { g, store } = await filled()
    await g.$transact([g.user.update('ann', { email: 'c@x' })], { token: 'once' })
    expect(await verify(g)).toMatchObject({ faults: {} })
    expect(await repair(g)).toMatchObject({ faults: {} })
    expect(await backfill(made, store)).toMatchObject({ changed: 0 })
    const fresh = memory()
    await deploy(made, fresh)
    const { Table } = await fresh.describeTable({ TableName: 'blog' })
    expect(Table!.KeySchema).toEqual([{ AttributeName: 'key', KeyType: 'HASH' }])
  })

  it('a layout that needs items in the partition of another item is rejected', () => {
    for (const [end, as] of [
      ['user', 'local'],
      ['post', 'inverted'],
      ['post', 'mirror'],
    ] as const) {
      const by = { [end]: { as, ...(as === 'local' && { order: ['at'] }) } }
      const liked = edge('likes', { user, post }, { at: integer() }, { by } as never)
      expect(() => layout(graph('blog', [user, post, liked as typeof likes]), { table: { keys: ['key'] } })).toThrow(
        `likes: by.${end} cannot be ${as} without a sort key; declare as: 'index'.`,
      )
    }
  })
})
