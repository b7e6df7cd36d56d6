import { ATTRIBUTE_NAME_BYTES, ITEM_BYTES, NESTING_LEVELS, REQUEST_NESTING_LEVELS } from '../../../dynamodb/limits.js'
import type { PutItemRequest } from '../../../dynamodb/operations/items.js'
import { itemBytes } from '../../../dynamodb/size.js'
import { cases, covering } from '../case.js'
import { invalid, invalidRequest, same } from '../expect.js'
import { filled, inList, inMap, within } from './measures.js'
import { Trial } from './trial.js'

const TOO_LARGE = 'Item size has exceeded the maximum allowed size'
const TOO_LARGE_TO_UPDATE = 'Item size to update has exceeded the maximum allowed size'
const TOO_DEEP =
  'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'

const put = cases('putItem', {
  'an item has at most 400 KB, its key and names counted': covering(['limit:ITEM_BYTES'], async bench => {
    const trial = await Trial.of(bench)
    const { TableName } = trial
    const largest = filled(trial.item({ é: { L: [{ N: '1.5' }, { BOOL: true }] } }), ITEM_BYTES)
    await bench.put(TableName, largest)
    same(await bench.get(TableName, trial.Key), largest)
    await invalid(bench.store.putItem({ TableName, Item: filled(largest, ITEM_BYTES + 1) }), TOO_LARGE)
    same(await bench.get(TableName, trial.Key), largest)
  }),
  'an item that is too large is refused before its table is looked up': async bench => {
    const Item = filled({ pk: { S: 'a' } }, ITEM_BYTES + 1)
    await invalid(bench.store.putItem({ TableName: bench.ownName(), Item }), TOO_LARGE)
  },
  'values nest to 32 levels, the attribute itself being the first': covering(['limit:NESTING_LEVELS'], async bench => {
    const trial = await Trial.of(bench)
    for (const wrap of [inMap, inList]) {
      const deepest = within(NESTING_LEVELS - 1, wrap)
      await trial.put({ a: deepest })
      same(await trial.attributes(), { a: deepest })
      await invalidRequest(trial.put({ a: within(NESTING_LEVELS, wrap) }), TOO_DEEP)
    }
  }),
  'values of more than 62 levels are told of before other values, and after what the model refuses': covering(
    ['limit:REQUEST_NESTING_LEVELS'],
    async bench => {
      const trial = await Trial.of(bench)
      const wrong = (containers: number, more: Partial<PutItemRequest> = {}) =>
        bench.store.putItem({
          TableName: trial.TableName,
          Item: trial.item({ a: { SS: [] } }),
          ConditionExpression: 'a = :v',
          ExpressionAttributeValues: { ':v': within(containers, inMap) },
          ...more,
        })
      await invalidRequest(
        wrong(REQUEST_NESTING_LEVELS),
        'One or more parameter values were invalid: An string set  may not be empty',
      )
      await invalid(
        wrong(REQUEST_NESTING_LEVELS + 1),
        `ExpressionAttributeValues contains invalid value: ${TOO_DEEP} for key :v`,
      )
      await invalid(
        wrong(REQUEST_NESTING_LEVELS + 1, { ReturnValues: 'BOGUS' as never }),
        /Value 'BOGUS' at 'returnValues' failed to satisfy constraint/,
      )
    },
  ),
  'a name has at most 65535 bytes': covering(['limit:ATTRIBUTE_NAME_BYTES'], async bench => {
    const trial = await Trial.of(bench)
    const longest = 'n'.repeat(ATTRIBUTE_NAME_BYTES)
    await trial.put({ [longest]: { N: '1' }, map: { M: { [longest]: { N: '2' } } } })
    same(await trial.attributes(), { [longest]: { N: '1' }, map: { M: { [longest]: { N: '2' } } } })
    const refusal = 'Attribute name is too large, must be less than 65536 bytes'
    await invalidRequest(trial.put({ [`${longest}n`]: { N: '1' } }), refusal)
    await invalidRequest(trial.put({ map: { M: { [`${longest}n`]: { N: '1' } } } }), refusal)
  }),
})

const update = cases('updateItem', {
  'an update leaves at most 400 KB': covering(['limit:ITEM_BYTES'], async bench => {
    const trial = await Trial.of(bench, { first: { S: 'o'.repeat(ITEM_BYTES / 2) } })
    const left = ITEM_BYTES - itemBytes(trial.item({ first: { S: 'o'.repeat(ITEM_BYTES / 2) }, fresh: { S: '' } }))
    await invalid(trial.update('SET fresh = :v', { ':v': { S: 'f'.repeat(left + 1) } }), TOO_LARGE_TO_UPDATE)
    await trial.update('SET fresh = :v', { ':v': { S: 'f'.repeat(left) } })
    same((await trial.attributes())?.fresh, { S: 'f'.repeat(left) })
    await invalid(trial.update('SET x = :v', { ':v': { S: '' } }), TOO_LARGE_TO_UPDATE)
    await trial.update('SET fresh = :v REMOVE #f', { '#f': 'first', ':v': { S: 'f' } })
    same(await trial.attributes(), { fresh: { S: 'f' } })
  }),
  'the statement of an update has at most 400 KB by itself, each clause counted with what it writes': covering(
    ['limit:ITEM_BYTES'],
    async bench => {
      const trial = await Trial.of(bench, { gone: { S: '' } })
      const value = (bytes: number) => ({ ':v': { S: 'v'.repeat(bytes) } })
      // The statement 3, SET 19 and its target, the function 39, the path in it 15 and its name; REMOVE 1 and its target.
      const left = ITEM_BYTES - 3 - (19 + 'a'.length) - 39 - (15 + 'pk'.length)
      const text = 'SET a = if_not_exists(pk, :v)'
      await invalid(trial.update(text, value(left + 1)), TOO_LARGE_TO_UPDATE)
      await trial.update(text, value(left))
      await invalid(trial.update(`${text} REMOVE gone`, value(left)), TOO_LARGE_TO_UPDATE)
      await trial.update(`${text} REMOVE gone`, value(left - 1 - 'gone'.length))
      same(await trial.attributes(), { a: trial.Key.pk })
      // Whatever else the update cannot do.
      await invalid(trial.update('SET pk = :v', value(ITEM_BYTES)), TOO_LARGE_TO_UPDATE)
    },
  ),
  'an update leaves at most 32 levels': covering(['limit:NESTING_LEVELS'], async bench => {
    const trial = await Trial.of(bench, { a: within(NESTING_LEVELS - 1, inMap) })
    const path = `a${'.n'.repeat(NESTING_LEVELS - 1)}`
    await trial.update(`SET ${path} = :v`, { ':v': { S: 'changed' } })
    await invalid(
      trial.update(`SET ${path} = :v`, { ':v': { L: [] } }),
      'Nesting Levels have exceeded supported limits',
    )
    await invalidRequest(trial.update('SET b = :v', { ':v': within(NESTING_LEVELS, inMap) }), TOO_DEEP)
  }),
})

/** How large and how deep an item may be. */
export const itemLimitCases = [...put, ...update]
