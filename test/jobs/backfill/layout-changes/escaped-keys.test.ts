import { expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { edge, graph, layout, node, open, string } from '../../../../src/index.js'
import { backfill, verify } from '../../../../src/jobs/index.js'
import { compareUtf8 } from '../../../../src/layout/keys/compare-utf8.js'

// Some of these texts are the escaped keys of others.
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
] as const)('a new type in other partitions of an index keeps the entries of %s as they are', async (_, by) => {
  const city = node('city', { id: string(), land: string() }, { id: 'id', by: { land: by } })
  const store = memory()
  const g = await open(graph('lands', [city]), store)
  for (const id of ids) await g.city.put({ id, land: 'x y' })
  const h = await open(graph('lands', [city, long]), store)
  expect((await verify(h)).faults).toEqual({})
  for (const id of written) await h.city.put({ id, land: 'x y' })
  for (const opened of [g, h]) {
    const cities = opened.city.by.land({ land: 'x y' })
    expect(idsOf(await cities.all())).toEqual(sorted)
    for (const id of ids) expect(idsOf(await cities.where({ id }).all())).toEqual([id])
  }
})

it('a new type with longer keys in the same partitions is reported, and old entries are found after a backfill', async () => {
  const city = node('city', { id: string(), land: string() }, { id: 'id', by: { land: place } })
  const keys = { city: { GSI1PK: 'land#{land}', GSI1SK: '{id}' } } as const
  const before = layout(graph('lands', [city]), { keys })
  const river = node(
    'river',
    { id: string(), land: string(), sea: string() },
    { id: 'id', by: { land: { in: ['land'], order: ['sea', 'id'] } } },
  )
  const after = layout(graph('lands', [city, river]), {
    keys: { ...keys, river: { GSI1PK: 'land#{land}', GSI1SK: '{sea}#{id}' } },
  })
  const store = memory()
  const g = await open(before, store)
  for (const id of ids) await g.city.put({ id, land: 'x y' })
  const drift = { code: 'layout.drift', message: expect.stringContaining('is "{id} encoded #  escaped"') }
  await expect(open(after, store)).rejects.toMatchObject(drift)
  for (const to of [after, before]) {
    await backfill(to, store)
    const h = await open(to, store)
    const cities = h.city.by.land({ land: 'x y' })
    expect(idsOf(await cities.all())).toEqual(sorted)
    for (const id of ids) expect(idsOf(await cities.where({ id }).all())).toEqual([id])
    expect((await verify(h)).faults).toEqual({})
  }
})

it('after a new type all edges with any ids are found from their end and deleted with it', async () => {
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

it('a new type that changes the partitions of an index is reported, and old edges are found after a backfill', async () => {
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
