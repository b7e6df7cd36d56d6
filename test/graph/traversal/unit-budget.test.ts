import { expect, test } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, node, open, string } from '../../../src/index.js'

const user = node('user', { id: string(), about: string().optional() }, { id: 'id' })
const follow = edge('follow', { follower: user, followee: user }, { note: string() })

/** The units of the largest page of a Query: 1 MB, and the item that ends it. */
const PAGE_UNITS = 175

test('lists that are larger than expected pass a budget of units by one page at most', async () => {
  const g = await open(graph('social', [user, follow]), memory())
  const note = 'x'.repeat(30_000)
  for (let i = 0; i < 10; i++) {
    await g.follow.put({ follower: 'ann', followee: `u${i}`, note: '' })
    for (let k = 0; k < 20; k++) await g.follow.put({ follower: `u${i}`, followee: `v${k}`, note })
  }
  const two = g.user.from('ann').hop(g.follow.by.follower).hop(g.follow.by.follower)
  for (const units of [5, 100, 300]) {
    const call = two.budget({ units, onBudget: 'partial' }).ids()
    const { units: explained } = call.explain()
    const { value, consumed } = await call.run()
    expect(value.complete).toBe(false)
    expect(consumed.total).toBeLessThanOrEqual(units + PAGE_UNITS)
    expect(consumed.total).toBeLessThanOrEqual(explained.maximum)
  }
  // What is enough for all is spent side by side, and never passed.
  const { value, consumed } = await two.budget({ units: 2_000, onBudget: 'partial' }).ids().run()
  expect([value.complete, consumed.total > 500, consumed.total <= 2_000]).toEqual([true, true, true])
})

test('a partial result under a budget of units goes on to a complete one', async () => {
  const g = await open(graph('social', [user, follow]), memory())
  for (let i = 0; i < 12; i++) {
    await g.follow.put({ follower: 'ann', followee: `u${i}`, note: '' })
    for (let k = 0; k < 5; k++)
      await g.follow.put({ follower: `u${i}`, followee: `v${i}-${k}`, note: 'x'.repeat(3_000) })
  }
  const two = g.user.from('ann').hop(g.follow.by.follower).hop(g.follow.by.follower)
  const whole = await two.ids()
  let part = await two.budget({ units: 8, onBudget: 'partial' }).ids()
  for (let round = 0; part.cursor && round < 20; round++)
    part = await two.budget({ units: 8 }).resume(part.cursor).ids()
  expect(part.value).toEqual(whole)
})
