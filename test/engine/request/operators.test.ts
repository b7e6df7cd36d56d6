import { expect, test } from 'vitest'
import { failed, message, missing, together } from './refusal.js'

const key = { pk: { S: 'a' } }

test('unknown operators and actions are reported with their own messages, which name no value', () => {
  const compared = { a: { ComparisonOperator: 'DOG', AttributeValueList: [{ S: 'x' }] } }
  const operator = 'One or more parameter values were invalid: Invalid comparison operator'
  expect(message('Query', { TableName: 'abc', KeyConditions: compared })).toBe(operator)
  expect(message('Query', { TableName: 'abc', QueryFilter: compared })).toBe(operator)
  for (const operation of ['PutItem', 'UpdateItem', 'DeleteItem'] as const) {
    const request = { TableName: 'abc', Item: key, Key: key, Expected: compared }
    expect(message(operation, request)).toBe(together(operator))
  }
  const updates = { a: { Action: 'DOG', Value: { S: 'x' } } }
  expect(message('UpdateItem', { TableName: 'abc', Key: key, AttributeUpdates: updates })).toBe(
    together("Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"),
  )
})

test('unknown operators are reported by the older validator if the request is incomplete', () => {
  const compared = { a: {}, b: { ComparisonOperator: 'DOG' } }
  const operators = '[IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]'
  const of = (member: string) => [
    missing(`${member}.a.member.comparisonOperator`),
    failed('DOG', `${member}.b.member.comparisonOperator`, `Member must satisfy enum value set: ${operators}`),
  ]
  expect(message('Query', { TableName: 'abc', KeyConditions: compared })).toBe(together(...of('keyConditions')))
  expect(message('Query', { TableName: 'abc', QueryFilter: compared })).toBe(together(...of('queryFilter')))
  expect(message('Scan', { TableName: 'abc', ScanFilter: compared })).toBe(together(...of('scanFilter')))
  expect(message('Scan', { ScanFilter: { b: compared.b } })).toBe(together(missing('tableName'), of('scanFilter')[1]!))
})
