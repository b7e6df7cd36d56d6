import type { AttributeValue, Item, KeyAttributeType } from '../../../src/dynamodb/attribute-value.js'
import type { Chance } from './seeded-random.js'

const TEXTS = ['a', 'b', 'ab', 'abc', 'B', 'é', 'z', '', ' ', '\u{1f600}', '\uffee', 'a b', '10', '9', 'true']
const SMALL = ['0', '1', '2', '3', '-1', '10', '9', '1.5', '-2.25', '100', '0.001', '7']
/** Numbers in all notations and at the limits of their range. */
const ODD = [
  '1e2',
  '-0',
  '0.0',
  '+5',
  '007',
  '1.50',
  '.5',
  '5.',
  '1E-130',
  '-1E-130',
  '9.9999999999999999999999999999999999999E+125',
  '-9.9999999999999999999999999999999999999E+125',
  '99999999999999999999999999999999999999',
  '0.99999999999999999999999999999999999999',
  '12345678901234567890123456789012345678',
  '1E+37',
  '1E38',
  '1000000000000000000000000000000000000000',
]

export function numberText(chance: Chance): string {
  return chance.way(
    [8, () => chance.pick(SMALL)],
    [1, () => chance.pick(ODD)],
    [1, () => `${chance.pick(['', '-'])}${chance.below(100_000)}e${chance.between(-8, 8)}`],
  )
}

const bytesOf = (chance: Chance) => Uint8Array.from(chance.several(0, 3, () => chance.pick([0, 1, 127, 128, 255])))

export function text(chance: Chance): string {
  return chance.happens(0.97) ? chance.pick(TEXTS) : 'x'.repeat(chance.pick([40, 900, 1020, 2100, 4080]))
}

export function scalar(chance: Chance): AttributeValue {
  return chance.way<AttributeValue>(
    [4, () => ({ S: text(chance) })],
    [4, () => ({ N: numberText(chance) })],
    [1, () => ({ B: bytesOf(chance) })],
    [1, () => ({ BOOL: chance.happens(0.5) })],
    [1, () => ({ NULL: true })],
  )
}

const atLeastOne = <T>(chance: Chance, members: readonly T[]) => {
  const some = chance.shuffled(chance.some(members, 0.4))
  return some.length > 0 ? some : [chance.pick(members)]
}

export function set(chance: Chance): AttributeValue {
  return chance.way<AttributeValue>(
    [2, () => ({ SS: atLeastOne(chance, ['a', 'b', 'ab', 'é', '10']) })],
    [2, () => ({ NS: atLeastOne(chance, ['1', '2', '3.5', '-4', '1e2', '10']) })],
    [1, () => ({ BS: atLeastOne(chance, [Uint8Array.of(1), Uint8Array.of(2, 255), Uint8Array.of(0)]) })],
  )
}

/** The member names that paths of expressions use. */
export const MEMBERS = ['x', 'y', 'z'] as const

export function value(chance: Chance, depth = 0): AttributeValue {
  if (depth >= 3) return scalar(chance)
  return chance.way<AttributeValue>(
    [6, () => scalar(chance)],
    [2, () => set(chance)],
    [2, () => ({ L: chance.several(0, 3, () => value(chance, depth + 1)) })],
    [2, () => ({ M: Object.fromEntries(chance.some(MEMBERS).map(name => [name, value(chance, depth + 1)])) })],
  )
}

const KEYS: Record<KeyAttributeType, readonly AttributeValue[]> = {
  S: ['a', 'b', 'ab', 'é', '\u{1f600}', '\uffee', 'B'].map(S => ({ S })),
  N: ['0', '1', '-1', '10', '9', '1.5', '1E-130', '-1E+20', '100'].map(N => ({ N })),
  B: [[0], [1], [1, 0], [127], [255]].map(bytes => ({ B: Uint8Array.from(bytes) })),
}

/** Chooses one of few keys, so that operations collide. */
export function keyValue(chance: Chance, type: KeyAttributeType, choices = 5): AttributeValue {
  return KEYS[type][chance.below(Math.min(choices, KEYS[type].length))]!
}

/** Creates an invalid value. */
export function badValue(chance: Chance): AttributeValue {
  const bad: unknown[] = [
    {},
    { S: 'a', N: '1' },
    { N: 'one' },
    { N: '' },
    { N: '1E126' },
    { N: '1E-131' },
    { N: '123456789012345678901234567890123456789' },
    { NULL: false },
    { SS: [] },
    { NS: [] },
    { BS: [] },
    { SS: ['a', 'a'] },
    { NS: ['1', '1.0'] },
    { BS: [Uint8Array.of(1), Uint8Array.of(1)] },
    { NS: ['1', 'x'] },
    { L: [{ SS: [] }] },
    { M: { x: { N: 'one' } } },
  ]
  return chance.pick(bad) as AttributeValue
}

/** Creates some of these attributes. */
export function attributes(chance: Chance, names: readonly string[], probability = 0.45): Item {
  return Object.fromEntries(chance.some(names, probability).map(name => [name, value(chance)]))
}
