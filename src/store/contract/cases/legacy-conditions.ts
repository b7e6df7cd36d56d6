import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type {
  ComparisonOperator,
  ConditionalOperator,
  ExpectedAttributeValue,
} from '../../../dynamodb/operations/conditions.js'
import type { Bench } from '../bench.js'
import { type ContractCase, cases } from '../case.js'
import { invalid, invalidRequest, refused, same } from '../expect.js'
import { binary, NAME_TOO_LONG, number, TOO_LONG, text } from './reading.js'
import { Trial } from './trial.js'

const WRITES = ['putItem', 'updateItem', 'deleteItem'] as const
type Write = (typeof WRITES)[number]
type Expected = Record<string, ExpectedAttributeValue>

const ATTRIBUTES: Item = {
  count: number(5),
  name: text('middle'),
  bytes: binary(1, 2, 3),
  tags: { SS: ['a', 'b'] },
  list: { L: [number(1), text('x')] },
  flag: { BOOL: true },
  none: { NULL: true },
}

/** A condition from before expressions, tried by one of the writes on an item that is there already. */
class ExpectedTrial {
  constructor(
    private readonly trial: Trial,
    private readonly write: Write,
  ) {}

  async holds(Expected: Expected, join?: ConditionalOperator): Promise<boolean> {
    try {
      await this.send(Expected, join)
    } catch (error) {
      if ((error as Error).name !== 'ConditionalCheckFailedException') throw error
      return false
    }
    if (this.write === 'deleteItem') await this.trial.put(ATTRIBUTES)
    return true
  }

  async refuses(Expected: Expected, message: string): Promise<void> {
    await invalidRequest(this.send(Expected), `One or more parameter values were invalid: ${message}`)
  }

  send(Expected: Expected | undefined, ConditionalOperator?: ConditionalOperator, more = {}): Promise<unknown> {
    const { store, TableName, Key } = this.trial
    const request = { TableName, Expected, ConditionalOperator, ...more }
    if (this.write === 'putItem') return store.putItem({ ...request, Item: this.trial.item(ATTRIBUTES) })
    return store[this.write]({ ...request, Key })
  }
}

function ofEveryWrite(sentences: Record<string, (trial: ExpectedTrial) => Promise<void>>): ContractCase[] {
  return WRITES.flatMap(write => {
    const runs = Object.entries(sentences).map(([sentence, run]) => [
      sentence,
      async (bench: Bench) => run(new ExpectedTrial(await Trial.of(bench, ATTRIBUTES), write)),
    ])
    return cases(write, Object.fromEntries(runs))
  })
}

const asks = (name: string, operator: ComparisonOperator, ...values: AttributeValue[]): Expected => ({
  [name]: { ComparisonOperator: operator, ...(values.length > 0 && { AttributeValueList: values }) },
})

/** Conditions that hold for the item, and the same asked of other values, for which they do not. */
const COMPARISONS: readonly (readonly [ComparisonOperator, string, AttributeValue[], AttributeValue[]])[] = [
  ['EQ', 'count', [number('5.0')], [number(6)]],
  ['EQ', 'tags', [{ SS: ['b', 'a'] }], [{ SS: ['a'] }]],
  ['EQ', 'list', [{ L: [number(1), text('x')] }], [{ L: [text('x'), number(1)] }]],
  ['NE', 'name', [text('other')], [text('middle')]],
  ['NE', 'missing', [text('middle')], []],
  ['LE', 'count', [number(5)], [number(4)]],
  ['LT', 'count', [number(6)], [number(5)]],
  ['GE', 'name', [text('middle')], [text('z')]],
  ['GT', 'bytes', [binary(1, 2)], [binary(1, 2, 3)]],
  ['BETWEEN', 'count', [number(5), number(7)], [number(6), number(7)]],
  ['BEGINS_WITH', 'name', [text('mid')], [text('id')]],
  ['BEGINS_WITH', 'bytes', [binary(1)], [binary(2)]],
  ['CONTAINS', 'name', [text('iddl')], [text('x')]],
  ['CONTAINS', 'tags', [text('a')], [text('c')]],
  ['CONTAINS', 'list', [number(1)], [number(2)]],
  ['NOT_CONTAINS', 'name', [text('x')], [text('iddl')]],
  ['NOT_CONTAINS', 'tags', [text('c')], [text('a')]],
  ['IN', 'name', [text('x'), text('middle')], [text('x')]],
]

const SCALARS_ONLY = ['LE', 'LT', 'GE', 'GT', 'IN'] as const

const everyWrite = ofEveryWrite({
  'Expected compares an attribute with values by each of its operators': async trial => {
    for (const [operator, name, holding, failing] of COMPARISONS) {
      same([operator, name, await trial.holds(asks(name, operator, ...holding))], [operator, name, true])
      if (failing.length === 0) continue
      same([operator, name, await trial.holds(asks(name, operator, ...failing))], [operator, name, false])
    }
  },

  'Expected asks whether an attribute is there': async trial => {
    same(await trial.holds(asks('none', 'NOT_NULL')), true)
    same(await trial.holds(asks('missing', 'NOT_NULL')), false)
    same(await trial.holds(asks('missing', 'NULL')), true)
    same(await trial.holds(asks('none', 'NULL')), false)
    same(await trial.holds(asks('missing', 'NOT_CONTAINS', text('x'))), false)
  },

  'a value of another type is neither equal nor in any order': async trial => {
    same(await trial.holds(asks('count', 'EQ', text('5'))), false)
    same(await trial.holds(asks('count', 'LT', text('z'))), false)
    same(await trial.holds(asks('count', 'NE', text('5'))), true)
  },

  'the oldest form of Expected is a value, or that there is none': async trial => {
    same(await trial.holds({ count: { Value: number(5) } }), true)
    same(await trial.holds({ count: { Value: number(5), Exists: true } }), true)
    same(await trial.holds({ count: { Value: number(6) } }), false)
    same(await trial.holds({ missing: { Exists: false } }), true)
    same(await trial.holds({ count: { Exists: false } }), false)
    same(await trial.holds({ count: { ComparisonOperator: 'LT', Value: number(6) } }), true)
  },

  'all that is expected must hold, or any of it under OR': async trial => {
    const both = { ...asks('count', 'EQ', number(5)), ...asks('missing', 'NOT_NULL') }
    same(await trial.holds(both), false)
    same(await trial.holds(both, 'AND'), false)
    same(await trial.holds(both, 'OR'), true)
    same(await trial.holds({}), true)
  },

  'a dot in a name of Expected is a part of the name': async trial => {
    same(await trial.holds(asks('list.0', 'NULL')), true)
  },

  'ConditionalOperator needs two conditions to join': async trial => {
    const none = 'ConditionalOperator cannot be used without Filter or Expected'
    const one = 'ConditionalOperator can only be used when Filter or Expected has two or more elements'
    await invalidRequest(trial.send(undefined, 'OR'), none)
    await invalidRequest(trial.send({}, 'OR'), none)
    await invalidRequest(trial.send(asks('count', 'NOT_NULL'), 'AND'), one)
  },

  'Expected does not go together with a condition expression': async trial => {
    const mixed = (legacy: string) =>
      'Can not use both expression and non-expression parameters in the same request: ' +
      `Non-expression parameters: {${legacy}} Expression parameters: {ConditionExpression}`
    const more = { ConditionExpression: 'attribute_exists(flag)' }
    await invalidRequest(trial.send(asks('count', 'NOT_NULL'), undefined, more), mixed('Expected'))
    await invalidRequest(trial.send(asks('count', 'NOT_NULL'), 'OR', more), mixed('Expected, ConditionalOperator'))
    await invalidRequest(trial.send(undefined, 'OR', more), mixed('ConditionalOperator'))
  },

  'an operator of Expected takes so many values, and says so': async trial => {
    const count = (operator: string) => `Invalid number of argument(s) for the ${operator} ComparisonOperator`
    for (const operator of ['EQ', 'NE', ...SCALARS_ONLY.slice(0, 4), 'CONTAINS', 'NOT_CONTAINS'] as const) {
      await trial.refuses({ a: { ComparisonOperator: operator, AttributeValueList: [] } }, count(operator))
      await trial.refuses(asks('a', operator, text('x'), text('y')), count(operator))
    }
    await trial.refuses(asks('a', 'BEGINS_WITH', text('x'), text('y')), count('BEGINS_WITH'))
    await trial.refuses(asks('a', 'BETWEEN', text('x')), count('BETWEEN'))
    await trial.refuses({ a: { ComparisonOperator: 'IN', AttributeValueList: [] } }, count('IN'))
    await trial.refuses(asks('a', 'NULL', text('x')), count('NULL'))
    await trial.refuses({ a: { ComparisonOperator: 'NOT_NULL', Value: text('x') } }, count('NOT_NULL'))
  },

  'an operator of Expected takes values of its types': async trial => {
    const type = (operator: string, name: string) =>
      `ComparisonOperator ${operator} is not valid for ${name} AttributeValue type`
    for (const operator of SCALARS_ONLY)
      await trial.refuses(asks('a', operator, { BOOL: true }), type(operator, 'BOOL'))
    await trial.refuses(asks('a', 'BEGINS_WITH', number(1)), type('BEGINS_WITH', 'N'))
    await trial.refuses(asks('a', 'CONTAINS', { SS: ['x'] }), type('CONTAINS', 'SS'))
    await trial.refuses(asks('a', 'NOT_CONTAINS', { L: [] }), type('NOT_CONTAINS', 'L'))
    await trial.refuses(asks('a', 'IN', text('x'), { M: {} }), type('IN', 'M'))
    const mixed = 'AttributeValues inside AttributeValueList must be of same type'
    await trial.refuses(asks('a', 'IN', text('x'), number(1)), mixed)
    await trial.refuses(asks('a', 'BETWEEN', text('x'), number(1)), mixed)
  },

  'bounds of Expected are in order': async trial => {
    await invalidRequest(
      trial.send(asks('a', 'BETWEEN', number(2), number(1))),
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    )
  },

  'what Expected is given goes together': async trial => {
    const a = (given: ExpectedAttributeValue) => ({ a: given })
    const list = { AttributeValueList: [text('x')] }
    const of = ' for Attribute: a'
    await trial.refuses(a({}), `Value must be provided when Exists is null${of}`)
    await trial.refuses(a({ Exists: true }), `Value must be provided when Exists is true${of}`)
    await trial.refuses(a({ Exists: false, Value: text('x') }), `Value cannot be used when Exists is false${of}`)
    await trial.refuses(a({ ...list, Value: text('x') }), `Value and AttributeValueList cannot be used together${of}`)
    await trial.refuses(a({ ...list }), `AttributeValueList can only be used with a ComparisonOperator${of}`)
    const both = { Exists: true, ComparisonOperator: 'EQ', Value: text('x'), ...list } as const
    await trial.refuses(a(both), `Exists and ComparisonOperator cannot be used together${of}`)
    const needed = 'Value or AttributeValueList must be used with ComparisonOperator'
    await trial.refuses(a({ ComparisonOperator: 'EQ' }), `${needed}: EQ${of}`)
    await trial.refuses(a({ ComparisonOperator: 'IN' }), `${needed}: IN${of}`)
  },

  'a value of Expected is held to what all values are': async trial => {
    await invalidRequest(
      trial.send({ a: { Value: { N: 'five' } } }),
      'The parameter cannot be converted to a numeric value: five',
    )
    await trial.refuses(asks('a', 'EQ', { NULL: false }), 'Null attribute value types must have the value of true')
    await invalidRequest(trial.send({ '': { Exists: false } }), 'Empty attribute name')
    await invalidRequest(trial.send({ [TOO_LONG]: { Exists: false } }), NAME_TOO_LONG)
    await invalid(
      trial.send({ a: { Value: {} as never } }),
      'Supplied AttributeValue is empty, must contain exactly one of the supported datatypes',
    )
  },
})

const otherCases = cases('putItem', {
  'Expected of an item that is not there': async bench => {
    const trial = await Trial.of(bench)
    const put = (Expected: Expected) =>
      bench.store.putItem({ TableName: trial.TableName, Item: trial.item({ count: number(1) }), Expected })
    await refused(put({ pk: { Value: trial.Key.pk! } }), 'ConditionalCheckFailedException')
    await put({ pk: { Exists: false } })
    const error = await refused(put({ pk: { Exists: false } }), 'ConditionalCheckFailedException')
    same([error.message, error.Item], ['The conditional request failed', undefined])
  },

  'Expected that fails can answer the item': async bench => {
    const { store, TableName, Key } = await Trial.of(bench, { count: number(1) })
    const request = { TableName, Key, Expected: { count: { Exists: false } } }
    const error = await refused(
      store.deleteItem({ ...request, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' }),
      'ConditionalCheckFailedException',
    )
    same(error.Item, { ...Key, count: number(1) })
  },
})

/** The conditions of writes from before expressions. */
export const legacyConditionCases = [...everyWrite, ...otherCases]
