import { describe, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/index.js'
import { memory } from '../../../src/embedded.js'
import { boolean, counter, edge, graph, integer, node, open, string } from '../../../src/index.js'
import { repair, verify } from '../../../src/jobs/index.js'

const TABLE = 'places'

async function opened(by: 'stream' | 'transaction') {
  const user = node('user', { id: string(), name: string() }, { id: 'id' })
  const place = node('place', { id: string(), visits: counter(), stars: counter() }, { id: 'id' })
  const visits = edge(
    'visits',
    { user, place },
    { stars: integer(), again: boolean().optional() },
    {
      count: { place: { into: 'visits', by, where: { again: true } } },
      sum: { place: { into: 'stars', of: 'stars', by } },
      by: { place: { as: 'mirror' } },
    },
  )
  const store = memory()
  const g = await open(graph(TABLE, [user, place, visits]), store)
  await g.user.put({ id: 'u', name: 'Ann' })
  await g.place.put({ id: 'p' })
  await g.visits.put({ user: 'u', place: 'p', stars: 4 })
  await g.$settled()
  const mirror = async () => {
    const { Items = [] } = await store.scan({ TableName: TABLE })
    return Items.find(({ _type }) => _type?.S === 'visits.place')!
  }
  /** A foreign write that keeps the etag. */
  const alter = async (values: Item) => store.putItem({ TableName: TABLE, Item: { ...(await mirror()), ...values } })
  return { g, mirror, alter }
}

describe.each(['stream', 'transaction'] as const)('a mirror of an edge that the %s counts', by => {
  it.each([
    ['has another value', { stars: { N: '5' } }],
    ['has a value that its edge lacks', { again: { BOOL: true } }],
    ['has both', { stars: { N: '5' }, again: { BOOL: true } }],
  ])('a mirror of a counted edge is found and repaired if it %s under the same etag', async (_, values) => {
    const { g, mirror, alter } = await opened(by)
    const { _counted, ...before } = await mirror()
    await alter(values)
    await g.$settled()
    const { faults } = await verify(g)
    expect(faults['mirror.missing']).toBe(1)
    await repair(g)
    await g.$settled()
    expect((await verify(g)).faults).toEqual({})
    const { _counted: _now, ...after } = await mirror()
    expect(after).toEqual(before)
    expect(await g.visits.by.place('p').all()).toEqual([{ user: 'u', place: 'p', stars: 4 }])
    expect(await g.place.get('p')).toEqual({ id: 'p', visits: 0, stars: 4 })
    expect((await repair(g)).repaired).toBe(0)
  })
})
