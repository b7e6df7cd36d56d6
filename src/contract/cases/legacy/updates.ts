import type { Item } from '../../../dynamodb/attribute-value.js'
import type { AttributeValueUpdate, UpdateItemInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectInvalidRequest, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { expectOutput, ItemTrial } from '../../fixtures/item-trial.js'
import { binaryValue, LONG_NAME, LONG_NAME_MESSAGE, numericValue, stringValue } from '../../fixtures/test-partition.js'

type LegacyUpdates = Record<string, AttributeValueUpdate>

const START: Item = {
  count: numericValue(1),
  name: stringValue('n'),
  tags: { SS: ['a', 'b'] },
  numbers: { NS: ['1', '2'] },
  bytes: { BS: [Uint8Array.from([1])] },
  list: { L: [numericValue(1)] },
  map: { M: { x: numericValue(1) } },
}

function updateLegacy(
  { store, TableName, Key }: ItemTrial,
  AttributeUpdates: LegacyUpdates,
  more: Partial<UpdateItemInput> = {},
) {
  return store.updateItem({ TableName, Key, AttributeUpdates, ...more })
}

const MISMATCH = 'Type mismatch for attribute to update'
const parameterError = (detail: string) => `One or more parameter values were invalid: ${detail}`

export const legacyUpdateCases = defineCases('updateItem', {
  'AttributeUpdates put values by default': async bench => {
    const trial = await ItemTrial.of(bench, START)
    await updateLegacy(trial, {
      count: { Value: stringValue('changed') },
      fresh: { Action: 'PUT', Value: { BOOL: true } },
    })
    expectEqual(await trial.readAttributes(), { ...START, count: stringValue('changed'), fresh: { BOOL: true } })
  },

  'AttributeUpdates create a missing item': async bench => {
    const trial = await ItemTrial.of(bench)
    await updateLegacy(trial, {
      a: { Value: stringValue('x') },
      gone: { Action: 'DELETE' },
      n: { Action: 'ADD', Value: numericValue(3) },
    })
    expectEqual(await trial.readAttributes(), { a: stringValue('x'), n: numericValue(3) })
    const bare = await ItemTrial.of(bench)
    await updateLegacy(bare, {})
    expectEqual(await bare.readAttributes(), {})
  },

  'AttributeUpdates that only delete create no item': async bench => {
    const trial = await ItemTrial.of(bench)
    await updateLegacy(trial, { a: { Action: 'DELETE' } })
    await updateLegacy(trial, { a: { Action: 'DELETE', Value: { SS: ['a'] } }, b: { Action: 'DELETE' } })
    expectEqual(await trial.readAttributes(), undefined)
  },

  'ADD adds to numbers, sets and lists, and creates missing ones': async bench => {
    const trial = await ItemTrial.of(bench, START)
    await updateLegacy(trial, {
      count: { Action: 'ADD', Value: numericValue('2.5') },
      tags: { Action: 'ADD', Value: { SS: ['b', 'c'] } },
      numbers: { Action: 'ADD', Value: { NS: ['3'] } },
      bytes: { Action: 'ADD', Value: { BS: [Uint8Array.from([0])] } },
      list: { Action: 'ADD', Value: { L: [stringValue('x')] } },
      newCount: { Action: 'ADD', Value: numericValue(-1) },
      newTags: { Action: 'ADD', Value: { SS: ['x'] } },
      newList: { Action: 'ADD', Value: { L: [{ NULL: true }] } },
    })
    expectEqual(await trial.readAttributes(), {
      ...START,
      count: numericValue('3.5'),
      tags: { SS: ['a', 'b', 'c'] },
      numbers: { NS: ['1', '2', '3'] },
      bytes: { BS: [Uint8Array.from([0]), Uint8Array.from([1])] },
      list: { L: [numericValue(1), stringValue('x')] },
      newCount: numericValue(-1),
      newTags: { SS: ['x'] },
      newList: { L: [{ NULL: true }] },
    })
  },

  'DELETE removes an attribute, or members of a set': async bench => {
    const trial = await ItemTrial.of(bench, START)
    await updateLegacy(trial, {
      count: { Action: 'DELETE' },
      missing: { Action: 'DELETE' },
      tags: { Action: 'DELETE', Value: { SS: ['b', 'z'] } },
      numbers: { Action: 'DELETE', Value: { NS: ['2', '1.0'] } },
      none: { Action: 'DELETE', Value: { SS: ['x'] } },
    })
    const { count: _, numbers: __, ...rest } = START
    expectEqual(await trial.readAttributes(), { ...rest, tags: { SS: ['a'] } })
  },

  'a dot in an attribute name of AttributeUpdates belongs to the name': async bench => {
    const trial = await ItemTrial.of(bench, START)
    await updateLegacy(trial, { 'map.x': { Value: numericValue(2) } })
    expectEqual(await trial.readAttributes(), { ...START, 'map.x': numericValue(2) })
  },

  'AttributeUpdates return the attributes that ReturnValues requests': async bench => {
    const updates: LegacyUpdates = {
      count: { Action: 'ADD', Value: numericValue(1) },
      name: { Action: 'DELETE' },
      fresh: { Value: stringValue('f') },
    }
    const after = { count: numericValue(2), fresh: stringValue('f') }
    const { name: _, ...kept } = START
    const returned = async (ReturnValues: UpdateItemInput['ReturnValues'], expected: (trial: ItemTrial) => object) => {
      const trial = await ItemTrial.of(bench, START)
      await expectOutput(updateLegacy(trial, updates, { ReturnValues }), expected(trial))
    }
    await returned('UPDATED_OLD', () => ({ Attributes: { count: numericValue(1), name: stringValue('n') } }))
    await returned('UPDATED_NEW', () => ({ Attributes: after }))
    await returned('ALL_OLD', trial => ({ Attributes: trial.item(START) }))
    await returned('ALL_NEW', trial => ({ Attributes: trial.item({ ...kept, ...after }) }))
    await returned('NONE', () => ({}))
  },

  'UPDATED_OLD and UPDATED_NEW return nothing for missing attributes': async bench => {
    const trial = await ItemTrial.of(bench, START)
    await expectOutput(updateLegacy(trial, { fresh: { Value: stringValue('f') } }, { ReturnValues: 'UPDATED_OLD' }), {})
    await expectOutput(updateLegacy(trial, { fresh: { Action: 'DELETE' } }, { ReturnValues: 'UPDATED_NEW' }), {})
    await expectOutput(updateLegacy(trial, {}, { ReturnValues: 'UPDATED_NEW' }), {})
  },

  'AttributeUpdates can be combined with Expected': async bench => {
    const trial = await ItemTrial.of(bench, START)
    const expecting = (value: number) => ({ Expected: { count: { Value: numericValue(value) } } })
    await updateLegacy(trial, { name: { Value: stringValue('o') } }, expecting(1))
    await expectRejection(
      updateLegacy(trial, { name: { Value: stringValue('p') } }, expecting(2)),
      'ConditionalCheckFailedException',
    )
    expectEqual((await trial.readAttributes())!.name, stringValue('o'))
  },

  'ADD and DELETE are rejected if the stored value has another type': async bench => {
    const trial = await ItemTrial.of(bench, START)
    await expectValidationError(updateLegacy(trial, { name: { Action: 'ADD', Value: numericValue(1) } }), MISMATCH)
    await expectValidationError(updateLegacy(trial, { tags: { Action: 'ADD', Value: { NS: ['1'] } } }), MISMATCH)
    await expectValidationError(updateLegacy(trial, { tags: { Action: 'ADD', Value: { L: [] } } }), MISMATCH)
    await expectValidationError(updateLegacy(trial, { count: { Action: 'DELETE', Value: { NS: ['1'] } } }), MISMATCH)
    expectEqual(await trial.readAttributes(), START)
  },

  'ADD and DELETE require values of supported types': async bench => {
    const trial = await ItemTrial.of(bench, START)
    for (const value of [stringValue('x'), binaryValue(1), { BOOL: true }, { NULL: true }, { M: {} }]) {
      const [type] = Object.keys(value)
      await expectInvalidRequest(
        updateLegacy(trial, { a: { Action: 'ADD', Value: value } }),
        parameterError(`ADD action is not supported for the type ${type}`),
      )
    }
    for (const value of [stringValue('x'), numericValue(1), { L: [] }, { M: {} }]) {
      const [type] = Object.keys(value)
      await expectInvalidRequest(
        updateLegacy(trial, { a: { Action: 'DELETE', Value: value } }),
        parameterError(`DELETE action with value is not supported for the type ${type}`),
      )
    }
  },

  'only DELETE works without a value': async bench => {
    const trial = await ItemTrial.of(bench, START)
    const message = parameterError('Only DELETE action is allowed when no attribute value is specified')
    await expectInvalidRequest(updateLegacy(trial, { a: {} }), message)
    await expectInvalidRequest(updateLegacy(trial, { a: { Action: 'PUT' } }), message)
    await expectInvalidRequest(updateLegacy(trial, { a: { Action: 'ADD' } }), message)
  },

  'AttributeUpdates of the key are rejected': async bench => {
    const trial = await ItemTrial.of(bench, START)
    const message = parameterError('Cannot update attribute pk. This attribute is part of the key')
    await expectValidationError(updateLegacy(trial, { pk: { Value: stringValue('x') } }), message)
    await expectValidationError(updateLegacy(trial, { pk: { Action: 'DELETE' } }), message)
  },

  'AttributeUpdates keep the types of index keys': async bench => {
    const trial = await ItemTrial.ofIndexedTable(bench)
    await expectValidationError(
      updateLegacy(trial, { rank: { Value: stringValue('x') } }),
      parameterError('Type mismatch for Index Key rank Expected: N Actual: S IndexName: byGroup'),
    )
    await updateLegacy(trial, { rank: { Action: 'ADD', Value: numericValue(2) } })
    expectEqual(await trial.readAttributes(), { rank: numericValue(2) })
  },

  'AttributeUpdates together with expressions are rejected': async bench => {
    const trial = await ItemTrial.of(bench)
    const mixed = (legacy: string, expressions: string) =>
      'Can not use both expression and non-expression parameters in the same request: ' +
      `Non-expression parameters: {${legacy}} Expression parameters: {${expressions}}`
    const updates = { a: { Value: stringValue('x') } }
    await expectInvalidRequest(
      updateLegacy(trial, updates, { UpdateExpression: 'REMOVE a' }),
      mixed('AttributeUpdates', 'UpdateExpression'),
    )
    await expectInvalidRequest(
      updateLegacy(trial, updates, {
        Expected: { a: { Exists: false } },
        UpdateExpression: 'REMOVE a',
        ConditionExpression: 'attribute_exists(a)',
      }),
      mixed('AttributeUpdates, Expected', 'UpdateExpression, ConditionExpression'),
    )
  },

  'values of AttributeUpdates are validated like all values': async bench => {
    const trial = await ItemTrial.of(bench)
    await expectInvalidRequest(updateLegacy(trial, { '': { Value: stringValue('x') } }), 'Empty attribute name')
    await expectInvalidRequest(updateLegacy(trial, { [LONG_NAME]: { Value: stringValue('x') } }), LONG_NAME_MESSAGE)
    await expectInvalidRequest(
      updateLegacy(trial, { a: { Value: { SS: [] } } }),
      parameterError('An string set  may not be empty'),
    )
  },
})
