import { describe, expect, it } from 'vitest'
import { memory } from '../../../../src/embedded.js'
import { counter, edge, graph, layout, node, open, set, string } from '../../../../src/index.js'
import { backfill, deploy, verify } from '../../../../src/jobs/index.js'

describe.each([false, true])('a change between encoded and raw keys, with tenants: %s', tenant => {
  const by = { tag: { in: ['tags'], as: 'item' } } as const
  const user = node('user', { id: string(), n: counter(), tags: set(string()).optional() }, { id: 'id', by })
  const follows = edge(
    'follows',
    { a: user, b: user },
    {},
    { by: { b: { as: 'mirror' } }, count: { b: { into: 'n', by: 'stream' } } },
  )
  const people = graph('people', [user, follows], { tenant })
  const encoded = layout(people)
  const raw = layout(people, {
    raw: true,
    keys: {
      user: { PK: 'U#{id}', SK: 'U#{id}' },
      follows: { PK: 'U#{a}', SK: 'F#{b}', mirror: { PK: 'U#{b}', SK: 'M#{a}' } },
    },
  })

  it.each([
    ['encoded', encoded, raw],
    ['raw', raw, encoded],
  ] as const)('a mirror whose edge others deleted goes: from %s', async (_, before, after) => {
    const store = memory()
    const people = await open(before, store)
    const g = '$tenant' in people ? people.$tenant('t') : people
    for (const id of ['x', 'y', 'z']) await g.user.put({ id, tags: new Set(['t']) })
    for (const b of ['x', 'y', 'z']) await g.follows.put({ a: 'x', b })
    await people.$settled()
    const { Items = [] } = await store.scan({ TableName: 'people' })
    const own = Items.find(item => /^(follows|F)#/.test(item.SK?.S ?? ''))
    if (!own?.PK || !own.SK) throw new Error('no edge lies by itself')
    await store.deleteItem({ TableName: 'people', Key: { PK: own.PK, SK: own.SK } })
    await people.$close()

    await backfill(after, store, { from: before })
    expect((await verify(await open(after, store, { follow: false }))).faults).toEqual({})
  })

  it('items get their raw keys back after the tenant was an index key', async () => {
    const native = edge('follows', { a: user, b: user }, {}, { by: { b: { as: 'native' } } })
    const between = layout(graph('people', [user, native], { tenant }))
    const store = memory()
    const people = await open(raw, store)
    const g = '$tenant' in people ? people.$tenant('t') : people
    for (const id of ['x', 'y']) await g.user.put({ id, tags: new Set(['t']) })
    await g.follows.put({ a: 'x', b: 'y' })
    await people.$close()

    await deploy(between, store)
    await backfill(between, store, { from: raw })
    await backfill(raw, store, { from: between })
    const back = await open(raw, store)
    const h = '$tenant' in back ? back.$tenant('t') : back
    await back.$settled()
    expect(await h.user.get('y')).toEqual({ id: 'y', n: 1, tags: new Set(['t']) })
    expect(await h.follows.by.b('y').all()).toEqual([{ a: 'x', b: 'y' }])
    expect((await verify(back)).faults).toEqual({})
    await back.$close()
  })
})
