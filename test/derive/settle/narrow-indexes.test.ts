import { expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { counter, edge, graph, integer, layout, node, open, string } from '../../../src/index.js'
import { verify } from '../../../src/jobs/index.js'

const fan = node('fan', { id: string(), name: string(), likes: counter() }, { id: 'id' })
const song = node('song', { id: string() }, { id: 'id' })
const likes = edge(
  'likes',
  { fan, song },
  { weight: integer(), note: string() },
  {
    by: { fan: { order: ['weight'], as: 'local' } },
    carry: { fanName: { from: 'fan.name', sync: 'eventual' } },
    count: { fan: { into: 'likes', by: 'stream' } },
  },
)
const music = graph('music', [fan, song, likes])

it.each(['keys', ['note']] as const)(
  'a node updates and counts the edges that a local index of %s finds for it',
  async project => {
    const indexes = { LSI1: { kind: 'local', keys: ['PK', 'LSI1SK'], project } } as const
    const g = await open(layout(music, { indexes }), memory())
    await g.fan.put({ id: 'a', name: 'Ann' })
    for (const id of ['x', 'y']) await g.song.put({ id })
    await g.likes.put({ fan: 'a', song: 'x', weight: 2, note: 'n' })
    await g.likes.put({ fan: 'a', song: 'y', weight: 1, note: 'm' })
    await g.$settled()
    await g.fan.update('a', { name: 'Bea' })
    await g.$settled()
    expect((await g.likes.by.fan('a').all()).map(({ song, fanName }) => [song, fanName])).toEqual([
      ['y', 'Bea'],
      ['x', 'Bea'],
    ])
    expect(await g.fan.get('a')).toMatchObject({ likes: 2 })
    expect((await verify(g, { type: 'fan', id: 'a' })).faults).toEqual({})
    await g.$close()
  },
)
