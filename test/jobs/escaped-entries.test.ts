import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { edge, graph, node, open, string } from '../../src/index.js'
import { backfill, repair, verify } from '../../src/jobs/index.js'
import { compareUtf8 } from '../../src/layout/template-order.js'

// Some of these are the keys of others where they are escaped.
const ids = [
  'plain',
  'a',
  'a b',
  'a$ b',
  'a$$ b',
  'a$$$ b',
  'a#',
  'a!',
  'a"b',
  'a\0',
  'a\tb',
  ' ',
  '#',
  '$',
  '$$',
  'é x',
]
const sorted = ids.toSorted(compareUtf8)
const written = ids.filter((_, i) => i % 2)
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id)
const town = node('town', { id: string() }, { id: 'id' })
const place = { in: ['land'], order: ['id'] } as const
const long = node('long', { id: string(), x: string(), y: string() }, { id: 'id', by: { xy: { order: ['x', 'y'] } } })

it.each([
  ['an index', place],
  ['an index with shards', { ...place, shards: 3 }],
  ['facets', { ...place, as: 'item' }],
  ['facets with shards', { ...place, as: 'item', shards: 3 }],
] as const)(
  'after a new type by which entries of %s are written otherwise, all are found by their path',
  async (_, by) => {
    const city = node('city', { id: string(), land: string() }, { id: 'id', by: { land: by } })
    const [before, after] = [graph('lands', [city]), graph('lands', [city, long])]
    for (const isRepaired of [true, false]) {
      const store = memory()
      const g = await open(before, store)
      for (const id of ids) await g.city.put({ id, land: 'x y' })
      const h = await open(after, store)
      // Those that are written now lie among those that are there.
      for (const id of written) await h.city.delete(id)
      for (const id of written) await h.city.put({ id, land: 'x y' })
      for (const opened of [g, h]) {
        const cities = opened.city.by.land({ land: 'x y' })
        const all = idsOf(await cities.all())
        expect(all.toSorted(compareUtf8)).toEqual(sorted)
        expect(idsOf(await cities.reverse().all())).toEqual(all.toReversed())
        expect(await cities.count()).toBe(ids.length)
        const paged: string[] = []
        for (let cursor: string | undefined, isFirst = true; isFirst || cursor; isFirst = false) {
          const page = await cities.page({ limit: 3, cursor })
          paged.push(...idsOf(page.items))
          cursor = page.cursor
        }
        expect(paged).toEqual(all)
      }
      const code = 'as' in by ? 'facet.missing' : 'index.stale'
      expect((await verify(h)).faults).toEqual({
        [code]: ids.filter(id => /[\0-$]/.test(id) && !written.includes(id)).length,
      })
      await (isRepaired ? repair(h) : backfill(after, store))
      expect((await verify(h)).faults).toEqual({})
      const cities = h.city.by.land({ land: 'x y' })
      expect(idsOf(await cities.all())).toEqual(sorted)
      for (const id of ids) expect(idsOf(await cities.where({ id }).all())).toEqual([id])
    }
  },
)

it('after a new type by which entries of edges are written otherwise, all are found by their end and deleted with it', async () => {
  const road = edge('road', { id: town, to: town }, {}, { onDelete: { to: 'cascade' } })
  const store = memory()
  const g = await open(graph('lands', [town, road]), store)
  for (const id of ['x y', ...ids]) await g.town.put({ id })
  for (const id of ids) await g.road.put({ id, to: 'x y' })
  const h = await open(graph('lands', [town, road, long]), store)
  for (const id of written) await h.road.put({ id, to: 'x y' })
  for (const opened of [g, h]) {
    const roads = opened.road.by.to('x y')
    expect(idsOf(await roads.all()).toSorted(compareUtf8)).toEqual(sorted)
    expect(idsOf(await roads.nodes().all()).toSorted(compareUtf8)).toEqual(sorted)
    expect((await opened.town.collect('x y', { roads: opened.road.by.to })).roads).toHaveLength(ids.length)
  }
  await h.town.delete('x y')
  for (const id of ids) expect(await h.road.get({ id, to: 'x y' })).toBeUndefined()
})

it('a new type by which the partitions of an index are written otherwise is told of, and old edges are found after a backfill', async () => {
  const road = edge('road', { from: town, to: town }, {}, { onDelete: { to: 'refuse' } })
  const rail = edge('rail', { from: town, to: town }, {}, { by: { to: { shards: 2 } } })
  const [before, after] = [graph('lands', [town, road]), graph('lands', [town, road, rail])]
  const store = memory()
  const g = await open(before, store)
  for (const id of ids) await g.town.put({ id })
  for (const id of ids) await g.road.put({ from: 'plain', to: id })
  const drift = { code: 'layout.drift', message: expect.stringContaining('is "town#{to} encoded #  escaped"') }
  await expect(open(after, store)).rejects.toMatchObject(drift)
  for (const to of [after, before]) {
    await backfill(to, store)
    const h = await open(to, store)
    for (const id of ids) {
      expect(await h.road.by.to(id).all()).toEqual([{ from: 'plain', to: id }])
      await expect(h.town.delete(id)).rejects.toMatchObject({ code: 'node.edges' })
    }
    expect((await verify(h)).faults).toEqual({})
  }
})
