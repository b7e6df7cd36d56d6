import fc from 'fast-check'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import {
  bigint,
  boolean,
  type Condition,
  counter,
  date,
  edge,
  embedded,
  GraphError,
  graph,
  integer,
  json,
  layout,
  list,
  map,
  type NodeRow,
  node,
  oneOf,
  open,
  type Subject,
  set,
  string,
  type Test,
} from '../../../src/index.js'
import type { StandardSchema } from '../../../src/schema/standard-schema.js'
import { validator } from '../../schema/validator.js'

const thing = node(
  'thing',
  {
    id: string(),
    text: string().optional(),
    whole: integer().optional(),
    large: bigint().optional(),
    day: date().optional(),
    is: boolean().optional(),
    kind: oneOf('a', 'b').optional(),
    tags: set(string()).optional(),
    list: list(integer()).optional(),
    inner: map({ text: string().optional().stored('t'), whole: integer() }).optional(),
    any: json().optional(),
    likes: counter(),
    tested: integer().optional(),
  },
  { id: 'id' },
)
const likes = edge('likes', { from: thing, to: thing }, {}, { count: { to: { into: 'likes' } } })
const things = graph('things', [thing, likes])

type Row = Record<string, unknown>
type AnySubject = Record<string, (...given: unknown[]) => unknown>

const TEXTS = ['', 'a', 'ab', 'b', '\u{ff5e}', '\u{1f600}']
const WHOLE = [-2, 0, 1, 10, 2 ** 53 - 1]
const DAYS = [new Date(0), new Date('2024-05-06T07:08:09.100Z'), new Date('2024-05-06T07:08:09.2Z')]
const value = {
  text: fc.constantFrom(...TEXTS),
  whole: fc.constantFrom(...WHOLE),
  large: fc.constantFrom(-(10n ** 30n), 0n, 5n, 10n ** 30n),
  day: fc.constantFrom(...DAYS),
  is: fc.boolean(),
  kind: fc.constantFrom('a', 'b'),
  likes: fc.constantFrom(0, 1, 2),
} as const
const TAGS = fc.subarray(['a', 'ab', 'b'], { minLength: 1 }).map(tags => new Set(tags))
const LIST = fc.array(value.whole, { maxLength: 3 })
const INNER = fc.record({ text: value.text, whole: value.whole }, { requiredKeys: ['whole'] })
const ANY = fc.record({ x: value.whole, y: value.text }, { requiredKeys: [] })

const { likes: _, ...given } = value
const anyRow = fc.record({ ...given, tags: TAGS, list: LIST, inner: INNER, any: ANY }, { requiredKeys: [] })

/** A test, its source text, and its expected result for a row. */
interface Tried {
  readonly text: string
  write(row: Record<string, AnySubject>): Test
  holds(row: Row): boolean
}

const bytesOf = (text: string) => Buffer.from(text)
function order(a: unknown, b: unknown): number {
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(bytesOf(a), bytesOf(b))
  const [x, y] = [a, b].map(each => (each instanceof Date ? each.getTime() : (each as number | bigint)))
  return x! < y! ? -1 : x! > y! ? 1 : 0
}

const SIGNS = {
  is: (o: number) => o === 0,
  not: (o: number) => o !== 0,
  below: (o: number) => o < 0,
  atMost: (o: number) => o <= 0,
  above: (o: number) => o > 0,
  atLeast: (o: number) => o >= 0,
} as const
type Sign = keyof typeof SIGNS

/** A place in a row: its path, its type, and the values that occur there. */
interface Place {
  readonly text: string
  readonly reach: (row: Record<string, AnySubject>) => AnySubject
  readonly read: (row: Row) => unknown
  readonly values: fc.Arbitrary<unknown>
}

const own = (name: string, values: fc.Arbitrary<unknown>): Place => ({
  text: name,
  reach: row => row[name]!,
  read: row => row[name],
  values,
})
const within = (name: string, step: string | number, values: fc.Arbitrary<unknown>): Place => ({
  text: `${name}.${step}`,
  reach: row => row[name]!.at!(step) as AnySubject,
  read: row => (row[name] as Record<string | number, unknown> | undefined)?.[step],
  values,
})
const sized = (name: string, size: (value: never) => number): Place => ({
  text: `size(${name})`,
  reach: row => row[name]!.size!() as AnySubject,
  read: row => (row[name] === undefined ? undefined : size(row[name] as never)),
  values: fc.nat({ max: 4 }),
})

const PLACES: readonly Place[] = [
  ...Object.entries(value).map(([name, values]) => own(name, values)),
  within('list', 0, value.whole),
  within('list', 2, value.whole),
  within('inner', 'text', value.text),
  within('inner', 'whole', value.whole),
  within('any', 'x', value.whole),
  within('any', 'y', value.text),
  sized('text', (text: string) => text.length),
  sized('tags', (tags: Set<string>) => tags.size),
  sized('list', (all: number[]) => all.length),
  sized('inner', (inner: object) => Object.keys(inner).length),
]

const ORDERED = PLACES.filter(({ text }) => text !== 'is')

/** Booleans have no order. */
const signsOf = ({ text }: Place) => (text === 'is' ? (['is', 'not'] as const) : (Object.keys(SIGNS) as Sign[]))

const compared: fc.Arbitrary<Tried> = fc
  .constantFrom(...PLACES)
  .chain(place => fc.tuple(fc.constant(place), fc.constantFrom<Sign>(...signsOf(place)), place.values))
  .map(([{ text, reach, read }, sign, other]) => ({
    text: `${text} ${sign} ${String(other)}`,
    write: row => reach(row)[sign]!(other) as Test,
    // A missing value equals nothing and has no order.
    holds: row => (read(row) === undefined ? sign === 'not' : SIGNS[sign](order(read(row), other))),
  }))

const between: fc.Arbitrary<Tried> = fc
  .constantFrom(...ORDERED)
  .chain(place => fc.tuple(fc.constant(place), place.values, place.values))
  .map(([{ text, reach, read }, a, b]) => {
    const [from, to] = order(a, b) <= 0 ? [a, b] : [b, a]
    return {
      text: `${text} between ${String(from)} ${String(to)}`,
      write: row => reach(row).between!(from, to) as Test,
      holds: row => read(row) !== undefined && order(read(row), from) >= 0 && order(read(row), to) <= 0,
    }
  })

const among: fc.Arbitrary<Tried> = fc
  .constantFrom(...PLACES)
  .chain(place => fc.tuple(fc.constant(place), fc.array(place.values, { minLength: 1, maxLength: 130 })))
  .map(([{ text, reach, read }, all]) => ({
    text: `${text} in ${all.map(String).join()}`,
    write: row => reach(row).in!(...all) as Test,
    holds: row => read(row) !== undefined && all.some(each => order(read(row), each) === 0),
  }))

/** A size applies to stored values. A counter that is not stored is 0 in the row. */
const PRESENT = PLACES.filter(({ text }) => !/^size/.test(text))
const present: fc.Arbitrary<Tried> = fc
  .tuple(fc.constantFrom(...PRESENT), fc.boolean())
  .map(([{ text, reach, read }, isThere]) => ({
    text: `${text} ${isThere ? 'exists' : 'missing'}`,
    write: row => (isThere ? reach(row).exists!() : reach(row).missing!()) as Test,
    holds: row => (read(row) !== undefined) === isThere,
  }))

const part: fc.Arbitrary<Tried> = fc
  .tuple(
    fc.constantFrom('startsWith', 'contains'),
    fc.constantFrom(own('text', value.text), within('inner', 'text', value.text), within('any', 'y', value.text)),
    fc.constantFrom('a', 'b', 'ab', '\u{ff5e}'),
  )
  .map(([how, { text, reach, read }, some]) => ({
    text: `${text} ${how} ${some}`,
    write: row => reach(row)[how]!(some) as Test,
    holds: row => {
      const found = read(row) as string | undefined
      return found !== undefined && (how === 'contains' ? found.includes(some) : found.startsWith(some))
    },
  }))

const member: fc.Arbitrary<Tried> = fc.constantFrom<Tried>(
  {
    text: 'tags contains ab',
    write: row => row.tags!.contains!('ab') as Test,
    holds: row => (row.tags as Set<string> | undefined)?.has('ab') ?? false,
  },
  {
    text: 'list contains 10',
    write: row => row.list!.contains!(10) as Test,
    holds: row => (row.list as number[] | undefined)?.includes(10) ?? false,
  },
)

const { tried } = fc.letrec<{ tried: Tried }>(tie => ({
  tried: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    { weight: 4, arbitrary: compared },
    between,
    among,
    present,
    part,
    member,
    fc.tuple(tie('tried'), tie('tried'), fc.boolean()).map(
      ([a, b, both]): Tried => ({
        text: `(${a.text} ${both ? 'and' : 'or'} ${b.text})`,
        write: row => (both ? a.write(row).and(b.write(row)) : a.write(row).or(b.write(row))),
        holds: row => (both ? a.holds(row) && b.holds(row) : a.holds(row) || b.holds(row)),
      }),
    ),
    tie('tried').map(
      (inner): Tried => ({
        text: `not ${inner.text}`,
        write: row => inner.write(row).negated(),
        holds: row => !inner.holds(row),
      }),
    ),
  ),
}))

it('a condition matches exactly the rows that match in memory', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyRow, { minLength: 3, maxLength: 6 }),
      fc.array(tried, { minLength: 5, maxLength: 15 }),
      async (rows, conditions) => {
        const g = await open(things, memory())
        for (const [i, row] of rows.entries()) await g.thing.create({ ...row, id: `i${i}` } as never)
        // Some items are counted and some never were.
        await g.likes.create({ from: 'i1', to: 'i0' })
        await g.likes.create({ from: 'i2', to: 'i0' })
        const all = await g.thing.scan().all()
        for (const { text, write, holds } of conditions) {
          const condition = write as unknown as Condition<(typeof all)[number]>
          const found = await g.thing.scan().filter(condition).all()
          const expected = all.filter(row => holds(row as Row))
          expect(found.map(row => row.id).sort(), text).toEqual(expected.map(row => row.id).sort())
          for (const row of all) {
            const call = g.thing.update(row.id, { tested: 1 }).if(condition)
            const done = await call.then(
              () => true,
              (error: { code: string }) => (error.code === 'write.condition' ? false : Promise.reject(error)),
            )
            expect(done, `${text} ${row.id}`).toBe(holds(row as Row))
          }
        }
      },
    ),
    { numRuns: 150 },
  )
})

it('an embedded entry is found by its name, although a member with the same name is stored under another', async () => {
  const pupil = node('pupil', { id: string(), name: string().immutable() }, { id: 'id' })
  const list = embedded({ name: string().stored('n') })
  const course = node('course', { id: string(), pupils: list }, { id: 'id' })
  const takes = edge(
    'takes',
    { pupil, course },
    {},
    { carry: { name: 'pupil.name' }, embed: { course: { into: 'pupils', max: 9 } } },
  )
  const g = await open(graph('school', [pupil, course, takes]), memory())
  await g.pupil.put({ id: 'name', name: 'Ann' })
  await g.course.put({ id: 'maths' })
  await g.takes.put({ pupil: 'name', course: 'maths' })
  const found = (condition: Condition<{ pupils: Record<string, { name: string }> }>) =>
    g.course
      .scan()
      .filter(condition as never)
      .all()
  expect(await found(r => r.pupils.at('name').exists())).toHaveLength(1)
  expect(await found(r => r.pupils.at('name').at('name').is('Ann'))).toHaveLength(1)
  expect(await found(r => r.pupils.at('n').exists())).toHaveLength(0)
})

it('an embedded map without entries has the size 0', async () => {
  const pupil = node('pupil', { id: string() }, { id: 'id' })
  const course = node('course', { id: string(), seats: integer(), pupils: embedded({ desk: integer() }) }, { id: 'id' })
  const takes = edge('takes', { pupil, course }, { desk: integer() }, { embed: { course: { into: 'pupils', max: 9 } } })
  const g = await open(graph('school', [pupil, course, takes]), memory())
  await g.pupil.put({ id: 'ann' })
  for (const id of ['never', 'left', 'taken']) await g.course.put({ id, seats: 1 })
  for (const course of ['left', 'taken']) await g.takes.put({ pupil: 'ann', course, desk: 1 })
  await g.takes.delete({ pupil: 'ann', course: 'left' })
  const found = async (condition: Condition<NodeRow<typeof course>>) =>
    (await g.course.scan().filter(condition).all()).map(({ id }) => id).sort()
  expect(await found(r => r.pupils.size().is(0))).toEqual(['left', 'never'])
  expect(await found(r => r.pupils.size().below(9))).toEqual(['left', 'never', 'taken'])
  expect(await found(r => r.pupils.size().between(0, 1).negated())).toEqual([])
  expect(await found(r => r.pupils.size().above(0))).toEqual(['taken'])
  expect(await found(r => r.pupils.exists())).toEqual(['left', 'never', 'taken'])
  expect(await found(r => r.pupils.missing())).toEqual([])
  expect(await found(r => r.pupils.at('ann').exists())).toEqual(['taken'])
  expect(await found(r => r.pupils.at('ann').missing())).toEqual(['left', 'never'])
  await g.course.update('never', { seats: 2 }).if(r => r.pupils.size().below(2))
  expect((await g.course.get('never'))?.seats).toBe(2)
})

it('nested JSON values and nested validated values are compared by their type', async () => {
  const address = validator<{ city: string; lines: readonly string[] }>(value =>
    value === undefined ? { issues: [{ message: 'missing' }] } : { value: value as never },
  )
  const person = node('person', { id: string(), any: json(), address }, { id: 'id' })
  const g = await open(graph('people', [person]), memory())
  await g.person.put({ id: 'a', any: { tags: ['x', 1] }, address: { city: 'Rome', lines: ['1 Main St'] } })
  const found = async (condition: (row: Record<string, AnySubject>) => unknown) =>
    (
      await g.person
        .scan()
        .filter(condition as never)
        .all()
    ).length
  const at = (subject: AnySubject, ...steps: readonly (string | number)[]): AnySubject =>
    steps.reduce((inner, step) => inner.at!(step) as AnySubject, subject)
  expect(await found(r => at(r.any!, 'tags', 0).is!('x'))).toBe(1)
  expect(await found(r => at(r.any!, 'tags', 1).is!('x'))).toBe(0)
  expect(await found(r => at(r.any!, 'tags').contains!(1))).toBe(1)
  expect(await found(r => at(r.any!, 'tags').contains!('1'))).toBe(0)
  expect(await found(r => at(r.address!, 'city').is!('Rome'))).toBe(1)
  expect(await found(r => at(r.address!, 'lines', 0).startsWith!('1'))).toBe(1)
  await expect(found(r => at(at(r.any!, 'tags').size!() as AnySubject).above!('1'))).rejects.toThrow(GraphError)
})

it('a carried attribute is tested as its source, and an end with several parts is rejected', async () => {
  const card = node('card', { a: string(), b: string(), sizes: set(integer()).immutable() }, { id: ['a', 'b'] })
  const box = node('box', { id: string() }, { id: 'id' })
  const inside = edge('inside', { box, card }, {}, { carry: { sizes: 'card.sizes' } })
  const keys = { box: { pk: 'B#{id}', sk: 'B' }, card: { pk: 'C#{a}#{b}', sk: 'C' } }
  const adopted = layout(graph('cards', [card, box, inside]), {
    table: { keys: ['pk', 'sk'] },
    keys: {
      ...keys,
      inside: { pk: 'B#{box}', sk: 'C#{card.a}#{card.b}', GSI1PK: 'C#{card.a}#{card.b}', GSI1SK: '{box}' },
    },
    raw: true,
  })
  const g = await open(adopted, memory())
  const one = { a: 'x', b: 'y' }
  await g.card.put({ ...one, sizes: new Set([1, 5]) })
  await g.inside.put({ box: 'q', card: one })
  const found = (condition: Condition<{ sizes: Set<number> }>) => g.inside.by.box('q').filter(condition).count()
  expect(await found(r => r.sizes.contains(5))).toBe(1)
  expect(await found(r => r.sizes.contains(2))).toBe(0)
  const message = 'inside.card: the attribute is part of the key, so a condition cannot test it; read by it in where().'
  expect(() => g.inside.by.box('q').filter(r => r.card.exists())).toThrow(
    expect.objectContaining({ code: 'condition.key', message }),
  )
})

it('a validated value is tested in its output form and not as the input of the validator', async () => {
  const measured = validator<number>(value =>
    typeof value === 'string' ? { value: value.length } : { issues: [{ message: 'no text' }] },
  ) as StandardSchema<unknown, number> as StandardSchema<string, number>
  const word = node('word', { id: string(), size: measured, sizes: list(measured).default([]) }, { id: 'id' })
  const g = await open(graph('words', [word]), memory())
  await g.word.put({ id: 'a', size: 'four', sizes: ['a', 'bc'] })
  expect(await g.word.get('a')).toEqual({ id: 'a', size: 4, sizes: [1, 2] })
  const found = (condition: Condition<NodeRow<typeof word>>) => g.word.scan().filter(condition).count()
  expect(await found(r => r.size.above(3).and(r.size.in(4, 5)).and(r.sizes.contains(2)))).toBe(1)
  expect(await found(r => r.size.is(5).or(r.sizes.contains(4)).or(r.sizes.at(0).above(1)))).toBe(0)
})

it('a JSON element is tested by its type at any depth', async () => {
  const whole = validator<{ names: string[]; sizes: number[] }>(value => ({ value: value as never }))
  const page = node('page', { id: string(), any: json(), whole }, { id: 'id' })
  const g = await open(graph('pages', [page]), memory())
  await g.page.put({ id: 'a', any: { of: [1, 'b', [true]] }, whole: { names: ['x', 'y'], sizes: [1, 2] } })
  const found = (condition: Condition<NodeRow<typeof page>>) => g.page.scan().filter(condition).count()
  const loose = (row: { readonly any: unknown }) =>
    (row.any as Subject<{ of: (number | string | boolean[])[] }>).at('of')
  expect(await found(r => loose(r).contains(1).and(loose(r).contains('b')).and(loose(r).at(1).is('b')))).toBe(1)
  expect(await found(r => loose(r).contains('1').or(loose(r).at(0).is('1')))).toBe(0)
  expect(await found(r => r.whole.at('names').at(1).is('y').and(r.whole.at('sizes').contains(2)))).toBe(1)
  expect(await found(r => r.whole.at('names').contains('z').or(r.whole.at('sizes').contains(3)))).toBe(0)
})
