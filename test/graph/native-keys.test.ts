import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { graph, integer, node, open, string } from '../../src/index.js'

const user = node(
  'user',
  { id: string(), name: string(), size: integer() },
  { id: 'id', by: { near: { in: ['name'], order: ['size'], as: 'native' } } },
)
/** Whatever has the attributes of a native index lies in it. */
const shop = node('shop', { id: string(), name: string() }, { id: 'id' })

it('an attribute that is the key of an index is neither empty nor too long, in whatever type it is', async () => {
  const store = memory()
  const g = await open(graph('shops', [user, shop]), store)
  await g.user.create({ id: 'a', name: 'Ann', size: 1 })
  const { Items: before } = await store.scan({ TableName: 'shops' })
  for (const [name, code] of [
    ['', 'key.empty'],
    ['n'.repeat(2_049), 'key.long'],
  ] as const) {
    const refused = [
      g.user.put({ id: 'b', name, size: 1 }),
      g.user.update('a', { name }),
      g.shop.create({ id: 'b', name }),
      g.$transact([g.shop.put({ id: 'b', name }), g.shop.put({ id: 'c', name: 'c' })]),
    ]
    for (const call of refused) await expect(call).rejects.toMatchObject({ code, details: { name: 'name', value: {} } })
  }
  expect((await store.scan({ TableName: 'shops' })).Items).toEqual(before)
  await g.user.update('a', { name: 'n'.repeat(2_048) })
})
