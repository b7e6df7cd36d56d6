import type { Item } from '../../../dynamodb/attribute-value.js'
import type { AttributeValueUpdate } from '../../../dynamodb/operations/conditions.js'
import type { UpdateItemRequest } from '../../../dynamodb/operations/items.js'
import { cases } from '../case.js'
import { invalid, invalidRequest, refused, same } from '../expect.js'
import { binary, NAME_TOO_LONG, number, TOO_LONG, text } from './reading.js'
import { answered, Trial } from './trial.js'

type Updates = Record<string, AttributeValueUpdate>

const START: Item = {
  count: number(1),
  name: text('n'),
  tags: { SS: ['a', 'b'] },
  numbers: { NS: ['1', '2'] },
  bytes: { BS: [Uint8Array.from([1])] },
  list: { L: [number(1)] },
  map: { M: { x: number(1) } },
}

function update({ store, TableName, Key }: Trial, AttributeUpdates: Updates, more: Partial<UpdateItemRequest> = {}) {
  return store.updateItem({ TableName, Key, AttributeUpdates, ...more })
}

const MISMATCH = 'Type mismatch for attribute to update'
const parameter = (detail: string) => `One or more parameter values were invalid: ${detail}`

export const legacyUpdateCases = cases('updateItem', {
  'AttributeUpdates put values, which is what they do unless told otherwise': async bench => {
    const trial = await Trial.of(bench, START)
    await update(trial, { count: { Value: text('changed') }, fresh: { Action: 'PUT', Value: { BOOL: true } } })
    same(await trial.attributes(), { ...START, count: text('changed'), fresh: { BOOL: true } })
  },

  'AttributeUpdates make an item that is not there': async bench => {
    const trial = await Trial.of(bench)
    await update(trial, { a: { Value: text('x') }, gone: { Action: 'DELETE' }, n: { Action: 'ADD', Value: number(3) } })
    same(await trial.attributes(), { a: text('x'), n: number(3) })
    const bare = await Trial.of(bench)
    await update(bare, {})
    same(await bare.attributes(), {})
  },

  'AttributeUpdates that only delete make no item': async bench => {
    const trial = await Trial.of(bench)
    await update(trial, { a: { Action: 'DELETE' } })
    await update(trial, { a: { Action: 'DELETE', Value: { SS: ['a'] } }, b: { Action: 'DELETE' } })
    same(await trial.attributes(), undefined)
  },

  'ADD adds to numbers, sets and lists, and begins them': async bench => {
    const trial = await Trial.of(bench, START)
    await update(trial, {
      count: { Action: 'ADD', Value: number('2.5') },
      tags: { Action: 'ADD', Value: { SS: ['b', 'c'] } },
      numbers: { Action: 'ADD', Value: { NS: ['3'] } },
      bytes: { Action: 'ADD', Value: { BS: [Uint8Array.from([0])] } },
      list: { Action: 'ADD', Value: { L: [text('x')] } },
      newCount: { Action: 'ADD', Value: number(-1) },
      newTags: { Action: 'ADD', Value: { SS: ['x'] } },
      newList: { Action: 'ADD', Value: { L: [{ NULL: true }] } },
    })
    same(await trial.attributes(), {
      ...START,
      count: number('3.5'),
      tags: { SS: ['a', 'b', 'c'] },
      numbers: { NS: ['1', '2', '3'] },
      bytes: { BS: [Uint8Array.from([0]), Uint8Array.from([1])] },
      list: { L: [number(1), text('x')] },
      newCount: number(-1),
      newTags: { SS: ['x'] },
      newList: { L: [{ NULL: true }] },
    })
  },

  'DELETE takes an attribute away, or members from a set': async bench => {
    const trial = await Trial.of(bench, START)
    await update(trial, {
      count: { Action: 'DELETE' },
      missing: { Action: 'DELETE' },
      tags: { Action: 'DELETE', Value: { SS: ['b', 'z'] } },
      numbers: { Action: 'DELETE', Value: { NS: ['2', '1.0'] } },
      none: { Action: 'DELETE', Value: { SS: ['x'] } },
    })
    const { count: _, numbers: __, ...rest } = START
    same(await trial.attributes(), { ...rest, tags: { SS: ['a'] } })
  },

  'a dot in a name of AttributeUpdates is a part of the name': async bench => {
    const trial = await Trial.of(bench, START)
    await update(trial, { 'map.x': { Value: number(2) } })
    same(await trial.attributes(), { ...START, 'map.x': number(2) })
  },

  'AttributeUpdates answer what ReturnValues asks for': async bench => {
    const updates: Updates = {
      count: { Action: 'ADD', Value: number(1) },
      name: { Action: 'DELETE' },
      fresh: { Value: text('f') },
    }
    const after = { count: number(2), fresh: text('f') }
    const { name: _, ...kept } = START
    const returned = async (ReturnValues: UpdateItemRequest['ReturnValues'], expected: (trial: Trial) => object) => {
      const trial = await Trial.of(bench, START)
      await answered(update(trial, updates, { ReturnValues }), expected(trial))
    }
    await returned('UPDATED_OLD', () => ({ Attributes: { count: number(1), name: text('n') } }))
    await returned('UPDATED_NEW', () => ({ Attributes: after }))
    await returned('ALL_OLD', trial => ({ Attributes: trial.item(START) }))
    await returned('ALL_NEW', trial => ({ Attributes: trial.item({ ...kept, ...after }) }))
    await returned('NONE', () => ({}))
  },

  'UPDATED_OLD and UPDATED_NEW answer nothing where nothing was or is there': async bench => {
    const trial = await Trial.of(bench, START)
    await answered(update(trial, { fresh: { Value: text('f') } }, { ReturnValues: 'UPDATED_OLD' }), {})
    await answered(update(trial, { fresh: { Action: 'DELETE' } }, { ReturnValues: 'UPDATED_NEW' }), {})
    await answered(update(trial, {}, { ReturnValues: 'UPDATED_NEW' }), {})
  },

  'AttributeUpdates go with Expected': async bench => {
    const trial = await Trial.of(bench, START)
    const expecting = (value: number) => ({ Expected: { count: { Value: number(value) } } })
    await update(trial, { name: { Value: text('o') } }, expecting(1))
    await refused(update(trial, { name: { Value: text('p') } }, expecting(2)), 'ConditionalCheckFailedException')
    same((await trial.attributes())!.name, text('o'))
  },

  'ADD and DELETE are refused where the stored value is of another type': async bench => {
    const trial = await Trial.of(bench, START)
    await invalid(update(trial, { name: { Action: 'ADD', Value: number(1) } }), MISMATCH)
    await invalid(update(trial, { tags: { Action: 'ADD', Value: { NS: ['1'] } } }), MISMATCH)
    await invalid(update(trial, { tags: { Action: 'ADD', Value: { L: [] } } }), MISMATCH)
    await invalid(update(trial, { count: { Action: 'DELETE', Value: { NS: ['1'] } } }), MISMATCH)
    same(await trial.attributes(), START)
  },

  'ADD and DELETE take values of their types': async bench => {
    const trial = await Trial.of(bench, START)
    for (const value of [text('x'), binary(1), { BOOL: true }, { NULL: true }, { M: {} }]) {
      const [type] = Object.keys(value)
      await invalidRequest(
        update(trial, { a: { Action: 'ADD', Value: value } }),
        parameter(`ADD action is not supported for the type ${type}`),
      )
    }
    for (const value of [text('x'), number(1), { L: [] }, { M: {} }]) {
      const [type] = Object.keys(value)
      await invalidRequest(
        update(trial, { a: { Action: 'DELETE', Value: value } }),
        parameter(`DELETE action with value is not supported for the type ${type}`),
      )
    }
  },

  'only DELETE goes without a value': async bench => {
    const trial = await Trial.of(bench, START)
    const message = parameter('Only DELETE action is allowed when no attribute value is specified')
    await invalidRequest(update(trial, { a: {} }), message)
    await invalidRequest(update(trial, { a: { Action: 'PUT' } }), message)
    await invalidRequest(update(trial, { a: { Action: 'ADD' } }), message)
  },

  'AttributeUpdates cannot be of the key': async bench => {
    const trial = await Trial.of(bench, START)
    const message = parameter('Cannot update attribute pk. This attribute is part of the key')
    await invalid(update(trial, { pk: { Value: text('x') } }), message)
    await invalid(update(trial, { pk: { Action: 'DELETE' } }), message)
  },

  'AttributeUpdates keep the types of index keys': async bench => {
    const trial = await Trial.indexed(bench)
    await invalid(
      update(trial, { rank: { Value: text('x') } }),
      parameter('Type mismatch for Index Key rank Expected: N Actual: S IndexName: byGroup'),
    )
    await update(trial, { rank: { Action: 'ADD', Value: number(2) } })
    same(await trial.attributes(), { rank: number(2) })
  },

  'AttributeUpdates do not go together with expressions': async bench => {
    const trial = await Trial.of(bench)
    const mixed = (legacy: string, expressions: string) =>
      'Can not use both expression and non-expression parameters in the same request: ' +
      `Non-expression parameters: {${legacy}} Expression parameters: {${expressions}}`
    const updates = { a: { Value: text('x') } }
    await invalidRequest(
      update(trial, updates, { UpdateExpression: 'REMOVE a' }),
      mixed('AttributeUpdates', 'UpdateExpression'),
    )
    await invalidRequest(
      update(trial, updates, {
        Expected: { a: { Exists: false } },
        UpdateExpression: 'REMOVE a',
        ConditionExpression: 'attribute_exists(a)',
      }),
      mixed('AttributeUpdates, Expected', 'UpdateExpression, ConditionExpression'),
    )
  },

  'a value of AttributeUpdates is held to what all values are': async bench => {
    const trial = await Trial.of(bench)
    await invalidRequest(update(trial, { '': { Value: text('x') } }), 'Empty attribute name')
    await invalidRequest(update(trial, { [TOO_LONG]: { Value: text('x') } }), NAME_TOO_LONG)
    await invalidRequest(update(trial, { a: { Value: { SS: [] } } }), parameter('An string set  may not be empty'))
  },
})
