import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { edge, graph, layout, node, open, string } from '../../../src/index.js'

const user = node('user', { id: string() }, { id: 'id' })
const item = node('item', { no: string() }, { id: 'no' })
const buys = edge('buys', { user, item }, { note: string() })
// An item whose number contains the separator cannot be put, but an edge can refer to it.
const shop = layout(graph('shop', [user, item, buys]), {
  raw: true,
  keys: {
    user: { PK: 'U#{id}', SK: 'U' },
    item: { PK: 'I#{no}#X', SK: 'I' },
    buys: { PK: 'U#{user}', SK: 'BUYS-{item}', GSI1PK: 'B-{item}', GSI1SK: 'U#{user}' },
  },
})

describe('an edge to an id that the key of its node cannot hold', () => {
  it('the edge is read without a node and does not affect other rows', async () => {
    const g = await open(shop, memory())
    await g.user.create({ id: 'ann' })
    await g.item.create({ no: '1' })
    await expect(g.item.create({ no: '2#b' })).rejects.toMatchObject({ code: 'key.separator' })
    for (const no of ['1', '2#b', '3']) await g.buys.put({ user: 'ann', item: no, note: '' })
    const by = g.buys.by.user('ann')
    expect(await by.nodes().all()).toEqual([{ no: '1' }])
    expect((await by.withNodes().all()).map(({ edge, node: found }) => [edge.item, found])).toEqual([
      ['1', { no: '1' }],
      ['2#b', undefined],
      ['3', undefined],
    ])
    const { requests } = await by.nodes().all().run()
    expect(requests).toBe(2)
    const { bought } = await g.user.collect('ann', { bought: () => by.withNodes() })
    expect(bought.map(({ node: found }) => found)).toEqual([{ no: '1' }, undefined, undefined])
    await g.user.delete('ann', { edges: 'cascade' })
    expect(await g.buys.scan().all()).toEqual([])
  })

  it('no request is sent when no edge leads to a possible node', async () => {
    const g = await open(shop, memory())
    await g.buys.put({ user: 'ann', item: '2#b', note: '' }).run()
    const { value, requests } = await g.buys.by.user('ann').nodes().all().run()
    expect([value, requests]).toEqual([[], 1])
  })
})
