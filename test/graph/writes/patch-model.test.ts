import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  append,
  bigint,
  boolean,
  date,
  exclude,
  graph,
  include,
  integer,
  json,
  list,
  map,
  node,
  number,
  open,
  prepend,
  remove,
  set,
  string,
  within,
} from '../../../src/index.js'

const attributes = {
  id: string(),
  text: string().optional(),
  whole: integer().optional(),
  most: integer({ min: -5, max: 20 }).optional(),
  real: number().optional(),
  large: bigint().optional(),
  day: date().optional(),
  is: boolean().optional().stored('flag'),
  tags: set(string()).optional(),
  sizes: set(integer()).optional(),
  list: list(integer()).optional(),
  places: list(map({ name: string(), no: integer().optional() })).optional(),
  inner: map({
    text: string().optional().stored('t'),
    whole: integer().optional(),
    tags: set(string()).optional(),
    deep: map({ list: list(string()).optional(), whole: integer().optional() }).optional(),
  }).optional(),
  any: json().optional(),
}
/** No derived items, so that most patches are written without a read. */
const plain = node('plain', attributes, { id: 'id' })
/** Indexes and facets, so that patches read first. */
const shown = node('shown', attributes, {
  id: 'id',
  by: {
    tagged: { in: ['tags'], order: ['whole'], as: 'item' },
    placed: { in: ['text'], order: ['most', 'day'] },
    sized: { in: ['sizes'], as: 'item' },
  },
})
const both = graph('both', [plain, shown])

type Row = Readonly<Record<string, unknown>>
/** A change of one value as a patch, and its effect on a plain value; undefined means that nothing remains. */
interface Changed {
  readonly given: unknown
  of(before: unknown): unknown
}

const texts = fc.constantFrom('', 'a', 'b#', '\u{1f600}')
const wholes = fc.constantFrom(-3, 0, 2, 7)
const TAGS = ['a', 'b#', 'c']
const tagSets = fc.subarray(TAGS, { minLength: 1 }).map(tags => new Set(tags))
const sizeSets = fc.subarray([-1, 0, 5], { minLength: 1 }).map(sizes => new Set(sizes))
const places = fc.record({ name: texts, no: wholes }, { requiredKeys: ['name'] })
const deeps = fc.record({ list: fc.array(texts, { maxLength: 3 }), whole: wholes }, { requiredKeys: [] })
const inners = fc.record({ text: texts, whole: wholes, tags: tagSets, deep: deeps }, { requiredKeys: [] })

const setTo = (values: fc.Arbitrary<unknown>): fc.Arbitrary<Changed> =>
  values.map(given => ({ given, of: () => given }))
const gone: fc.Arbitrary<Changed> = fc.constant({ given: remove(), of: () => undefined })
const sum = (by: fc.Arbitrary<number>): fc.Arbitrary<Changed> =>
  by.map(more => ({ given: add(more), of: before => ((before as number | undefined) ?? 0) + more }))
const grown = <T>(elements: fc.Arbitrary<T>): fc.Arbitrary<Changed> =>
  fc.tuple(fc.array(elements, { minLength: 1, maxLength: 3 }), fc.boolean()).map(([more, isLast]) => ({
    given: isLast ? append(...more) : prepend(...more),
    of: before => {
      const there = (before as T[] | undefined) ?? []
      return isLast ? [...there, ...more] : [...more, ...there]
    },
  }))
const members = <T>(some: fc.Arbitrary<Set<T>>): fc.Arbitrary<Changed> =>
  fc.tuple(some, fc.boolean()).map(([given, isIn]) => ({
    given: isIn ? include(...given) : exclude(...given),
    of: before => {
      const there = [...((before as Set<T> | undefined) ?? [])]
      const left = isIn ? [...there, ...given] : there.filter(each => !given.has(each))
      return left.length > 0 ? new Set(left) : undefined
    },
  }))
const inside = (changes: Record<string, fc.Arbitrary<Changed>>): fc.Arbitrary<Changed> =>
  fc
    .record(changes, { requiredKeys: [] })
    .filter(patch => Object.keys(patch).length > 0)
    .map(patch => ({ given: within(givenOf(patch)), of: before => patched((before as Row | undefined) ?? {}, patch) }))
/** Positions refer to the list before the change; positions beyond the end append in order. */
const insideList = (changes: fc.Arbitrary<Changed>): fc.Arbitrary<Changed> =>
  fc
    .record({ 0: changes, 1: changes, 4: changes }, { requiredKeys: [] })
    .filter(patch => Object.keys(patch).length > 0)
    .map(patch => ({
      given: within(givenOf(patch)),
      of: before => Object.values(patched({ ...(before as unknown[] | undefined) }, patch)),
    }))

const CHANGES: Record<string, fc.Arbitrary<Changed>> = {
  text: fc.oneof(setTo(texts), gone),
  whole: fc.oneof(setTo(wholes), gone, sum(wholes)),
  real: fc.oneof(setTo(fc.constantFrom(0.5, -2, 1e6)), gone, sum(fc.constantFrom(0.25, -4))),
  large: fc.oneof(
    setTo(fc.constantFrom(0n, 10n ** 30n)),
    gone,
    fc
      .constantFrom(3n, -(10n ** 20n))
      .map(more => ({ given: add(more), of: (before: unknown) => ((before as bigint | undefined) ?? 0n) + more })),
  ),
  day: fc.oneof(setTo(fc.constantFrom(new Date(0), new Date('2024-05-06T07:08:09.100Z'))), gone),
  is: fc.oneof(setTo(fc.boolean()), gone),
  tags: fc.oneof(setTo(tagSets), gone, members(tagSets)),
  sizes: fc.oneof(setTo(sizeSets), gone, members(sizeSets)),
  list: fc.oneof(
    setTo(fc.array(wholes, { maxLength: 3 })),
    gone,
    grown(wholes),
    insideList(fc.oneof(setTo(wholes), gone, sum(wholes))),
  ),
  places: fc.oneof(
    setTo(fc.array(places, { maxLength: 3 })),
    gone,
    grown(places),
    insideList(fc.oneof(setTo(places), gone)),
  ),
  inner: fc.oneof(
    setTo(inners),
    gone,
    inside({
      text: fc.oneof(setTo(texts), gone),
      whole: fc.oneof(setTo(wholes), gone, sum(wholes)),
      tags: fc.oneof(setTo(tagSets), gone, members(tagSets)),
      deep: fc.oneof(
        setTo(deeps),
        gone,
        inside({ list: fc.oneof(setTo(fc.array(texts, { maxLength: 2 })), gone, grown(texts)), whole: sum(wholes) }),
      ),
    }),
  ),
  any: fc.oneof(
    setTo(fc.constantFrom<unknown>('a', 1.5, true, [], {}, [1, null, { x: '' }], { a: { b: [false] } })),
    gone,
  ),
}

type Patch = Readonly<Record<string, Changed | undefined>>

const givenOf = (patch: Patch): Record<string, unknown> =>
  Object.fromEntries(Object.entries(patch).map(([name, change]) => [name, change!.given]))

function patched(row: Row, patch: Patch): Row {
  const after: Record<string, unknown> = { ...row }
  for (const [name, change] of Object.entries(patch)) {
    const value = change!.of(after[name])
    if (value === undefined) delete after[name]
    else after[name] = value
  }
  return after
}

it('patches change a row like a plain object, with or without a read', async () => {
  const patches = fc.array(
    fc.record(CHANGES, { requiredKeys: [] }).filter(patch => Object.keys(patch).length > 0),
    { minLength: 1, maxLength: 8, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(patches, async all => {
      const g = await open(both, memory())
      let row: Row = { id: 'x' }
      for (const handle of [g.plain, g.shown]) await handle.create(row as never)
      for (const [i, patch] of all.entries()) {
        row = patched(row, patch)
        for (const handle of [g.plain, g.shown]) {
          const update = handle.update('x', givenOf(patch) as never)
          if (i % 2 === 0) expect(await update.returning('new')).toEqual(row)
          else await update
          expect(await handle.get('x')).toEqual(row)
        }
        const tags = [...((row.tags as Set<string> | undefined) ?? [])]
        for (const tag of TAGS)
          expect(await g.shown.by.tagged({ tags: tag }).all()).toEqual(
            tags.includes(tag) && row.whole !== undefined ? [row] : [],
          )
      }
    }),
    { numRuns: 150 },
  )
})
