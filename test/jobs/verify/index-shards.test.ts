import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { graph, integer, node, open, set, string } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'

const made = (shards: number) =>
  graph('users', [
    node(
      'user',
      { id: string(), age: integer(), tags: set(string()) },
      { id: 'id', by: { age: { order: ['age'], shards }, tag: { in: ['tags'], as: 'item', shards } } },
    ),
  ])

it('an index entry is correct in any shard that reads query, and in no other', async () => {
  const store = memory()
  const before = await open(made(3), store)
  for (let age = 0; age < 20; age++) await before.user.put({ id: `u${age}`, age, tags: new Set(['a', 'b']) })
  const g = await open(made(5), store)
  expect(await g.user.by.age().count()).toBe(20)
  expect(await g.user.by.tag({ tags: 'a' }).count()).toBe(20)
  expect((await verify(g)).faults).toEqual({})
  const fewer = await open(made(2), store, { drift: 'allow' })
  const { faults } = await verify(fewer)
  expect(faults['index.stale']).toBe(20 - (await fewer.user.by.age().count()))
  expect(faults['facet.missing']).toBeGreaterThan(0)
})
