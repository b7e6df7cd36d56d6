import { ATTRIBUTE_NAME_BYTES, ITEM_BYTES, NESTING_LEVELS, REQUEST_NESTING_LEVELS } from '../../../dynamodb/limits.js'
import type { PutItemInput } from '../../../dynamodb/operation-types.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'
import { fillItem, nestValue, wrapInList, wrapInMap } from '../../fixtures/sized-items.js'

const TOO_LARGE = 'Item size has exceeded the maximum allowed size'
const TOO_LARGE_TO_UPDATE = 'Item size to update has exceeded the maximum allowed size'
const TOO_DEEP =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'

const put = defineCases('putItem', {
  'an item has at most 400 KB, including its key and names': withCoverage(['limit:ITEM_BYTES'], async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName } = trial
    const largest = fillItem(trial.item({ é: { L: [{ N: '1.5' }, { BOOL: true }] } }), ITEM_BYTES)
    await bench.put(TableName, largest)
    expectEqual(await bench.get(TableName, trial.Key), largest)
    await expectValidationError(bench.store.putItem({ TableName, Item: fillItem(largest, ITEM_BYTES + 1) }), TOO_LARGE)
    expectEqual(await bench.get(TableName, trial.Key), largest)
  }),
  'an item that is too large is rejected before its table is looked up': async bench => {
    const Item = fillItem({ pk: { S: 'a' } }, ITEM_BYTES + 1)
    await expectValidationError(bench.store.putItem({ TableName: bench.newTableName(), Item }), TOO_LARGE)
  },
  'values nest to 32 levels, counting the attribute as the first': withCoverage(
    ['limit:NESTING_LEVELS'],
    async bench => {
      const trial = await ItemTrial.of(bench)
      for (const wrap of [wrapInMap, wrapInList]) {
        const deepest = nestValue(NESTING_LEVELS - 1, wrap)
        await trial.put({ a: deepest })
        expectEqual(await trial.readAttributes(), { a: deepest })
        await expectInvalidRequest(trial.put({ a: nestValue(NESTING_LEVELS, wrap) }), TOO_DEEP)
      }
    },
  ),
  'values of more than 62 levels are reported before other values, and after model violations': withCoverage(
    ['limit:REQUEST_NESTING_LEVELS'],
    async bench => {
      const trial = await ItemTrial.of(bench)
      const wrong = (containers: number, more: Partial<PutItemInput> = {}) =>
        bench.store.putItem({
          TableName: trial.TableName,
          Item: trial.item({ a: { SS: [] } }),
          ConditionExpression: 'a = :v',
          ExpressionAttributeValues: { ':v': nestValue(containers, wrapInMap) },
          ...more,
        })
      await expectInvalidRequest(
        wrong(REQUEST_NESTING_LEVELS),
        'One or more parameter values were invalid: An string set  may not be empty',
      )
      await expectValidationError(
        wrong(REQUEST_NESTING_LEVELS + 1),
        `ExpressionAttributeValues contains invalid value: ${TOO_DEEP} for key :v`,
      )
      await expectValidationError(
        wrong(REQUEST_NESTING_LEVELS + 1, { ReturnValues: 'BOGUS' as never }),
        /Value 'BOGUS' at 'returnValues' failed to satisfy constraint/,
      )
    },
  ),
  'a name has at most 65535 bytes': withCoverage(['limit:ATTRIBUTE_NAME_BYTES'], async bench => {
    const trial = await ItemTrial.of(bench)
    const longest = 'n'.repeat(ATTRIBUTE_NAME_BYTES)
    await trial.put({ [longest]: { N: '1' }, map: { M: { [longest]: { N: '2' } } } })
    expectEqual(await trial.readAttributes(), { [longest]: { N: '1' }, map: { M: { [longest]: { N: '2' } } } })
    const refusal = 'Attribute name is too large, must be less than 65536 bytes'
    await expectInvalidRequest(trial.put({ [`${longest}n`]: { N: '1' } }), refusal)
    await expectInvalidRequest(trial.put({ map: { M: { [`${longest}n`]: { N: '1' } } } }), refusal)
  }),
})

const update = defineCases('updateItem', {
  'an update that makes an item larger than 400 KB is rejected': withCoverage(['limit:ITEM_BYTES'], async bench => {
    const trial = await ItemTrial.of(bench, { first: { S: 'o'.repeat(ITEM_BYTES / 2) } })
    const left = ITEM_BYTES - countItemBytes(trial.item({ first: { S: 'o'.repeat(ITEM_BYTES / 2) }, fresh: { S: '' } }))
    await expectValidationError(
      trial.update('SET fresh = :v', { ':v': { S: 'f'.repeat(left + 1) } }),
      TOO_LARGE_TO_UPDATE,
    )
    await trial.update('SET fresh = :v', { ':v': { S: 'f'.repeat(left) } })
    expectEqual((await trial.readAttributes())?.fresh, { S: 'f'.repeat(left) })
    await expectValidationError(trial.update('SET x = :v', { ':v': { S: '' } }), TOO_LARGE_TO_UPDATE)
    await trial.update('SET fresh = :v REMOVE #f', { '#f': 'first', ':v': { S: 'f' } })
    expectEqual(await trial.readAttributes(), { fresh: { S: 'f' } })
  }),
  'the statement of an update has at most 400 KB, counting each clause with its written values': withCoverage(
    ['limit:ITEM_BYTES'],
    async bench => {
      const trial = await ItemTrial.of(bench, { gone: { S: '' } })
      const value = (bytes: number) => ({ ':v': { S: 'v'.repeat(bytes) } })
      // The statement takes 3 bytes, SET 19 and its target, the function 39, its path 15 and the name; REMOVE takes 1
      // and its target.
      const left = ITEM_BYTES - 3 - (19 + 'a'.length) - 39 - (15 + 'pk'.length)
      const text = 'SET a = if_not_exists(pk, :v)'
      await expectValidationError(trial.update(text, value(left + 1)), TOO_LARGE_TO_UPDATE)
      await trial.update(text, value(left))
      await expectValidationError(trial.update(`${text} REMOVE gone`, value(left)), TOO_LARGE_TO_UPDATE)
      await trial.update(`${text} REMOVE gone`, value(left - 1 - 'gone'.length))
      expectEqual(await trial.readAttributes(), { a: trial.Key.pk })
      // The size is checked before other errors of the update, here a change of the key.
      await expectValidationError(trial.update('SET pk = :v', value(ITEM_BYTES)), TOO_LARGE_TO_UPDATE)
    },
  ),
  'an update that nests deeper than 32 levels is rejected': withCoverage(['limit:NESTING_LEVELS'], async bench => {
    const trial = await ItemTrial.of(bench, { a: nestValue(NESTING_LEVELS - 1, wrapInMap) })
    const path = `a${'.n'.repeat(NESTING_LEVELS - 1)}`
    await trial.update(`SET ${path} = :v`, { ':v': { S: 'changed' } })
    await expectValidationError(
      trial.update(`SET ${path} = :v`, { ':v': { L: [] } }),
      'Nesting Levels have exceeded supported limits',
    )
    await expectInvalidRequest(trial.update('SET b = :v', { ':v': nestValue(NESTING_LEVELS, wrapInMap) }), TOO_DEEP)
  }),
})

/** Cases of the maximum size and depth of items. */
export const itemLimitCases = [...put, ...update]
