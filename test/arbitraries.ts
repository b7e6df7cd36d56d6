import fc from 'fast-check'
import type { AttributeValue, Item } from '../src/dynamodb/attribute-value.js'

/** Texts that have broken key encodings: separators, zeros, controls, surrogates, the ends of the planes. */
const hostileText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({
    unit: fc.constantFrom(
      '\u0000',
      '\u0001',
      '#',
      '$',
      '\u007f',
      '\u0080',
      '\u07ff',
      '\uffff',
      '\u{10000}',
      '\u{10ffff}',
      'a',
    ),
    maxLength: 8,
  }),
)

const digits = fc.bigInt({ min: 0n, max: 10n ** 38n - 1n })

/** Numbers that DynamoDB can hold, in any notation. */
export const anyNumberText = fc
  .tuple(fc.boolean(), digits, fc.integer({ min: -130, max: 87 }), fc.boolean())
  .map(([negative, whole, power, plain]) => {
    const sign = negative ? '-' : ''
    return plain ? `${sign}${whole}` : `${sign}${whole}e${power}`
  })

const binary = fc.uint8Array({ maxLength: 8 })

export const keyValue: Record<'S' | 'N' | 'B', fc.Arbitrary<AttributeValue>> = {
  S: hostileText.filter(text => text !== '').map(S => ({ S })),
  N: anyNumberText.map(N => ({ N })),
  B: binary.filter(bytes => bytes.length > 0).map(B => ({ B })),
}

const scalar: fc.Arbitrary<AttributeValue> = fc.oneof(
  hostileText.map(S => ({ S })),
  anyNumberText.map(N => ({ N })),
  binary.map(B => ({ B })),
  fc.boolean().map(BOOL => ({ BOOL })),
  fc.constant({ NULL: true }),
  fc.uniqueArray(hostileText, { minLength: 1, maxLength: 4 }).map(SS => ({ SS })),
  fc.uniqueArray(fc.integer().map(String), { minLength: 1, maxLength: 4 }).map(NS => ({ NS })),
)

/** Any value that can be stored. */
const { value: anyValue } = fc.letrec<{ value: AttributeValue }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }).map(L => ({ L })),
    fc.dictionary(fc.string({ minLength: 1, maxLength: 4 }), tie('value'), { maxKeys: 3 }).map(M => ({ M })),
  ),
}))

export const anyAttributes: fc.Arbitrary<Item> = fc.dictionary(
  fc.oneof(fc.string({ minLength: 1, maxLength: 5 }), fc.constantFrom('__proto__', 'constructor', 'toString')),
  anyValue,
  { maxKeys: 4, noNullPrototype: true },
)
