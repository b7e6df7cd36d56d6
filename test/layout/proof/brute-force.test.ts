import fc from 'fast-check'
import { expect, test } from 'vitest'
import { PARTITION_KEY_BYTES } from '../../../src/dynamodb/limits.js'
import { encodeTemplate } from '../../../src/layout/keys/encode-template.js'
import type { KeyTemplate } from '../../../src/layout/keys/template.js'
import { templateConditionOf } from '../../../src/layout/keys/template-condition.js'
import { type KeySpace, type KeysOfKind, proveKeySpaces } from '../../../src/layout/proof/prove.js'
import { made, sees, settle, strings } from '../keys/templates.js'

const LETTERS = ['a', '#', '$']

function wordsUpTo(length: number): string[] {
  if (length === 0) return ['']
  const shorter = wordsUpTo(length - 1)
  const longest = shorter.filter(word => word.length === length - 1)
  return [...shorter, ...longest.flatMap(word => LETTERS.map(letter => word + letter))]
}

const WORDS = wordsUpTo(3)
const SHORT = wordsUpTo(2)
type Values = Readonly<Record<string, string>>
const PAIRS: Values[] = SHORT.flatMap(x => SHORT.map(y => ({ x, y })))
const SINGLES: Values[] = WORDS.map(x => ({ x, y: x }))
const TUPLES = [...PAIRS, ...SINGLES]

/** Returns the result; undefined if a value was rejected. */
function allowed<T>(act: () => T): T | undefined {
  try {
    return act()
  } catch {
    return undefined
  }
}

const refuses = ({ slots }: KeyTemplate, values: Values) =>
  slots.some(({ terminator, name }) => terminator !== '' && values[name]!.includes(terminator))

/** Tests whether a value is rejected before it is used, because thousands of errors are slow. */
const key = (template: KeyTemplate, values: Values) =>
  refuses(template, values) ? undefined : allowed(() => encodeTemplate(template, strings(values)))

/** All keys of a kind for small values, with these values. */
function itemsOf({ partition, sort }: KeysOfKind) {
  return TUPLES.flatMap(values => {
    const texts = { partition: key(partition, values), sort: key(sort, values) }
    if (texts.partition === undefined || texts.sort === undefined) return []
    return [{ values, id: `${texts.partition} ${texts.sort}`, partition: texts.partition, sort: texts.sort }]
  })
}

const literal = fc.string({ unit: fc.constantFrom(...LETTERS), maxLength: 2 })
const source = fc
  .tuple(literal, literal, literal, fc.constantFrom([], ['x'], ['y'], ['x', 'y'], ['y', 'x']))
  .map(([first, second, third, names]) => [first, ...names.map((name, i) => `{${name}}${[second, third][i]}`)].join(''))
const templates = (raw: boolean) =>
  source.map(text => allowed(() => made(text, { raw }))).filter(template => template !== undefined)

const common = made('P', { maxBytes: PARTITION_KEY_BYTES })
const pairOf = (raw: boolean) => fc.tuple(templates(raw), templates(raw))

/**
 * Two kinds in one partition or in two, and a read of the first. Templates are encoded or raw, with or without escaped
 * tails.
 */
const spaces: fc.Arbitrary<KeySpace> = fc
  .tuple(fc.boolean(), fc.boolean(), fc.boolean(), fc.nat({ max: 1 }))
  .chain(([raw, settled, together, given]) =>
    fc
      .tuple(together ? fc.constant([common, common]) : pairOf(raw), pairOf(raw))
      .map(pairs => (settled ? pairs.map(settle) : pairs))
      .map(([partitions, sorts]) => {
        const kinds = ['a', 'b'].map((kind, index) => ({ kind, partition: partitions![index]!, sort: sorts![index]! }))
        const query = { path: 'a.by', kinds: ['a'], partition: partitions![0]!, sort: sorts![0]!, slotCount: given }
        return { name: 'the table', unique: true, kinds, queries: [query] }
      }),
  )

const given = (sort: KeyTemplate, count: number, values: Values) =>
  strings(Object.fromEntries(sort.slots.slice(0, count).map(({ name }) => [name, values[name]!])))

/** The keys that a read of these parts returns, alone or with a range without an upper bound. */
function conditions(sort: KeyTemplate, count: number, values: Values) {
  const parts = given(sort, count, values)
  return [
    allowed(() => templateConditionOf(sort, parts)),
    count < sort.slots.length ? allowed(() => templateConditionOf(sort, parts, { from: { S: '' } })) : undefined,
  ]
}

const options = { numRuns: 300 }
/** The tests try every value, which is slow on a busy machine. */
const patience = { timeout: 30_000 }
const shown = ({ kinds, queries }: KeySpace) => [
  ...kinds.map(one => [one.partition.source, one.sort.source, one.sort.mode]),
  queries[0]!.slotCount,
]

test('the proof finds every collision of two kinds that small values show', patience, () => {
  let times = 0
  fc.assert(
    fc.property(spaces, space => {
      const taken = new Set(itemsOf(space.kinds[0]!).map(({ id }) => id))
      if (!itemsOf(space.kinds[1]!).some(({ id }) => taken.has(id))) return
      times++
      expect([shown(space), proveKeySpaces([space]).map(({ code }) => code)]).toEqual([
        shown(space),
        expect.arrayContaining(['key.collision']),
      ])
    }),
    options,
  )
  expect(times).toBeGreaterThan(10)
})

test('two kinds that the proof reports can have the key of its example', patience, () => {
  let times = 0
  fc.assert(
    fc.property(spaces, space => {
      const finding = proveKeySpaces([space]).find(({ code }) => code === 'key.collision')
      if (!finding?.details.example.isCertain) return
      times++
      const [one, other] = space.kinds
      const { texts, left, right } = finding.details.example
      expect([key(one!.partition, left), key(one!.sort, left)]).toEqual(texts)
      expect([key(other!.partition, right), key(other!.sort, right)]).toEqual(texts)
    }),
    options,
  )
  expect(times).toBeGreaterThan(10)
})

test('the proof reports a template as ambiguous exactly if different values make one key', patience, () => {
  fc.assert(
    fc.property(spaces, space => {
      const [{ kind, sort }] = space.kinds as [KeysOfKind]
      const texts = new Map<string, string>()
      const twice = TUPLES.some(values => {
        const text = key(sort, values)
        if (text === undefined) return false
        const used = JSON.stringify(sort.slots.map(({ name }) => values[name]))
        const before = texts.get(text) ?? used
        texts.set(text, before)
        return before !== used
      })
      const finding = proveKeySpaces([{ ...space, kinds: [{ kind, partition: made('P'), sort }], queries: [] }])[0]
      if (twice) expect([shown(space), finding?.code]).toEqual([shown(space), 'key.ambiguous'])
      if (!finding) return
      const { texts: found, left, right } = finding.details.example
      expect(left).not.toEqual(right)
      expect([key(sort, left), key(sort, right)]).toEqual([found[0], found[0]])
    }),
    options,
  )
})

test('the proof finds every read that returns other kinds or values for small values', patience, () => {
  let times = 0
  fc.assert(
    fc.property(spaces, space => {
      const [query] = space.queries
      const { sort, partition } = query!
      const asked = itemsOf(space.kinds[0]!).filter((_, index) => index % 7 === 0)
      const others = itemsOf(space.kinds[1]!)
      const sights = asked.map(({ values, partition }) => ({
        values,
        partition,
        by: conditions(sort, query!.slotCount, values),
      }))
      const another = sights.some(sight =>
        others.some(item => item.partition === sight.partition && sight.by.some(one => one && sees(one, item.sort))),
      )
      const own = itemsOf({ kind: 'a', partition, sort })
      const wrong = sights.some(sight =>
        own.some(
          item =>
            sight.by.some(one => one && sees(one, item.sort)) &&
            sort.slots.slice(0, query!.slotCount).some(({ name }) => item.values[name] !== sight.values[name]),
        ),
      )
      const codes = proveKeySpaces([space]).filter(({ code }) => code !== 'key.collision')
      if (another)
        expect([shown(space), codes.map(({ code, details }) => `${code} ${details.kinds[1]}`)]).toEqual([
          shown(space),
          expect.arrayContaining(['key.mixed b']),
        ])
      if (wrong)
        expect([shown(space), codes.filter(({ details }) => details.kinds[1] === 'a')]).not.toEqual([shown(space), []])
      times += Number(another) + Number(wrong)
    }),
    { numRuns: 300 },
  )
  expect(times).toBeGreaterThan(10)
})

test('a read that the proof reports as mixed does return another kind', patience, () => {
  let times = 0
  fc.assert(
    fc.property(spaces, space => {
      const finding = proveKeySpaces([space]).find(
        ({ code, details }) => code === 'key.mixed' && details.kinds[1] === 'b',
      )
      if (!finding?.details.example.isCertain) return
      const { sort, slotCount } = space.queries[0]!
      const { left, right, texts } = finding.details.example
      const by = conditions(sort, slotCount, left)
      expect([key(space.kinds[1]!.partition, right), key(space.kinds[1]!.sort, right)]).toEqual(texts)
      // A range in raw keys may be rejected, and then the proof was too careful.
      if (slotCount < sort.slots.length && !by[1]) return
      times++
      expect([shown(space), by.some(one => one && sees(one, texts[1]!))]).toEqual([shown(space), true])
    }),
    options,
  )
  expect(times).toBeGreaterThan(10)
})
