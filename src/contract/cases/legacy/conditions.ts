import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type {
  ComparisonOperator,
  ConditionalOperator,
  ExpectedAttributeValue,
} from '../../../dynamodb/operation-types.js'
import { expectEqual, expectInvalidRequest, expectRejection, expectValidationError } from '../../assertions.js'
import { type ContractCase, defineCases } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'
import { binaryValue, LONG_NAME, LONG_NAME_MESSAGE, numericValue, stringValue } from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

const WRITES = ['putItem', 'updateItem', 'deleteItem'] as const
type WriteOperation = (typeof WRITES)[number]
type ExpectedConditions = Record<string, ExpectedAttributeValue>

const ATTRIBUTES: Item = {
  count: numericValue(5),
  name: stringValue('middle'),
  bytes: binaryValue(1, 2, 3),
  tags: { SS: ['a', 'b'] },
  list: { L: [numericValue(1), stringValue('x')] },
  flag: { BOOL: true },
  none: { NULL: true },
}

/** Evaluates a legacy condition by one of the write operations on an existing item. */
class ExpectedTrial {
  constructor(
    private readonly trial: ItemTrial,
    private readonly write: WriteOperation,
  ) {}

  async isMet(Expected: ExpectedConditions, join?: ConditionalOperator): Promise<boolean> {
    try {
      await this.send(Expected, join)
    } catch (error) {
      if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
      return false
    }
    if (this.write === 'deleteItem') await this.trial.put(ATTRIBUTES)
    return true
  }

  async expectInvalid(Expected: ExpectedConditions, message: string): Promise<void> {
    await expectInvalidRequest(this.send(Expected), `One or more parameter values were invalid: ${message}`)
  }

  send(
    Expected: ExpectedConditions | undefined,
    ConditionalOperator?: ConditionalOperator,
    more = {},
  ): Promise<unknown> {
    const { store, TableName, Key } = this.trial
    const request = { TableName, Expected, ConditionalOperator, ...more }
    if (this.write === 'putItem') return store.putItem({ ...request, Item: this.trial.item(ATTRIBUTES) })
    return store[this.write]({ ...request, Key })
  }
}

function defineForEveryWrite(sentences: Record<string, (trial: ExpectedTrial) => Promise<void>>): ContractCase[] {
  return WRITES.flatMap(write => {
    const runs = Object.entries(sentences).map(([sentence, run]) => [
      sentence,
      async (bench: TestBench) => run(new ExpectedTrial(await ItemTrial.of(bench, ATTRIBUTES), write)),
    ])
    return defineCases(write, Object.fromEntries(runs))
  })
}

const expectedCondition = (
  name: string,
  operator: ComparisonOperator,
  ...values: AttributeValue[]
): ExpectedConditions => ({
  [name]: { ComparisonOperator: operator, ...(values.length > 0 && { AttributeValueList: values }) },
})

/** Conditions that hold for the item, and the same conditions with other values, which do not hold. */
const COMPARISONS: readonly (readonly [ComparisonOperator, string, AttributeValue[], AttributeValue[]])[] = [
  ['EQ', 'count', [numericValue('5.0')], [numericValue(6)]],
  ['EQ', 'tags', [{ SS: ['b', 'a'] }], [{ SS: ['a'] }]],
  ['EQ', 'list', [{ L: [numericValue(1), stringValue('x')] }], [{ L: [stringValue('x'), numericValue(1)] }]],
  ['NE', 'name', [stringValue('other')], [stringValue('middle')]],
  ['NE', 'missing', [stringValue('middle')], []],
  ['LE', 'count', [numericValue(5)], [numericValue(4)]],
  ['LT', 'count', [numericValue(6)], [numericValue(5)]],
  ['GE', 'name', [stringValue('middle')], [stringValue('z')]],
  ['GT', 'bytes', [binaryValue(1, 2)], [binaryValue(1, 2, 3)]],
  ['BETWEEN', 'count', [numericValue(5), numericValue(7)], [numericValue(6), numericValue(7)]],
  ['BEGINS_WITH', 'name', [stringValue('mid')], [stringValue('id')]],
  ['BEGINS_WITH', 'bytes', [binaryValue(1)], [binaryValue(2)]],
  ['CONTAINS', 'name', [stringValue('iddl')], [stringValue('x')]],
  ['CONTAINS', 'tags', [stringValue('a')], [stringValue('c')]],
  ['CONTAINS', 'list', [numericValue(1)], [numericValue(2)]],
  ['NOT_CONTAINS', 'name', [stringValue('x')], [stringValue('iddl')]],
  ['NOT_CONTAINS', 'tags', [stringValue('c')], [stringValue('a')]],
  ['IN', 'name', [stringValue('x'), stringValue('middle')], [stringValue('x')]],
]

const SCALARS_ONLY = ['LE', 'LT', 'GE', 'GT', 'IN'] as const

const everyWrite = defineForEveryWrite({
  'Expected supports every comparison operator': async trial => {
    for (const [operator, name, holding, failing] of COMPARISONS) {
      expectEqual(
        [operator, name, await trial.isMet(expectedCondition(name, operator, ...holding))],
        [operator, name, true],
      )
      if (failing.length === 0) continue
      expectEqual(
        [operator, name, await trial.isMet(expectedCondition(name, operator, ...failing))],
        [operator, name, false],
      )
    }
  },

  'Expected tests whether an attribute exists': async trial => {
    expectEqual(await trial.isMet(expectedCondition('none', 'NOT_NULL')), true)
    expectEqual(await trial.isMet(expectedCondition('missing', 'NOT_NULL')), false)
    expectEqual(await trial.isMet(expectedCondition('missing', 'NULL')), true)
    expectEqual(await trial.isMet(expectedCondition('none', 'NULL')), false)
    expectEqual(await trial.isMet(expectedCondition('missing', 'NOT_CONTAINS', stringValue('x'))), false)
  },

  'a value of another type is neither equal nor ordered': async trial => {
    expectEqual(await trial.isMet(expectedCondition('count', 'EQ', stringValue('5'))), false)
    expectEqual(await trial.isMet(expectedCondition('count', 'LT', stringValue('z'))), false)
    expectEqual(await trial.isMet(expectedCondition('count', 'NE', stringValue('5'))), true)
  },

  'the oldest form of Expected is a value, or the absence of the attribute': async trial => {
    expectEqual(await trial.isMet({ count: { Value: numericValue(5) } }), true)
    expectEqual(await trial.isMet({ count: { Value: numericValue(5), Exists: true } }), true)
    expectEqual(await trial.isMet({ count: { Value: numericValue(6) } }), false)
    expectEqual(await trial.isMet({ missing: { Exists: false } }), true)
    expectEqual(await trial.isMet({ count: { Exists: false } }), false)
    expectEqual(await trial.isMet({ count: { ComparisonOperator: 'LT', Value: numericValue(6) } }), true)
  },

  'every condition of Expected must hold, or at least one under OR': async trial => {
    const both = { ...expectedCondition('count', 'EQ', numericValue(5)), ...expectedCondition('missing', 'NOT_NULL') }
    expectEqual(await trial.isMet(both), false)
    expectEqual(await trial.isMet(both, 'AND'), false)
    expectEqual(await trial.isMet(both, 'OR'), true)
    expectEqual(await trial.isMet({}), true)
  },

  'a dot in an attribute name of Expected belongs to the name': async trial => {
    expectEqual(await trial.isMet(expectedCondition('list.0', 'NULL')), true)
  },

  'ConditionalOperator requires two conditions': async trial => {
    const none = 'ConditionalOperator cannot be used without Filter or Expected'
    const one = 'ConditionalOperator can only be used when Filter or Expected has two or more elements'
    await expectInvalidRequest(trial.send(undefined, 'OR'), none)
    await expectInvalidRequest(trial.send({}, 'OR'), none)
    await expectInvalidRequest(trial.send(expectedCondition('count', 'NOT_NULL'), 'AND'), one)
  },

  'Expected together with a condition expression is rejected': async trial => {
    const mixed = (legacy: string) =>
      'Can not use both expression and non-expression parameters in the same request: ' +
      `Non-expression parameters: {${legacy}} Expression parameters: {ConditionExpression}`
    const more = { ConditionExpression: 'attribute_exists(flag)' }
    await expectInvalidRequest(trial.send(expectedCondition('count', 'NOT_NULL'), undefined, more), mixed('Expected'))
    await expectInvalidRequest(
      trial.send(expectedCondition('count', 'NOT_NULL'), 'OR', more),
      mixed('Expected, ConditionalOperator'),
    )
    await expectInvalidRequest(trial.send(undefined, 'OR', more), mixed('ConditionalOperator'))
  },

  'a wrong number of values for an operator of Expected is rejected': async trial => {
    const count = (operator: string) => `Invalid number of argument(s) for the ${operator} ComparisonOperator`
    for (const operator of ['EQ', 'NE', ...SCALARS_ONLY.slice(0, 4), 'CONTAINS', 'NOT_CONTAINS'] as const) {
      await trial.expectInvalid({ a: { ComparisonOperator: operator, AttributeValueList: [] } }, count(operator))
      await trial.expectInvalid(expectedCondition('a', operator, stringValue('x'), stringValue('y')), count(operator))
    }
    await trial.expectInvalid(
      expectedCondition('a', 'BEGINS_WITH', stringValue('x'), stringValue('y')),
      count('BEGINS_WITH'),
    )
    await trial.expectInvalid(expectedCondition('a', 'BETWEEN', stringValue('x')), count('BETWEEN'))
    await trial.expectInvalid({ a: { ComparisonOperator: 'IN', AttributeValueList: [] } }, count('IN'))
    await trial.expectInvalid(expectedCondition('a', 'NULL', stringValue('x')), count('NULL'))
    await trial.expectInvalid({ a: { ComparisonOperator: 'NOT_NULL', Value: stringValue('x') } }, count('NOT_NULL'))
  },

  'an operator of Expected requires values of supported types': async trial => {
    const type = (operator: string, name: string) =>
      `ComparisonOperator ${operator} is not valid for ${name} AttributeValue type`
    for (const operator of SCALARS_ONLY)
      await trial.expectInvalid(expectedCondition('a', operator, { BOOL: true }), type(operator, 'BOOL'))
    await trial.expectInvalid(expectedCondition('a', 'BEGINS_WITH', numericValue(1)), type('BEGINS_WITH', 'N'))
    await trial.expectInvalid(expectedCondition('a', 'CONTAINS', { SS: ['x'] }), type('CONTAINS', 'SS'))
    await trial.expectInvalid(expectedCondition('a', 'NOT_CONTAINS', { L: [] }), type('NOT_CONTAINS', 'L'))
    await trial.expectInvalid(expectedCondition('a', 'IN', stringValue('x'), { M: {} }), type('IN', 'M'))
    const mixed = 'AttributeValues inside AttributeValueList must be of same type'
    await trial.expectInvalid(expectedCondition('a', 'IN', stringValue('x'), numericValue(1)), mixed)
    await trial.expectInvalid(expectedCondition('a', 'BETWEEN', stringValue('x'), numericValue(1)), mixed)
  },

  'bounds of Expected in the wrong order are rejected': async trial => {
    await expectInvalidRequest(
      trial.send(expectedCondition('a', 'BETWEEN', numericValue(2), numericValue(1))),
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    )
  },

  'contradictory members of Expected are rejected': async trial => {
    const a = (given: ExpectedAttributeValue) => ({ a: given })
    const list = { AttributeValueList: [stringValue('x')] }
    const of = ' for Attribute: a'
    await trial.expectInvalid(a({}), `Value must be provided when Exists is null${of}`)
    await trial.expectInvalid(a({ Exists: true }), `Value must be provided when Exists is true${of}`)
    await trial.expectInvalid(
      a({ Exists: false, Value: stringValue('x') }),
      `Value cannot be used when Exists is false${of}`,
    )
    await trial.expectInvalid(
      a({ ...list, Value: stringValue('x') }),
      `Value and AttributeValueList cannot be used together${of}`,
    )
    await trial.expectInvalid(a({ ...list }), `AttributeValueList can only be used with a ComparisonOperator${of}`)
    const both = { Exists: true, ComparisonOperator: 'EQ', Value: stringValue('x'), ...list } as const
    await trial.expectInvalid(a(both), `Exists and ComparisonOperator cannot be used together${of}`)
    const needed = 'Value or AttributeValueList must be used with ComparisonOperator'
    await trial.expectInvalid(a({ ComparisonOperator: 'EQ' }), `${needed}: EQ${of}`)
    await trial.expectInvalid(a({ ComparisonOperator: 'IN' }), `${needed}: IN${of}`)
  },

  'values of Expected are validated like all values': async trial => {
    await expectInvalidRequest(
      trial.send({ a: { Value: { N: 'five' } } }),
      'The parameter cannot be converted to a numeric value: five',
    )
    await trial.expectInvalid(
      expectedCondition('a', 'EQ', { NULL: false }),
      'Null attribute value types must have the value of true',
    )
    await expectInvalidRequest(trial.send({ '': { Exists: false } }), 'Empty attribute name')
    await expectInvalidRequest(trial.send({ [LONG_NAME]: { Exists: false } }), LONG_NAME_MESSAGE)
    await expectValidationError(
      trial.send({ a: { Value: {} as never } }),
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    )
  },
})

const otherCases = defineCases('putItem', {
  'Expected is evaluated on a missing item': async bench => {
    const trial = await ItemTrial.of(bench)
    const put = (Expected: ExpectedConditions) =>
      bench.store.putItem({ TableName: trial.TableName, Item: trial.item({ count: numericValue(1) }), Expected })
    await expectRejection(put({ pk: { Value: trial.Key.pk! } }), 'ConditionalCheckFailedException')
    await put({ pk: { Exists: false } })
    const error = await expectRejection(put({ pk: { Exists: false } }), 'ConditionalCheckFailedException')
    expectEqual([error.message, error.Item], ['The conditional request failed', undefined])
  },

  'a failed Expected can return the item': async bench => {
    const { store, TableName, Key } = await ItemTrial.of(bench, { count: numericValue(1) })
    const request = { TableName, Key, Expected: { count: { Exists: false } } }
    const error = await expectRejection(
      store.deleteItem({ ...request, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      'ConditionalCheckFailedException',
    )
    expectEqual(error.Item, { ...Key, count: numericValue(1) })
  },
})

/** Cases of legacy conditions of writes. */
export const legacyConditionCases = [...everyWrite, ...otherCases]
