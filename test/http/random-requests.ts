import fc from 'fast-check'
import { ATTRIBUTE_VALUE_MEMBERS, type ModelShape } from '../../src/dynamodb/model/shapes.js'

const DEPTH = 3

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    'things',
    'id',
    ':v',
    '#n',
    'id = :v',
    'SET a = :v',
    'attribute_exists(#n)',
    'a.b[0]',
    'ALL_OLD',
    '__proto__',
    'constructor',
    '',
    '1',
    '1e400',
    'AAEC',
    'S',
    'HASH',
  ),
)

/** Any JSON value. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  fc.jsonValue({ depthSize: 'small' }),
  texts,
  fc.constantFrom(null, -1, 0, 0.5, 1e21, {}, [], [null], [[]], { __proto__: null }, { S: 'a', N: '1' }),
)

/** Values that follow their shape up to some depth and are arbitrary from there. */
export function nearly(shape: ModelShape, depth = 0): fc.Arbitrary<unknown> {
  const wanted = depth > DEPTH * 2 ? anyJson : wellMeant(shape, depth + 1)
  return fc.oneof({ weight: 15, arbitrary: wanted }, { weight: 1, arbitrary: anyJson })
}

function wellMeant(shape: ModelShape, depth: number): fc.Arbitrary<unknown> {
  switch (shape.kind) {
    case 'text':
    case 'blob':
      return texts
    case 'integer':
    case 'long':
    case 'double':
    case 'timestamp':
      return fc.oneof(fc.integer(), fc.constantFrom(0, 1, 5), fc.double())
    case 'boolean':
      return fc.boolean()
    case 'attributeValue':
      return attributeValue(depth)
    case 'list':
      return fc.array(nearly(shape.element, depth), { maxLength: 3 })
    case 'map':
      return fc.dictionary(texts, nearly(shape.value, depth), { maxKeys: 3 })
    case 'structure': {
      const members = Object.entries(shape.members).map(([name, member]) => [name, nearly(member, depth)] as const)
      return fc.record(Object.fromEntries(members), { requiredKeys: [] })
    }
    default:
      return anyJson
  }
}

function attributeValue(depth: number): fc.Arbitrary<unknown> {
  if (depth > DEPTH * 2) return fc.constant({ S: 'a' })
  return fc.oneof(
    fc.constantFrom({ S: 'a' }, { N: '1' }, { B: 'AAEC' }),
    ...Object.entries(ATTRIBUTE_VALUE_MEMBERS).map(([type, shape]) =>
      nearly(shape, depth + 1).map(value => ({ [type]: value })),
    ),
  )
}
