import { describe, expect, it } from 'vitest'
import { memory } from '../../src/embedded.js'
import { counter, edge, graph, layout, node, open, set, string } from '../../src/index.js'
import { backfill, verify } from '../../src/jobs/index.js'

describe.each([false, true])('between encoded and raw keys, with tenants: %s,', tenant => {
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
})
