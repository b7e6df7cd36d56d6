import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import type { AttributeValue, Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/index.js'

const store = memory()
const TableName = 'statements'

beforeAll(async () => {
  await store.createTable({
    TableName,
    AttributeDefinitions: [
      { AttributeName: 'pk', AttributeType: 'S' },
      { AttributeName: 'sk', AttributeType: 'N' },
    ],
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const pk of ['a', 'b', 'c'])
    for (let sk = 1; sk <= 4; sk++)
      await store.putItem({ TableName, Item: { pk: { S: pk }, sk: { N: String(sk) }, n: { N: String(sk % 3) } } })
})

type Value = string | number

/** A condition in both languages with the same values. */
interface Condition {
  readonly partiql: string
  readonly expression: string
  readonly values: readonly Value[]
}

function leaf(name: string, operator: string, values: readonly Value[]): Condition {
  const given = values.map(value => (typeof value === 'string' ? `'${value}'` : String(value)))
  const marks = values.map(() => '?')
  const say = (list: readonly string[], open: string, close: string) => {
    if (operator === 'BETWEEN') return `${name} BETWEEN ${list[0]} AND ${list[1]}`
    if (operator === 'IN') return `${name} IN ${open}${list.join(', ')}${close}`
    return `${name} ${operator} ${list[0]}`
  }
  return { partiql: say(given, '[', ']'), expression: say(marks, '(', ')'), values }
}

const partition = fc.constantFrom('a', 'b', 'c', 'd')
const number = fc.integer({ min: 0, max: 5 })
const comparison = fc.constantFrom('=', '<>', '<', '<=', '>', '>=')
const bounds = fc.tuple(number, number).map(([a, b]) => [Math.min(a, b), Math.max(a, b)])

const leaves: fc.Arbitrary<Condition> = fc.oneof(
  { arbitrary: partition.map(value => leaf('pk', '=', [value])), weight: 4 },
  fc.uniqueArray(partition, { minLength: 1 }).map(values => leaf('pk', 'IN', values)),
  fc.tuple(comparison, number).map(([operator, value]) => leaf('sk', operator, [value])),
  bounds.map(values => leaf('sk', 'BETWEEN', values)),
  fc.uniqueArray(number, { minLength: 1, maxLength: 3 }).map(values => leaf('sk', 'IN', values)),
  fc.tuple(comparison, number).map(([operator, value]) => leaf('n', operator, [value])),
)

const { condition } = fc.letrec<{ condition: Condition }>(tie => ({
  condition: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaves,
    fc.tuple(tie('condition'), fc.constantFrom('AND', 'AND', 'OR'), tie('condition')).map(([left, word, right]) => ({
      partiql: `(${left.partiql}) ${word} (${right.partiql})`,
      expression: `(${left.expression}) ${word} (${right.expression})`,
      values: [...left.values, ...right.values],
    })),
    tie('condition').map(part => ({
      partiql: `NOT (${part.partiql})`,
      expression: `NOT (${part.expression})`,
      values: part.values,
    })),
  ),
}))

const keyOf = ({ pk, sk }: Item) => `${pk!.S}/${sk!.N}`

async function scanned({ expression, values }: Condition): Promise<string[]> {
  let index = 0
  const FilterExpression = expression.replaceAll('?', () => `:v${index++}`)
  const given = values.map((value): [string, AttributeValue] => [
    '',
    typeof value === 'string' ? { S: value } : { N: String(value) },
  ])
  const ExpressionAttributeValues = Object.fromEntries(given.map(([, value], i) => [`:v${i}`, value]))
  const { Items } = await store.scan({ TableName, FilterExpression, ExpressionAttributeValues })
  return Items!.map(keyOf).sort()
}

/** Returns all pages of a SELECT, or undefined if the service rejects overlapping ranges. */
async function selected({ partiql }: Condition, Limit: number | undefined): Promise<string[] | undefined> {
  const Statement = `SELECT * FROM ${TableName} WHERE ${partiql}`
  const found: string[] = []
  let NextToken: string | undefined
  do {
    try {
      const page = await store.executeStatement({ Statement, Limit, ...(NextToken && { NextToken }) })
      found.push(...page.Items!.map(keyOf))
      NextToken = page.NextToken
    } catch (error) {
      if (/Overlapping conditions/.test((error as Error).message)) return undefined
      throw error
    }
  } while (NextToken !== undefined)
  return found.sort()
}

it('a SELECT finds the items of a scan with the same filter once each, with any page size', async () => {
  let compared = 0
  await fc.assert(
    fc.asyncProperty(condition, fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined }), async (given, limit) => {
      const found = await selected(given, limit)
      if (found === undefined) return
      compared++
      expect(found).toEqual(await scanned(given))
    }),
    { numRuns: 500 },
  )
  expect(compared).toBeGreaterThan(250)
})
