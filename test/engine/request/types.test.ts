import { describe, expect, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { message, refusal } from './refusal.js'

const CAST =
  "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
const STRUCTURE = 'Start of structure or map found where not expected'
const CLASSES = 'com.amazonaws.dynamodb.v20120810'
const MAP_OF_VALUES = `Unrecognized collection type java.util.Map<java.lang.String, ${CLASSES}.AttributeValue>`

const item = (value: unknown) => ({ TableName: 'abc', Item: { a: value } })

describe('members of the wrong type', () => {
  test('a member of the wrong type causes a SerializationException', () => {
    expect(refusal('GetItem', { TableName: 23 })?.name).toBe('SerializationException')
  })

  test.each([
    [true, 'TRUE_VALUE cannot be converted to String'],
    [false, 'FALSE_VALUE cannot be converted to String'],
    [23, 'NUMBER_VALUE cannot be converted to String'],
    [34.56, 'DECIMAL_VALUE cannot be converted to String'],
    [23n, 'NUMBER_VALUE cannot be converted to String'],
    [[], 'Unrecognized collection type class java.lang.String'],
    [{}, STRUCTURE],
    [new Uint8Array(1), STRUCTURE],
  ])("an invalid text has the service's message: %o", (value, expected) => {
    expect(message('GetItem', { TableName: value })).toBe(expected)
    expect(message('PutItem', item({ S: value }))).toBe(expected)
    expect(message('PutItem', item({ SS: [value] }))).toBe(expected)
    expect(message('GetItem', { ExpressionAttributeNames: { '#a': value } })).toBe(expected)
  })

  test.each([
    ['23', 'Unexpected token received from parser'],
    [23, 'NUMBER_VALUE cannot be converted to Boolean'],
    [34.56, 'DECIMAL_VALUE cannot be converted to Boolean'],
    [[], 'Unrecognized collection type class java.lang.Boolean'],
    [{}, STRUCTURE],
  ])("an invalid boolean has the service's message: %o", (value, expected) => {
    expect(message('GetItem', { ConsistentRead: value })).toBe(expected)
    expect(message('PutItem', item({ BOOL: value }))).toBe(expected)
    expect(message('PutItem', item({ NULL: value }))).toBe(expected)
  })

  test.each([
    ['23', 'STRING_VALUE cannot be converted to '],
    [true, 'TRUE_VALUE cannot be converted to '],
    [false, 'FALSE_VALUE cannot be converted to '],
    [[], 'Unrecognized collection type class java.lang.'],
  ])("an invalid number has the service's message: %o", (value, expected) => {
    expect(message('Query', { Limit: value })).toBe(`${expected}Integer`)
    expect(message('CreateTable', { ProvisionedThroughput: { ReadCapacityUnits: value } })).toBe(`${expected}Long`)
  })

  test.each([
    [true, 'only base-64-encoded strings are convertible to bytes'],
    [23, 'only base-64-encoded strings are convertible to bytes'],
    ['text', 'only base-64-encoded strings are convertible to bytes'],
    [new Float64Array(1), 'only base-64-encoded strings are convertible to bytes'],
    [[], 'Unrecognized collection type class java.nio.ByteBuffer'],
    [{}, STRUCTURE],
  ])("an invalid binary has the service's message: %o", (value, expected) => {
    expect(message('PutItem', item({ B: value }))).toBe(expected)
    expect(message('PutItem', item({ BS: [value] }))).toBe(expected)
  })

  test.each([
    ['23', 'Unexpected field type'],
    [true, 'Unexpected field type'],
    [23, 'Unexpected field type'],
    [{}, STRUCTURE],
  ])("an invalid list has the service's message: %o", (value, expected) => {
    expect(message('CreateTable', { KeySchema: value })).toBe(expected)
    expect(message('PutItem', item({ L: value }))).toBe(expected)
    expect(message('PutItem', item({ NS: value }))).toBe(expected)
  })

  test.each([
    ['23', 'Unexpected field type'],
    [23, 'Unexpected field type'],
    [[], MAP_OF_VALUES],
  ])("an invalid map of values has the service's message: %o", (value, expected) => {
    expect(message('GetItem', { Key: value })).toBe(expected)
    expect(message('PutItem', item({ M: value }))).toBe(expected)
  })

  test('the message for other maps names the type of their values', () => {
    expect(message('GetItem', { ExpressionAttributeNames: [] })).toBe(
      'Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>',
    )
    expect(message('BatchWriteItem', { RequestItems: [] })).toBe(
      `Unrecognized collection type java.util.Map<java.lang.String, java.util.List<${CLASSES}.WriteRequest>>`,
    )
  })

  test('the message for a structure differs between fields and elements', () => {
    expect(message('CreateTable', { ProvisionedThroughput: 'x' })).toBe('Unexpected field type')
    expect(message('CreateTable', { ProvisionedThroughput: [] })).toBe(
      `Unrecognized collection type class ${CLASSES}.ProvisionedThroughput`,
    )
    expect(message('CreateTable', { KeySchema: ['x'] })).toBe('Unexpected value type in payload')
    expect(message('CreateTable', { KeySchema: [[]] })).toBe(
      `Unrecognized collection type class ${CLASSES}.KeySchemaElement`,
    )
    expect(message('PutItem', { Expected: { a: { Value: 1 } } })).toBe('Unexpected field type')
    expect(message('PutItem', item(1))).toBe('Unexpected value type in payload')
    expect(message('PutItem', item({ L: ['x'] }))).toBe('Unexpected value type in payload')
    expect(message('PutItem', item({ M: { b: [] } }))).toBe(
      `Unrecognized collection type class ${CLASSES}.AttributeValue`,
    )
  })

  test('the message for a list or map within another shows the failed cast', () => {
    expect(message('BatchGetItem', { RequestItems: { abc: { Keys: ['x'] } } })).toBe(CAST)
    expect(message('BatchGetItem', { RequestItems: { abc: { Keys: [[]] } } })).toBe(MAP_OF_VALUES)
    expect(message('BatchWriteItem', { RequestItems: { abc: 1 } })).toBe(CAST)
    expect(message('BatchWriteItem', { RequestItems: { abc: {} } })).toBe(STRUCTURE)
  })

  test('a wrong type is reported before violations of the model', () => {
    expect(message('GetItem', { TableName: '', ConsistentRead: 1 })).toBe('NUMBER_VALUE cannot be converted to Boolean')
  })
})

describe('valid requests', () => {
  test.each([undefined, null])('a member that is %o counts as absent', absent => {
    const request = { TableName: 'abc', Item: { a: { S: 'x', N: absent } }, ReturnValues: absent }
    expect(refusal('PutItem', request)).toBeUndefined()
    expect(message('PutItem', { TableName: 'abc', Item: absent })).toContain("Value null at 'item'")
  })

  test('unknown members are ignored', () => {
    expect(refusal('GetItem', { TableName: 'abc', Key: { a: { S: 'x', Z: 1 } }, Nonsense: 1 })).toBeUndefined()
  })

  test('a missing request counts as empty', () => {
    expect(refusal('ListTables', undefined)).toBeUndefined()
    expect(message('DescribeTable', undefined)).toContain('is required but was not present')
  })

  test('bytes of another realm or a subclass are valid', () => {
    expect(refusal('PutItem', item({ B: Buffer.from('x') }))).toBeUndefined()
    expect(refusal('PutItem', item({ BS: [new Uint8Array(0)] }))).toBeUndefined()
  })
})

describe('sets and nesting', () => {
  test('a null in a set is checked with the values, and a null in another list is rejected', () => {
    for (const set of [{ SS: ['a', null] }, { NS: [null] }, { BS: [null] }])
      expect(refusal('PutItem', item(set))).toBeUndefined()
    expect(refusal('GetItem', { TableName: 'abc', Key: { a: { S: 'x' } }, AttributesToGet: [null] })?.name).toBe(
      'SerializationException',
    )
  })

  test.each([63, 100_000])('%i levels are rejected without a stack overflow', levels => {
    let value: unknown = { S: 'x' }
    for (let i = 0; i < levels; i++) value = i % 2 ? { M: { a: value } } : { L: [value] }
    expect(refusal('PutItem', item(value))).toEqual({
      name: 'ValidationException',
      message:
        'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    })
  })

  test('operations on several items check the nesting of values later', () => {
    let value: unknown = { S: 'x' }
    for (let i = 0; i < 100_000; i++) value = i % 2 ? { M: { a: value } } : { L: [value] }
    const Put = { TableName: 'abc', Item: { a: value } }
    expect(refusal('TransactWriteItems', { TransactItems: [{ Put }] })).toBeUndefined()
    expect(refusal('BatchWriteItem', { RequestItems: { abc: [{ PutRequest: { Item: Put.Item } }] } })).toBeUndefined()
  })

  test('siblings of a value that nests too deeply are not checked', async () => {
    let deep: unknown = { S: 'x' }
    for (let i = 0; i < 100; i++) deep = { M: { a: deep } }
    for (const beside of [{ S: 5 }, { NS: 'x' }, { M: 'x' }, { SS: [5] }]) {
      const Put = { TableName: 'abc', Item: { pk: { M: { beside, deep } } } } as never
      await expect(memory().transactWriteItems({ TransactItems: [{ Put }] })).rejects.toThrow('Nesting Levels')
    }
  })

  test.each([40, 100])(
    'the first error of a value with %i levels is reported in the order of the text',
    async levels => {
      let deep: unknown = { S: 'x' }
      for (let i = 0; i < levels; i++) deep = i % 2 ? { M: { a: deep } } : { L: [deep] }
      const bad = { N: 'abc' }
      const NOT_NUMERIC = 'The parameter cannot be converted to a numeric value: abc'
      for (const [value, fault] of [
        [{ M: { bad, deep } }, NOT_NUMERIC],
        [{ M: { in: { L: [{ NULL: true }, bad, deep] } } }, NOT_NUMERIC],
        [{ M: { deep, bad } }, 'Nesting Levels'],
        [{ L: [deep, bad] }, 'Nesting Levels'],
      ] as [never, string][]) {
        const Statement = `SELECT * FROM abc WHERE pk = ?`
        await expect(memory().executeStatement({ Statement, Parameters: [value] })).rejects.toThrow(fault)
        const Put = { TableName: 'abc', Item: { pk: value } }
        await expect(memory().transactWriteItems({ TransactItems: [{ Put }] })).rejects.toThrow(fault)
      }
    },
  )

  test('62 levels pass the shape check and are rejected with the values', () => {
    let value: unknown = { S: 'x' }
    for (let i = 0; i < 62; i++) value = { M: { a: value } }
    expect(refusal('PutItem', item(value))).toBeUndefined()
  })

  test('a circular value is rejected', () => {
    const value: { M: Record<string, unknown> } = { M: {} }
    value.M.a = value
    value.M.b = value
    expect(message('PutItem', item(value))).toContain('Nesting Levels')
  })
})
