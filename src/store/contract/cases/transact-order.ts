import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { NESTING_LEVELS, REQUEST_NESTING_LEVELS } from '../../../dynamodb/limits.js'
import type { TransactWriteItem } from '../../../dynamodb/operations/transactions.js'
import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { invalid } from '../expect.js'

const TOO_DEEP =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'
const NAME_EMPTY = 'Empty attribute name'
const UNREADABLE = 'Invalid ConditionExpression: Syntax error; token: "=", near: "= = b"'

function deep(levels: number): AttributeValue {
  let value: AttributeValue = { S: 'leaf' }
  for (let i = 0; i < levels; i++) value = { M: { n: value } }
  return value
}
const TOO_DEEP_TO_STORE = deep(NESTING_LEVELS + 1)
const TOO_DEEP_TO_READ = deep(REQUEST_NESTING_LEVELS + 1)

/** Nothing but the request itself can be told of, since there is no table. */
const TableName = 'contract_no_such_table'
const put = (attributes: Item): TransactWriteItem => ({ Put: { TableName, Item: { pk: { S: 'a' }, ...attributes } } })
const remove = (pk: AttributeValue, ConditionExpression?: string): TransactWriteItem => ({
  Delete: { TableName, Key: { pk }, ...(ConditionExpression !== undefined && { ConditionExpression }) },
})

const refuses = (bench: Bench, message: string | RegExp, ...TransactItems: TransactWriteItem[]) =>
  invalid(bench.store.transactWriteItems({ TransactItems }), message)

/** What a transaction with several things wrong is refused for. */
export const transactOrderCases = cases('transactWriteItems', {
  'actions are looked at one after the other, however deep a value in a later one': async bench => {
    const nameless = put({ '': { S: 'x' } })
    const unreadable = remove({ S: 'a' }, 'a = = b')
    const value = {
      ConditionCheck: {
        ...{ TableName, Key: { pk: { S: 'b' } }, ConditionExpression: 'd = :d' },
        ExpressionAttributeValues: { ':d': TOO_DEEP_TO_READ },
      },
    }
    await refuses(bench, NAME_EMPTY, nameless, put({ d: TOO_DEEP_TO_READ }))
    await refuses(bench, NAME_EMPTY, nameless, value)
    await refuses(bench, UNREADABLE, unreadable, remove(TOO_DEEP_TO_READ))
    await refuses(bench, TOO_DEEP, put({ d: TOO_DEEP_TO_STORE }), nameless)
    await refuses(bench, TOO_DEEP, remove(TOO_DEEP_TO_READ), unreadable)
    await refuses(bench, /Nesting Levels have exceeded supported limits/, value, nameless)
  },
  'an entry without an action, or with two, is told of in its turn': async bench => {
    const nameless = put({ '': { S: 'x' } })
    await refuses(bench, NAME_EMPTY, nameless, {})
    await refuses(bench, NAME_EMPTY, nameless, { ...put({}), ...remove({ S: 'b' }) })
    await refuses(bench, /should contain Delete or Put or Update request$/, {}, nameless)
  },
  'the condition of an action is looked at before its key': async bench => {
    await refuses(bench, UNREADABLE, remove(TOO_DEEP_TO_READ, 'a = = b'))
  },
  'a value that nests too deep goes after an empty name of the item, and before one within a value': async bench => {
    await refuses(bench, NAME_EMPTY, put({ d: TOO_DEEP_TO_READ, '': { S: 'x' } }))
    await refuses(bench, TOO_DEEP, put({ m: { M: { '': { S: 'x' } } }, d: TOO_DEEP_TO_STORE }))
  },
})
