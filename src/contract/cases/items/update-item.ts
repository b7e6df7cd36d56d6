import type { Item } from '../../../dynamodb/attribute-value.js'
import type { ReturnValue } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectInvalidRequest, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { expectOutput, ItemTrial, type PlaceholderValues } from '../../fixtures/item-trial.js'

const NO_MATCH = 'The provided key element does not match the schema'

/** Puts an item, updates it and asserts the returned attributes. */
interface ReturnedAttributes {
  readonly before: Item | undefined
  readonly expression: string
  readonly given?: PlaceholderValues
  readonly answers: Partial<Record<ReturnValue, Item | undefined>>
}

async function expectReturned(
  trial: ItemTrial,
  { before, expression, given, answers }: ReturnedAttributes,
): Promise<void> {
  const { TableName, Key } = trial
  for (const [ReturnValues, Attributes] of Object.entries(answers) as [ReturnValue, Item | undefined][]) {
    await trial.store.deleteItem({ TableName, Key })
    if (before) await trial.put(before)
    await expectOutput(trial.update(expression, given, { ReturnValues }), Attributes ? { Attributes } : {})
  }
}

/** Cases of UpdateItem, without expressions. */
export const updateItemCases = defineCases('updateItem', {
  'an update returns nothing by default': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    await expectOutput(trial.update('SET a = :v', { ':v': { N: '2' } }), {})
  },
  'each ReturnValues option returns its attributes': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectReturned(trial, {
      before: { a: { N: '1' }, b: { N: '5' }, gone: { S: 'x' } },
      expression: 'SET a = :v, c = :v REMOVE gone',
      given: { ':v': { N: '2' } },
      answers: {
        NONE: undefined,
        ALL_OLD: trial.item({ a: { N: '1' }, b: { N: '5' }, gone: { S: 'x' } }),
        UPDATED_OLD: { a: { N: '1' }, gone: { S: 'x' } },
        ALL_NEW: trial.item({ a: { N: '2' }, b: { N: '5' }, c: { N: '2' } }),
        UPDATED_NEW: { a: { N: '2' }, c: { N: '2' } },
      },
    })
  },
  'each ReturnValues option returns its attributes for a new item': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectReturned(trial, {
      before: undefined,
      expression: 'SET a = :v',
      given: { ':v': { N: '2' } },
      answers: {
        NONE: undefined,
        ALL_OLD: undefined,
        UPDATED_OLD: undefined,
        ALL_NEW: trial.item({ a: { N: '2' } }),
        UPDATED_NEW: { a: { N: '2' } },
      },
    })
  },
  'an update that creates no item returns no values': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectReturned(trial, {
      before: undefined,
      expression: 'REMOVE a',
      answers: { ALL_OLD: undefined, UPDATED_OLD: undefined, ALL_NEW: undefined, UPDATED_NEW: undefined },
    })
    expectEqual(await trial.readAttributes(), undefined)
  },
  'UPDATED values include assigned attributes that did not change': async bench => {
    const trial = await ItemTrial.of(bench)
    const a = { N: '1' }
    await expectReturned(trial, {
      before: { a, b: { N: '2' } },
      expression: 'SET a = :v',
      given: { ':v': a },
      answers: { UPDATED_OLD: { a }, UPDATED_NEW: { a } },
    })
  },
  'UPDATED_NEW of removed attributes returns nothing': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectReturned(trial, {
      before: { a: { N: '1' }, b: { N: '2' } },
      expression: 'REMOVE a',
      answers: { UPDATED_OLD: { a: { N: '1' } }, UPDATED_NEW: undefined },
    })
    await expectReturned(trial, {
      before: { b: { N: '2' } },
      expression: 'REMOVE a',
      answers: { UPDATED_OLD: undefined, UPDATED_NEW: undefined },
    })
  },
  'UPDATED values of a map member contain only that member': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectReturned(trial, {
      before: { m: { M: { a: { N: '1' }, b: { N: '2' } } } },
      expression: 'SET m.a = :v, m.c = :v',
      given: { ':v': { N: '9' } },
      answers: {
        UPDATED_OLD: { m: { M: { a: { N: '1' } } } },
        UPDATED_NEW: { m: { M: { a: { N: '9' }, c: { N: '9' } } } },
      },
    })
  },
  'UPDATED values of list elements contain only those elements': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectReturned(trial, {
      before: { l: { L: [{ S: 'a' }, { S: 'b' }, { S: 'c' }] } },
      expression: 'SET l[1] = :v',
      given: { ':v': { S: 'x' } },
      answers: { UPDATED_OLD: { l: { L: [{ S: 'b' }] } }, UPDATED_NEW: { l: { L: [{ S: 'x' }] } } },
    })
  },
  'UPDATED values of list elements are the elements at the same positions before and after': async bench => {
    const trial = await ItemTrial.of(bench)
    const before = { l: { L: [{ S: 'a' }, { S: 'b' }, { S: 'c' }] } }
    // An assignment beyond the end of a list appends, and the returned position differs from the requested one.
    await expectReturned(trial, {
      before,
      expression: 'SET l[7] = :v',
      given: { ':v': { S: 'x' } },
      answers: { UPDATED_OLD: undefined, UPDATED_NEW: undefined },
    })
    // After a removal, the next element has moved to its position.
    await expectReturned(trial, {
      before,
      expression: 'REMOVE l[1]',
      answers: { UPDATED_OLD: { l: { L: [{ S: 'b' }] } }, UPDATED_NEW: { l: { L: [{ S: 'c' }] } } },
    })
  },
  'UPDATED values of ADD and DELETE are the whole sets and numbers': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectReturned(trial, {
      before: { n: { N: '1' }, s: { SS: ['a', 'b'] }, t: { SS: ['z'] } },
      expression: 'ADD n :one DELETE s :a, t :z',
      given: { ':one': { N: '1' }, ':a': { SS: ['a'] }, ':z': { SS: ['z'] } },
      answers: {
        UPDATED_OLD: { n: { N: '1' }, s: { SS: ['a', 'b'] }, t: { SS: ['z'] } },
        UPDATED_NEW: { n: { N: '2' }, s: { SS: ['b'] } },
      },
    })
  },
  'a failed condition prevents the update': async bench => {
    const trial = await ItemTrial.of(bench, { version: { N: '1' } })
    const next = (expected: string) =>
      trial.update(
        'SET version = version + :one',
        { ':one': { N: '1' }, ':expected': { N: expected } },
        { ConditionExpression: 'version = :expected' },
      )
    await expectOutput(next('1'), {})
    await expectRejection(next('1'), 'ConditionalCheckFailedException', 'The conditional request failed')
    expectEqual(await trial.readAttributes(), { version: { N: '2' } })
  },
  'a condition on a missing item sees no key attributes': async bench => {
    const trial = await ItemTrial.of(bench)
    const v = { ':v': { N: '1' } }
    await expectRejection(
      trial.update('SET a = :v', v, { ConditionExpression: 'attribute_exists(pk)' }),
      'ConditionalCheckFailedException',
    )
    expectEqual(await trial.readAttributes(), undefined)
    await expectOutput(trial.update('SET a = :v', v, { ConditionExpression: 'attribute_not_exists(pk)' }), {})
    expectEqual(await trial.readAttributes(), { a: { N: '1' } })
  },
  'a failed condition returns the item on request': async bench => {
    const trial = await ItemTrial.of(bench, { a: { N: '1' } })
    const failed = (ReturnValuesOnConditionCheckFailure: 'ALL_OLD' | 'NONE' | undefined) =>
      expectRejection(
        trial.update(
          'SET a = :v',
          { ':v': { N: '2' } },
          { ConditionExpression: 'attribute_exists(b)', ReturnValuesOnConditionCheckFailure },
        ),
        'ConditionalCheckFailedException',
      )
    expectEqual((await failed('ALL_OLD')).Item, trial.item({ a: { N: '1' } }))
    expectEqual((await failed('NONE')).Item, undefined)
    expectEqual((await failed(undefined)).Item, undefined)
  },
  'the condition is evaluated before the update': async bench => {
    const trial = await ItemTrial.of(bench, { a: { S: 'text' } })
    await expectRejection(
      trial.update('SET b = absent', {}, { ConditionExpression: 'attribute_exists(b)' }),
      'ConditionalCheckFailedException',
    )
  },
  'a key that is not exactly the key of the table is rejected': async bench => {
    const TableName = await bench.sharedTable('composite')
    const pk = { S: 'a' }
    const sk = { S: 'b' }
    for (const Key of [{}, { pk }, { sk }, { pk, sk, a: sk }, { pk, sk: { N: '1' } }])
      await expectValidationError(bench.store.updateItem({ TableName, Key, UpdateExpression: 'REMOVE a' }), NO_MATCH)
  },
  'a missing table is reported': async bench => {
    await expectRejection(
      bench.store.updateItem({ TableName: bench.newTableName(), Key: { pk: { S: 'a' } } }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },
  'an update is validated before its table is looked up, and its key afterwards': async bench => {
    const TableName = bench.newTableName()
    const Key = {}
    await expectInvalidRequest(
      bench.store.updateItem({ TableName, Key, UpdateExpression: 'SET a' }),
      'Invalid UpdateExpression: Syntax error; token: "<EOF>", near: "a"',
    )
    await expectInvalidRequest(
      bench.store.updateItem({ TableName, Key, ConditionExpression: '' }),
      'Invalid ConditionExpression: The expression can not be empty;',
    )
    await expectInvalidRequest(
      bench.store.updateItem({ TableName, Key, UpdateExpression: 'SET a = b, a = c' }),
      'Invalid UpdateExpression: Two document paths overlap with each other; ' +
        'must remove or rewrite one of these paths; path one: [a], path two: [a]',
    )
    await expectRejection(
      bench.store.updateItem({ TableName, Key, UpdateExpression: 'REMOVE pk' }),
      'ResourceNotFoundException',
    )
  },
  'names and values without an expression are rejected': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectInvalidRequest(
      trial.update(undefined, { '#a': 'a' }),
      'ExpressionAttributeNames can only be specified when using expressions',
    )
    await expectInvalidRequest(
      trial.update(undefined, { ':a': { N: '1' } }),
      'ExpressionAttributeValues can only be specified when using expressions',
    )
  },
})
