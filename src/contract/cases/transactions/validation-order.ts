import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { NESTING_LEVELS, REQUEST_NESTING_LEVELS } from '../../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../../dynamodb/operation-types.js'
import { expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import type { TestBench } from '../../test-bench.js'

const TOO_DEEP =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'
const NAME_EMPTY = 'Empty attribute name'
const UNREADABLE = 'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"'

function nestedValue(levels: number): AttributeValue {
  let value: AttributeValue = { S: 'leaf' }
  for (let i = 0; i < levels; i++) value = { M: { n: value } }
  return value
}
const TOO_DEEP_TO_STORE = nestedValue(NESTING_LEVELS + 1)
const TOO_DEEP_TO_READ = nestedValue(REQUEST_NESTING_LEVELS + 1)

/** The table does not exist, so errors can only concern the request itself. */
const TableName = 'contract_no_such_table'
const putInTransaction = (attributes: Item): TransactWriteItem => ({
  Put: { TableName, Item: { pk: { S: 'a' }, ...attributes } },
})
const deleteInTransaction = (pk: AttributeValue, ConditionExpression?: string): TransactWriteItem => ({
  Delete: { TableName, Key: { pk }, ...(ConditionExpression !== undefined && { ConditionExpression }) },
})

const expectInvalid = (bench: TestBench, message: string | RegExp, ...TransactItems: TransactWriteItem[]) =>
  expectValidationError(bench.store.transactWriteItems({ TransactItems }), message)

/** Cases of the reported error of a transaction with several errors. */
export const transactOrderCases = defineCases('transactWriteItems', {
  'actions are validated in order, even before a too deep value of a later action': async bench => {
    const nameless = putInTransaction({ '': { S: 'x' } })
    const unreadable = deleteInTransaction({ S: 'a' }, 'a = = b')
    const value = {
      ConditionCheck: {
        ...{ TableName, Key: { pk: { S: 'b' } }, ConditionExpression: 'd = :d' },
        ExpressionAttributeValues: { ':d': TOO_DEEP_TO_READ },
      },
    }
    await expectInvalid(bench, NAME_EMPTY, nameless, putInTransaction({ d: TOO_DEEP_TO_READ }))
    await expectInvalid(bench, NAME_EMPTY, nameless, value)
    await expectInvalid(bench, UNREADABLE, unreadable, deleteInTransaction(TOO_DEEP_TO_READ))
    await expectInvalid(bench, TOO_DEEP, putInTransaction({ d: TOO_DEEP_TO_STORE }), nameless)
    await expectInvalid(bench, TOO_DEEP, deleteInTransaction(TOO_DEEP_TO_READ), unreadable)
    await expectInvalid(bench, /Nesting Levels have exceeded supported limits/, value, nameless)
  },
  'an entry without an action, or with two, is reported in order': async bench => {
    const nameless = putInTransaction({ '': { S: 'x' } })
    await expectInvalid(bench, NAME_EMPTY, nameless, {})
    await expectInvalid(bench, NAME_EMPTY, nameless, { ...putInTransaction({}), ...deleteInTransaction({ S: 'b' }) })
    await expectInvalid(bench, /should contain Delete or Put or Update request$/, {}, nameless)
  },
  'the condition of an action is validated before its key': async bench => {
    await expectInvalid(bench, UNREADABLE, deleteInTransaction(TOO_DEEP_TO_READ, 'a = = b'))
  },
  'a too deep value is reported after an empty attribute name, and before an empty name in a value': async bench => {
    await expectInvalid(bench, NAME_EMPTY, putInTransaction({ d: TOO_DEEP_TO_READ, '': { S: 'x' } }))
    await expectInvalid(bench, TOO_DEEP, putInTransaction({ m: { M: { '': { S: 'x' } } }, d: TOO_DEEP_TO_STORE }))
  },
})
