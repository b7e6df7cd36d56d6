import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { bigint, decimal, edge, graph, integer, node, open, string } from '../../../src/index.js'

const user = node(
  'user',
  { id: string(), name: string(), size: integer() },
  { id: 'id', by: { near: { in: ['name'], order: ['size'], as: 'native' } } },
)
/** Every item with the attributes of a native index is an entry of the index. */
const shop = node('shop', { id: string(), name: string() }, { id: 'id' })

it('an attribute that is an index key must not be empty or too long, in any type', async () => {
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

it('native keys hold no empty texts, so an equal read finds nothing and a range starts with everything', async () => {
  const by = { near: { in: ['name'], order: ['size'], as: 'native' }, name: { order: ['name'], as: 'native' } } as const
  const attributes = { id: string(), name: string(), size: decimal() }
  const g = await open(graph('users', [node('user', attributes, { id: 'id', by })]), memory())
  await g.user.create({ id: 'a', name: 'Ann', size: '1.5' })
  const found = (name: object | string) =>
    g.user.by
      .name()
      .where({ name: name as string })
      .count()
  expect(await g.user.by.near({ name: '' }).all()).toEqual([])
  expect(await Promise.all(['', { to: '' }, { from: '', to: '' }].map(found))).toEqual([0, 0, 0])
  const wide = [{ from: '' }, { from: '', to: 'B' }, { startsWith: '' }, { startsWith: 'An' }]
  expect(await Promise.all(wide.map(found))).toEqual([1, 1, 1, 1])
  for (const refused of [
    g.user.by
      .near({ name: 'Ann' })
      .where({ size: { startsWith: '1' } })
      .all(),
    g.user.by
      .name()
      .where({ name: { startsWith: '\ud83d' } })
      .all(),
  ])
    await expect(refused).rejects.toMatchObject({ code: 'key.range' })
})

it('a range that ends before its start finds nothing, for any number of digits', async () => {
  const attributes = { id: string(), no: bigint(), share: decimal() }
  const by = { no: { order: ['no'], as: 'native' }, share: { order: ['share'], as: 'native' } } as const
  const g = await open(graph('many', [node('thing', attributes, { id: 'id', by })]), memory())
  const [no, share] = [10n ** 20n, '1.00000000000000000000000000000000001']
  await g.thing.create({ id: 'a', no, share })
  expect(
    await g.thing.by
      .no()
      .where({ no: { from: no, to: no + 1n } })
      .count(),
  ).toBe(1)
  expect(
    await g.thing.by
      .no()
      .where({ no: { from: no + 1n, to: no } })
      .all(),
  ).toEqual([])
  expect(
    await g.thing.by
      .no()
      .where({ no: { from: -no, to: -no - 1n } })
      .all(),
  ).toEqual([])
  expect(
    await g.thing.by
      .share()
      .where({ share: { from: '1', to: share } })
      .count(),
  ).toBe(1)
  expect(
    await g.thing.by
      .share()
      .where({ share: { from: share, to: '1' } })
      .all(),
  ).toEqual([])
})

it('the price of changing an unread edge includes the index that has its end in the key', async () => {
  const movie = node('movie', { name: string() }, { id: 'name' })
  const actor = node('actor', { name: string() }, { id: 'name' })
  const by = { actor: { order: ['rank'], as: 'native' } } as const
  const role = edge('role', { movie, actor }, { rank: integer(), note: string().optional() }, { by })
  const opened = await open(graph('cinema', [movie, actor, role], { tenant: true }), memory())
  const g = opened.$tenant('a')
  const woody = { movie: 'Toy Story', actor: 'Tom Hanks' }
  await g.role.put({ ...woody, rank: 1 })
  for (const make of [
    () => g.role.update(woody, { note: 'x' }),
    () => g.role.update(woody, { rank: 2 }),
    () => g.role.delete(woody),
  ]) {
    const { write } = make().explain().total
    expect((await make().run()).consumed.write).toEqual(write)
  }
})
