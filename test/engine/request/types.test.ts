import { describe, expect, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { message, refusal } from './refusal.js'

const CAST =
  "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class (sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader 'bootstrap')"
const STRUCTURE = 'Start of structure or map found where not expected'
const CLASSES = 'com.amazonaws.dynamodb.v20120810'
const MAP_OF_VALUES = `Unrecognized collection type java.util.Map<java.lang.String, ${CLASSES}.AttributeValue>`

const item = (value: unknown) => ({ TableName: 'abc', Item: { a: value } })

describe('a member of the wrong type', () => {
  test('is a SerializationException', () => {
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
  ])('for text: %o', (value, expected) => {
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
  ])('for a boolean: %o', (value, expected) => {
    expect(message('GetItem', { ConsistentRead: value })).toBe(expected)
    expect(message('PutItem', item({ BOOL: value }))).toBe(expected)
    expect(message('PutItem', item({ NULL: value }))).toBe(expected)
  })

  test.each([
    ['23', 'STRING_VALUE cannot be converted to '],
    [true, 'TRUE_VALUE cannot be converted to '],
    [false, 'FALSE_VALUE cannot be converted to '],
    [[], 'Unrecognized collection type class java.lang.'],
  ])('for a number: %o', (value, expected) => {
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
  ])('for binary: %o', (value, expected) => {
    expect(message('PutItem', item({ B: value }))).toBe(expected)
    expect(message('PutItem', item({ BS: [value] }))).toBe(expected)
  })

  test.each([
    ['23', 'Unexpected field type'],
    [true, 'Unexpected field type'],
    [23, 'Unexpected field type'],
    [{}, STRUCTURE],
  ])('for a list: %o', (value, expected) => {
    expect(message('CreateTable', { KeySchema: value })).toBe(expected)
    expect(message('PutItem', item({ L: value }))).toBe(expected)
    expect(message('PutItem', item({ NS: value }))).toBe(expected)
  })

  test.each([
    ['23', 'Unexpected field type'],
    [23, 'Unexpected field type'],
    [[], MAP_OF_VALUES],
  ])('for a map of values: %o', (value, expected) => {
    expect(message('GetItem', { Key: value })).toBe(expected)
    expect(message('PutItem', item({ M: value }))).toBe(expected)
  })

  test('for maps of other things names what they hold', () => {
    expect(message('GetItem', { ExpressionAttributeNames: [] })).toBe(
      'Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>',
    )
    expect(message('BatchWriteItem', { RequestItems: [] })).toBe(
      `Unrecognized collection type java.util.Map<java.lang.String, java.util.List<${CLASSES}.WriteRequest>>`,
    )
  })

  test('for a structure has other words as a field than as a part of a list or map', () => {
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

  test('for a list or map that is a part of another lets the failed cast show', () => {
    expect(message('BatchGetItem', { RequestItems: { abc: { Keys: ['x'] } } })).toBe(CAST)
    expect(message('BatchGetItem', { RequestItems: { abc: { Keys: [[]] } } })).toBe(MAP_OF_VALUES)
    expect(message('BatchWriteItem', { RequestItems: { abc: 1 } })).toBe(CAST)
    expect(message('BatchWriteItem', { RequestItems: { abc: {} } })).toBe(STRUCTURE)
  })

  test('is found before any violation of the model', () => {
    expect(message('GetItem', { TableName: '', ConsistentRead: 1 })).toBe('NUMBER_VALUE cannot be converted to Boolean')
  })
})

describe('what is no fault', () => {
  test.each([undefined, null])('a member that is %o counts as absent', absent => {
    const request = { TableName: 'abc', Item: { a: { S: 'x', N: absent } }, ReturnValues: absent }
    expect(refusal('PutItem', request)).toBeUndefined()
    expect(message('PutItem', { TableName: 'abc', Item: absent })).toContain("Value null at 'item'")
  })

  test('members that the model does not know are ignored', () => {
    expect(refusal('GetItem', { TableName: 'abc', Key: { a: { S: 'x', Z: 1 } }, Nonsense: 1 })).toBeUndefined()
  })

  test('a request that is not there is an empty one', () => {
    expect(refusal('ListTables', undefined)).toBeUndefined()
    expect(message('DescribeTable', undefined)).toContain('is required but was not present')
  })

  test('bytes of another realm or of a subclass are bytes', () => {
    expect(refusal('PutItem', item({ B: Buffer.from('x') }))).toBeUndefined()
    expect(refusal('PutItem', item({ BS: [new Uint8Array(0)] }))).toBeUndefined()
  })
})

describe('sets and depth within values', () => {
  test('a null in a set is left to the checks of values, and one in any other list is refused', () => {
    for (const set of [{ SS: ['a', null] }, { NS: [null] }, { BS: [null] }])
      expect(refusal('PutItem', item(set))).toBeUndefined()
    expect(refusal('GetItem', { TableName: 'abc', Key: { a: { S: 'x' } }, AttributesToGet: [null] })?.name).toBe(
      'SerializationException',
    )
  })

  test.each([63, 100_000])('%i levels are refused without overflowing the stack', levels => {
    let value: unknown = { S: 'x' }
    for (let i = 0; i < levels; i++) value = i % 2 ? { M: { a: value } } : { L: [value] }
    expect(refusal('PutItem', item(value))).toEqual({
      name: 'ValidationException',
      message:
        'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit',
    })
  })

  test('an operation on many items leaves even deeper values to the checks of values', () => {
    let value: unknown = { S: 'x' }
    for (let i = 0; i < 100_000; i++) value = i % 2 ? { M: { a: value } } : { L: [value] }
    const Put = { TableName: 'abc', Item: { a: value } }
    expect(refusal('TransactWriteItems', { TransactItems: [{ Put }] })).toBeUndefined()
    expect(refusal('BatchWriteItem', { RequestItems: { abc: [{ PutRequest: { Item: Put.Item } }] } })).toBeUndefined()
  })

  test('what stands beside a value that nests too deep is not looked at', async () => {
    let deep: unknown = { S: 'x' }
    for (let i = 0; i < 100; i++) deep = { M: { a: deep } }
    for (const beside of [{ S: 5 }, { NS: 'x' }, { M: 'x' }, { SS: [5] }]) {
      const Put = { TableName: 'abc', Item: { pk: { M: { beside, deep } } } } as never
      await expect(memory().transactWriteItems({ TransactItems: [{ Put }] })).rejects.toThrow('Nesting Levels')
    }
  })

  test.each([40, 100])('of a value of %i levels the first fault in the order of writing is told', async levels => {
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
  })

  test('62 levels pass here, and are for the checks of values to refuse', () => {
    let value: unknown = { S: 'x' }
    for (let i = 0; i < 62; i++) value = { M: { a: value } }
    expect(refusal('PutItem', item(value))).toBeUndefined()
  })

  test('a value that contains itself is refused', () => {
    const value: { M: Record<string, unknown> } = { M: {} }
    value.M.a = value
    value.M.b = value
    expect(message('PutItem', item(value))).toContain('Nesting Levels')
  })
})
