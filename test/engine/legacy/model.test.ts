import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import type { ComparisonOperator, Condition } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'

const store = memory()
const TableName = 'legacy'

const VALUES: readonly AttributeValue[] = [
  { S: 'a' },
  { S: 'ab' },
  { N: '1' },
  { N: '2' },
  { B: Uint8Array.from([1]) },
  { SS: ['a', 'b'] },
  { L: [{ S: 'a' }, { N: '1' }] },
  { BOOL: true },
  { NULL: true },
]

beforeAll(async () => {
  await store.createTable({
    TableName,
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'N' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  let pk = 0
  for (const a of [undefined, ...VALUES])
    for (const b of [undefined, ...VALUES])
      await store.putItem({ TableName, Item: { pk: { N: String(pk++) }, ...(a && { a }), ...(b && { b }) } })
})

/** Each operator as an expression, with `#` for the attribute and `:1`, `:2` for its values. */
const EXPRESSIONS: Readonly<Record<ComparisonOperator, string>> = {
  EQ: '# = :1',
  NE: '# <> :1',
  LE: '# <= :1',
  LT: '# < :1',
  GE: '# >= :1',
  GT: '# > :1',
  BETWEEN: '# BETWEEN :1 AND :2',
  IN: '# IN (:1, :2)',
  BEGINS_WITH: 'begins_with(#, :1)',
  CONTAINS: 'contains(#, :1)',
  NOT_CONTAINS: '(attribute_exists(#) AND NOT contains(#, :1))',
  NULL: 'attribute_not_exists(#)',
  NOT_NULL: 'attribute_exists(#)',
}

const value = fc.constantFrom(...VALUES)
const scalar = fc.constantFrom(...VALUES.slice(0, 5))
const couple = fc.constantFrom<AttributeValue[]>([{ S: 'a' }, { S: 'b' }], [{ N: '0' }, { N: '1' }])

const condition: fc.Arbitrary<[ComparisonOperator, AttributeValue[]]> = fc.oneof(
  fc.tuple(
    fc.constantFrom<ComparisonOperator>('EQ', 'NE'),
    value.map(one => [one]),
  ),
  fc.tuple(
    fc.constantFrom<ComparisonOperator>('LE', 'LT', 'GE', 'GT', 'CONTAINS', 'NOT_CONTAINS'),
    scalar.map(one => [one]),
  ),
  fc.tuple(fc.constantFrom<ComparisonOperator>('BETWEEN', 'IN'), couple),
  fc.tuple(fc.constant<ComparisonOperator>('BEGINS_WITH'), fc.constantFrom<AttributeValue[]>([{ S: 'a' }])),
  fc.tuple(fc.constantFrom<ComparisonOperator>('NULL', 'NOT_NULL'), fc.constant<AttributeValue[]>([])),
)

it('legacy filters find the same items as equivalent expressions', async () => {
  const join = fc.constantFrom('AND' as const, 'OR' as const)
  await fc.assert(
    fc.asyncProperty(condition, condition, join, async (a, b, ConditionalOperator) => {
      const ScanFilter: Record<string, Condition> = {}
      const ExpressionAttributeValues: Record<string, AttributeValue> = {}
      const texts = Object.entries({ a, b }).map(([name, [ComparisonOperator, values]]) => {
        ScanFilter[name] = { ComparisonOperator, AttributeValueList: values }
        values.forEach((given, i) => {
          ExpressionAttributeValues[`:${name}${i + 1}`] = given
        })
        return EXPRESSIONS[ComparisonOperator].replaceAll('#', name).replaceAll(':', `:${name}`)
      })
      const legacy = await store.scan({ TableName, ScanFilter, ConditionalOperator })
      const hasValues = Object.keys(ExpressionAttributeValues).length > 0
      const FilterExpression = texts.join(` ${ConditionalOperator} `)
      const current = await store.scan({ TableName, FilterExpression, ...(hasValues && { ExpressionAttributeValues }) })
      expect(legacy.Items).toEqual(current.Items)
    }),
    { numRuns: 400 },
  )
})
