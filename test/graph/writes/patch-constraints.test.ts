import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  append,
  bigint,
  binary,
  exclude,
  graph,
  include,
  integer,
  list,
  map,
  node,
  number,
  open,
  prepend,
  set,
  string,
  within,
} from '../../../src/index.js'

const thing = node(
  'thing',
  {
    id: string(),
    tags: set(string()),
    score: number().optional(),
    level: integer({ min: 0, max: 9 }).optional(),
    big: bigint().optional(),
    names: list(string()).optional(),
    keys: set(binary()).optional(),
    place: map({
      city: string(),
      zip: integer().optional(),
      marks: map({ kinds: set(string()) }).optional(),
    }).optional(),
  },
  { id: 'id' },
)

async function openThings(row: object = {}) {
  const store = memory()
  const g = await open(graph('things', [thing]), store)
  await g.thing.put({ id: '1', tags: new Set(['a', 'b']), ...row })
  const stored = async () => JSON.stringify((await store.scan({ TableName: 'things' })).Items)
  return { g, stored }
}

describe('a patch that would violate the declaration', () => {
  it('removing the last member of a required set is rejected', async () => {
    const { g, stored } = await openThings()
    await g.thing.update('1', { tags: exclude('a', 'x') })
    const before = await stored()
    await expect(g.thing.update('1', { tags: exclude('b') })).rejects.toMatchObject({ code: 'write.missing' })
    expect(await stored()).toBe(before)
    expect((await g.thing.get('1'))?.tags).toEqual(new Set(['b']))
  })

  it('removing the last member of a required set within a map is rejected', async () => {
    const { g } = await openThings({ place: { city: 'A', marks: { kinds: new Set(['x']) } } })
    await expect(
      g.thing.update('1', { place: within({ marks: within({ kinds: exclude('x') }) }) }),
    ).rejects.toMatchObject({ code: 'write.missing' })
  })

  it('a map that a patch creates from within needs all required members', async () => {
    const { g, stored } = await openThings()
    const before = await stored()
    const message = 'thing.place.city: the attribute is not optional, so it cannot be empty; give a value.'
    const begun = g.thing.update('1', { place: within({ zip: 3 }) })
    await expect(begun).rejects.toMatchObject({ code: 'write.missing', message })
    expect(await stored()).toBe(before)
    await g.thing.update('1', { place: within({ city: 'A' }) })
    await expect(
      g.thing.update('1', { place: within({ marks: within({ kinds: include('x') }) }) }).returning('new'),
    ).resolves.toMatchObject({ place: { city: 'A', marks: { kinds: new Set(['x']) } } })
  })

  it('a sum that a number cannot hold is rejected, and the row stays readable', async () => {
    const { g, stored } = await openThings({ score: 1000 })
    const before = await stored()
    await expect(g.thing.update('1', { score: add(1 / 3) })).rejects.toMatchObject({ code: 'stored.inexact' })
    expect(await stored()).toBe(before)
    await g.thing.update('1', { score: add(0.25) })
    expect((await g.thing.get('1'))?.score).toBe(1000.25)
  })

  it('a sum outside of the declared range is rejected, and the row stays readable', async () => {
    const { g, stored } = await openThings({ level: 8 })
    const before = await stored()
    for (const by of [2, -9]) await expect(g.thing.update('1', { level: add(by) })).rejects.toThrow(/from 0 to 9/)
    expect(await stored()).toBe(before)
    await g.thing.update('1', { level: add(1) })
    expect((await g.thing.get('1'))?.level).toBe(9)
  })

  it('only integers are added to a bigint', async () => {
    const { g } = await openThings({ big: 1n })
    await expect(g.thing.update('1', { big: add(0.5) as never })).rejects.toMatchObject({ code: 'write.operation' })
    await g.thing.update('1', { big: add(2n) })
    expect((await g.thing.get('1'))?.big).toBe(3n)
  })

  it('an addend outside of the DynamoDB number range is rejected', async () => {
    const { g } = await openThings({ score: 1, big: 1n })
    for (const score of [1e126, 1e-131, -1e300, Number.NaN, Number.POSITIVE_INFINITY, '1e999999999', '1e-999999999'])
      await expect(g.thing.update('1', { score: add(score as number) })).rejects.toMatchObject({
        code: 'write.operation',
      })
    await expect(g.thing.update('1', { big: add(10n ** 127n) })).rejects.toMatchObject({ code: 'write.operation' })
    expect(await g.thing.get('1')).toMatchObject({ score: 1, big: 1n })
  })

  it('a list position has only one spelling', async () => {
    const { g } = await openThings({ names: ['a', 'b'] })
    await expect(g.thing.update('1', { names: within({ '01': 'x' } as never) })).rejects.toMatchObject({
      code: 'write.unknown',
    })
  })
})

describe('a patch with a read is equivalent to a patch without a read', () => {
  const patches = { names: append('b'), keys: include(Uint8Array.of(2)), place: within({ city: 'B' }) }
  const begun = { names: ['b'], keys: new Set([Uint8Array.of(2)]), place: { city: 'B' } }
  const row = { names: ['a'], keys: new Set([Uint8Array.of(1)]), place: { city: 'A', zip: 3 } }
  const more = { names: ['a', 'b'], keys: new Set([Uint8Array.of(1), Uint8Array.of(2)]), place: { city: 'B', zip: 3 } }

  it.each([
    ['nothing', {}, begun],
    ['something', row, more],
  ])('when the row has %s', async (_, before, after) => {
    const { g } = await openThings(before)
    await g.thing.update('1', patches)
    expect(await g.thing.get('1')).toMatchObject(after)
    await g.thing.update('1', { names: prepend('z'), keys: exclude(Uint8Array.of(2)), place: within({ city: 'C' }) })
    const { names, keys, place } = (await g.thing.get('1'))!
    expect(names).toEqual(['z', ...after.names])
    expect(keys).toEqual('keys' in before ? row.keys : undefined)
    expect(place?.city).toBe('C')
  })

  it('when members are stored under other names', async () => {
    const place = map({ city: string().stored('c'), zip: integer().stored('z').optional() }).optional()
    const g = await open(graph('places', [node('place', { id: string(), place }, { id: 'id' })]), memory())
    await g.place.put({ id: '1' })
    await g.place.update('1', { place: within({ city: 'A' }) })
    await g.place.update('1', { place: within({ zip: 3 }) })
    expect(await g.place.get('1')).toEqual({ id: '1', place: { city: 'A', zip: 3 } })
  })
})
