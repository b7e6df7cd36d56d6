import { describe, expect, it } from 'vitest'
import type { AttributeValue } from '../../../src/dynamodb/attribute-value.js'
import { RESERVED_WORDS } from '../../../src/dynamodb/reserved-words.js'
import type { ExpressionKind } from '../../../src/engine/expressions/expression-errors.js'
import type { ExpressionRequest } from '../../../src/engine/expressions/expression-reader.js'
import { memory } from '../../../src/engine/memory.js'
import type { ValidatorLayer } from '../../../src/engine/values/validator-layer.js'
import { request as table } from '../tables.js'
import { readExpressions } from './read-expressions.js'

const a: AttributeValue = { S: 'a' }
const NOT_NUMERIC = 'The parameter cannot be converted to a numeric value'

function message(
  request: ExpressionRequest,
  takingValues?: readonly ExpressionKind[],
  layer?: ValidatorLayer,
): string | undefined {
  try {
    readExpressions(request, takingValues, layer)
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}

describe('attribute names', () => {
  const complaintAbout = (names: Record<string, string>, text = '#a = :a') =>
    message({ ConditionExpression: text, ExpressionAttributeNames: names, ExpressionAttributeValues: { ':a': a } })
  const invalidKey = (detail: string) => `ExpressionAttributeNames contains invalid key: ${detail}`
  const invalidValue = (detail: string) => `ExpressionAttributeNames contains invalid value: ${detail}`

  it.each<[Record<string, string>, string]>([
    [{}, 'ExpressionAttributeNames must not be empty'],
    [{ a: 'a' }, invalidKey('Syntax error; key: "a"')],
    [{ '#a-b': 'a' }, invalidKey('Syntax error; key: "#a-b"')],
    [{ '#': 'a' }, invalidKey('Syntax error; key: "#"')],
    [{ ':a': 'a' }, invalidKey('Syntax error; key: ":a"')],
    [{ '': 'a' }, invalidKey('The expression attribute map contains an empty key;')],
    [
      { [`#${'a'.repeat(255)}`]: 'a' },
      invalidKey('The expression attribute map contains a key that is too long; size of key: 256'),
    ],
    [{ '#a': '' }, invalidValue('Empty attribute name for key #a')],
    [
      { '#a': 'é'.repeat(32_768) },
      invalidValue('Attribute name is too large, must be less than 65536 bytes for key #a'),
    ],
    [
      { '#a': 'a', '#b': 'b', '#c': 'c' },
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b, #c}',
    ],
  ])('the names %j are rejected', (names, expected) => {
    expect(complaintAbout(names)).toBe(expected)
  })

  it('aliases consist of letters, digits and underscores', () => {
    const longest = `#${'Z'.repeat(254)}`
    expect(complaintAbout({ [longest]: 'a' }, `${longest} = :a`)).toBeUndefined()
    for (let code = 0; code < 256; code++) {
      const alias = `#${String.fromCharCode(code)}`
      const expected = /[A-Za-z0-9_]/.test(alias) ? undefined : invalidKey(`Syntax error; key: "${alias}"`)
      expect(complaintAbout({ [alias]: 'a' }, `${alias} = :a`)).toBe(expected)
    }
  })

  it('an alias can stand for any name', () => {
    for (const name of ['a.b', '[0]', '#a', '__proto__', 'constructor', ' ', 'SELECT', '😀'])
      expect(complaintAbout({ '#a': name })).toBeUndefined()
  })

  it('aliases are not looked up among inherited members of objects', () => {
    expect(complaintAbout({ '#a': 'a' }, '#toString = :a AND #a = :a')).toBe(
      'Invalid ConditionExpression: An expression attribute name used in the document path is not defined; attribute name: #toString',
    )
  })
})

describe('attribute values', () => {
  const complaintAbout = (values: Record<string, AttributeValue>, layer: ValidatorLayer = 'current') =>
    message({ ConditionExpression: 'a = :a', ExpressionAttributeValues: values }, undefined, layer)
  const invalidKey = (detail: string) => `ExpressionAttributeValues contains invalid key: ${detail}`

  it.each<[Record<string, AttributeValue>, string]>([
    [{}, 'ExpressionAttributeValues must not be empty'],
    [{ ':b': {} as never, b: a }, invalidKey('Syntax error; key: "b"')],
    [{ ':': a }, invalidKey('Syntax error; key: ":"')],
    [{ [`:${'a'.repeat(255)}`]: a }, invalidKey('The expression attribute map contains a key that is too long;')],
    [
      { ':a': a, ':b': a, ':c': a },
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:b, :c}',
    ],
    [{ ':a': { S: 'a'.repeat(2 * 1024 * 1024 + 1) } }, 'ExpressionAttributeValues exceeds max size'],
  ])('invalid values are rejected (%#)', (values, expected) => {
    expect(complaintAbout(values)).toBe(expected)
  })

  const empty = 'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes'
  const invalid = (detail: string) => `One or more parameter values were invalid: ${detail}`
  it.each<[AttributeValue, string, string]>([
    [{} as never, empty, empty],
    [{ N: '' }, `${NOT_NUMERIC}: `, NOT_NUMERIC],
    [{ SS: [] }, invalid('An string set  may not be empty'), invalid('An string set  may not be empty')],
    [{ NS: ['1', '1.0'] }, invalid('Input collection contains duplicates.'), 'Input collection contains duplicates'],
  ])(
    '%j is rejected with the message of the validator, and the older one names the placeholder',
    (value, current, older) => {
      expect(complaintAbout({ ':a': value })).toBe(current)
      const message = `ExpressionAttributeValues contains invalid value: ${older} for key :a`
      expect(complaintAbout({ ':a': value }, 'older')).toBe(message)
    },
  )

  it('values are stored in canonical form', () => {
    const request = { ConditionExpression: 'a = :a', ExpressionAttributeValues: { ':a': { N: '1.50' } } }
    expect(readExpressions(request).condition!.test({ a: { N: '1.5' } })).toBe(true)
  })
})

describe('requests without expressions', () => {
  it('a request without expressions has none', () => {
    expect(Object.values(readExpressions({}))).toEqual(Array(5).fill(undefined))
  })

  it('names without an expression are rejected', () => {
    const expected = 'ExpressionAttributeNames can only be specified when using expressions'
    expect(message({ ExpressionAttributeNames: {} })).toBe(expected)
    expect(message({ ExpressionAttributeNames: { '#a': 'a' }, ExpressionAttributeValues: { ':a': a } })).toBe(expected)
  })

  it('values without an expression that uses values are rejected', () => {
    const expected = 'ExpressionAttributeValues can only be specified when using expressions'
    const values = { ExpressionAttributeValues: { ':a': a } }
    expect(message(values)).toBe(expected)
    expect(message({ ...values, ProjectionExpression: 'a' }, ['FilterExpression'])).toBe(expected)
    expect(message(values, ['UpdateExpression', 'ConditionExpression'])).toBe(expected)
  })
})

describe('several expressions', () => {
  it.each<[string, ExpressionRequest, string]>([
    [
      'an empty condition comes before the update',
      { UpdateExpression: '', ConditionExpression: '' },
      'ConditionExpression',
    ],
    [
      'the key condition comes before the filter',
      { KeyConditionExpression: '', FilterExpression: '' },
      'KeyConditionExpression',
    ],
    ['the filter comes before the projection', { FilterExpression: '', ProjectionExpression: '' }, 'FilterExpression'],
  ])('the order of errors in several expressions: %s', (_, request, kind) => {
    expect(message(request)).toBe(`Invalid ${kind}: The expression can not be empty;`)
  })

  it('any other error of the update is reported before the condition', () => {
    expect(message({ UpdateExpression: 'SET', ConditionExpression: 'a =' })).toMatch(
      /^Invalid UpdateExpression: Syntax error/,
    )
  })

  it('all expressions are checked before the key condition is checked against keys', () => {
    const request = { KeyConditionExpression: 'a <> b', FilterExpression: 'c = :c' }
    expect(message(request)).toContain('Invalid FilterExpression')
    expect(message({ KeyConditionExpression: 'a <> b' })).toBe('Invalid operator used in KeyConditionExpression: <>')
  })

  it('a placeholder may be used by any one expression', () => {
    const request: ExpressionRequest = {
      UpdateExpression: 'SET #a = :a',
      ConditionExpression: '#b = :b',
      ExpressionAttributeNames: { '#a': 'a', '#b': 'b' },
      ExpressionAttributeValues: { ':a': a, ':b': a },
    }
    expect(message(request)).toBeUndefined()
    expect(message({ ...request, ConditionExpression: 'b = :a' })).toBe(
      'Value provided in ExpressionAttributeNames unused in expressions: keys: {#b}',
    )
  })
})

it('an expression that an operation does not support is ignored and uses no placeholders', async () => {
  const store = memory()
  await store.createTable(table())
  const Key = { pk: { S: 'a' } }
  const put = {
    TableName: 'Orders',
    Item: Key,
    UpdateExpression: 'no update',
    ConditionExpression: 'attribute_not_exists(pk)',
  }
  await store.putItem(put)
  const more = { ...put, Key, UpdateExpression: 'ADD a :a', ExpressionAttributeValues: { ':a': a } }
  const unused = 'Value provided in ExpressionAttributeValues unused in expressions: keys: {:a}'
  for (const wrong of [
    store.putItem(more),
    store.deleteItem(more),
    ...['Put', 'Delete', 'ConditionCheck'].map(verb => store.transactWriteItems({ TransactItems: [{ [verb]: more }] })),
  ])
    await expect(wrong).rejects.toThrow(unused)
})

it.each([
  ['updateItem', ['KeyConditionExpression', 'FilterExpression', 'ProjectionExpression']],
  ['query', ['UpdateExpression', 'ConditionExpression']],
  ['scan', ['UpdateExpression', 'ConditionExpression', 'KeyConditionExpression']],
] as const)('%s ignores the expressions that it does not support', async (operation, unknown) => {
  const store = memory()
  await store.createTable(table())
  const values = { ':pk': { S: 'a' } }
  const known = {
    updateItem: { Key: { pk: { S: 'a' } }, UpdateExpression: 'SET a = :pk' },
    query: { KeyConditionExpression: 'pk = :pk' },
    scan: { FilterExpression: 'pk = :pk' },
  }[operation]
  const send = store[operation] as (request: object) => Promise<object>
  for (const kind of unknown) {
    const request = { TableName: 'Orders', ...known, ExpressionAttributeValues: values, [kind]: '((' }
    expect(await send(request)).not.toHaveProperty('Attributes')
    const more = { ...request, [kind]: 'a = :a', ExpressionAttributeValues: { ...values, ':a': a } }
    await expect(send(more)).rejects.toThrow('unused in expressions: keys: {:a}')
  }
})

it('an update in a transaction ignores expressions of reads', async () => {
  const store = memory()
  await store.createTable(table())
  const Update = { TableName: 'Orders', Key: { pk: a }, UpdateExpression: 'REMOVE a', FilterExpression: '((' }
  expect(await store.transactWriteItems({ TransactItems: [{ Update }] })).toEqual({})
})

describe('reserved words', () => {
  it('the reserved words are the 573 of the documentation in upper case', () => {
    expect(RESERVED_WORDS.size).toBe(573)
    expect([...RESERVED_WORDS].filter(word => !/^[A-Z]+$/.test(word))).toEqual([])
    expect([...RESERVED_WORDS].sort()).toEqual([...RESERVED_WORDS])
  })

  it('reserved words are rejected in any case, except those of the grammar', () => {
    const grammatical = new Set(['ADD', 'AND', 'BETWEEN', 'DELETE', 'IN', 'NOT', 'OR', 'REMOVE', 'SET'])
    for (const word of RESERVED_WORDS)
      for (const spelling of [word, word.toLowerCase()])
        expect(message({ ProjectionExpression: spelling })).toContain(
          grammatical.has(word) ? 'Syntax error' : `reserved keyword: ${spelling}`,
        )
  })
})
