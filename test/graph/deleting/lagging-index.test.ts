import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, graph, layout, metered, node, open, string } from '../../../src/index.js'
import { START } from '../school.js'

describe('deleting a node whose edges are on a lagging index', () => {
  it.each(['refuse', 'cascade'] as const)(
    'a node with counted edges is not deleted while an index does not show an edge yet: %s',
    async onDelete => {
      const hub = node('hub', { id: string(), spokes: counter() }, { id: 'id' })
      const spoke = edge('spoke', { from: hub, hub }, {}, { count: { hub: 'spokes' }, onDelete: { hub: onDelete } })
      let now = START
      const sleep = async (delayMs: number) => {
        now += delayMs
      }
      const retry = { clock: { now: () => now, sleep } }
      const g = await open(graph('wheel', [hub, spoke]), memory({ now: () => now, indexLag: 200 }), { retry })
      await g.$batch([g.hub.put({ id: 'h' }), g.hub.put({ id: 'n' })])
      await g.spoke.put({ from: 'n', hub: 'h' })
      await expect(g.hub.delete('h')).rejects.toMatchObject({ code: 'node.edges' })
      expect(await g.hub.exists('h')).toBe(onDelete === 'refuse')
      expect(await g.spoke.exists({ from: 'n', hub: 'h' })).toBe(true)
      now += 200
      if (onDelete === 'refuse') await g.spoke.delete({ from: 'n', hub: 'h' })
      now += 200
      await g.hub.delete('h')
      expect(await g.hub.exists('h')).toBe(false)
      expect(await g.spoke.scan().all()).toEqual([])
    },
  )

  it.each(['cascade', 'refuse'] as const)(
    'a deletion finds edges after the deleted edges of a lagging index: %s',
    async onDelete => {
      const movie = node('movie', { id: string() }, { id: 'id' })
      const user = node('user', { id: string() }, { id: 'id' })
      const seen = edge('seen', { movie, user }, {}, { onDelete: { user: onDelete } })
      let now = START
      const indexes = { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: 'keys' } } as const
      const store = memory({ now: () => now, indexLag: 100 })
      const g = await open(layout(graph('films', [movie, user, seen]), { indexes }), store, { clock: () => now })
      const movies = Array.from({ length: 260 }, (_, i) => `m${i}`)
      await g.user.put({ id: 'ann' })
      await g.$batch(movies.map(id => g.movie.put({ id })))
      await g.$batch(movies.map(id => g.seen.put({ movie: id, user: 'ann' })))
      now += 100
      if (onDelete === 'refuse') {
        await g.seen.delete({ movie: 'm0', user: 'ann' })
        await expect(g.user.delete('ann')).rejects.toMatchObject({ code: 'node.edges' })
      } else await g.user.delete('ann')
      now += 100
      expect(await g.seen.by.user('ann').count()).toBe(onDelete === 'refuse' ? 259 : 0)
      expect(await g.user.exists('ann')).toBe(onDelete === 'refuse')
    },
  )

  it('a deletion waits for an index that still shows deleted edges, without deleting them continuously', async () => {
    const hub = node('hub', { id: string() }, { id: 'id' })
    const spoke = edge('spoke', { from: hub, hub }, {}, { onDelete: { hub: 'cascade' } })
    let now = START
    const sleep = async (delayMs: number) => {
      now += delayMs
    }
    const { store, meter } = metered(memory({ now: () => now, indexLag: 1000 }))
    const retry = { clock: { now: () => now, sleep }, random: () => 0.9 }
    const g = await open(graph('wheel', [hub, spoke]), store, { create: true, clock: () => now, retry })
    await g.hub.put({ id: 'h' })
    await g.$batch(Array.from({ length: 100 }, (_, i) => g.spoke.put({ from: `n${i}`, hub: 'h' })))
    now += 1000
    meter.reset()
    await g.hub.delete('h')
    expect(await g.spoke.by.from('n0').count()).toBe(0)
    // Each wait sends two transactions, and the waits may double each time.
    expect(meter.snapshot().requests.transactWriteItems).toBeLessThanOrEqual(2 * 6)
  })
})
