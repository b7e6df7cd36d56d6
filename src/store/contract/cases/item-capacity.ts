import { READ_UNIT_BYTES, WRITE_UNIT_BYTES } from '../../../dynamodb/limits.js'
import type { ReturnConsumedCapacity } from '../../../dynamodb/operations/capacity.js'
import { cases, covering } from '../case.js'
import { refused, same } from '../expect.js'
import { filled } from './measures.js'
import { Trial } from './trial.js'

const CONDITION_FAILED = 'ConditionalCheckFailedException'

const reads = cases('getItem', {
  'a read takes one unit for each 4 KB, and half of that where it need not be consistent': covering(
    ['limit:READ_UNIT_BYTES'],
    async bench => {
      const trial = await Trial.of(bench)
      const { TableName, Key } = trial
      for (const [bytes, units] of [
        [100, 1],
        [READ_UNIT_BYTES, 1],
        [READ_UNIT_BYTES + 1, 2],
        [2 * READ_UNIT_BYTES + 1, 3],
      ] as const) {
        await bench.put(TableName, filled(trial.item(), bytes))
        const read = async (ConsistentRead: boolean | undefined, ProjectionExpression?: string) =>
          (
            await bench.store.getItem({
              TableName,
              Key,
              ConsistentRead,
              ProjectionExpression,
              ReturnConsumedCapacity: 'TOTAL',
            })
          ).ConsumedCapacity
        same(await read(true), { TableName, CapacityUnits: units })
        same(await read(false), { TableName, CapacityUnits: units / 2 })
        same(await read(undefined), { TableName, CapacityUnits: units / 2 })
        same(await read(true, 'pk'), { TableName, CapacityUnits: units })
      }
    },
  ),
  'a read that finds nothing takes the least': async bench => {
    const { TableName, Key } = await Trial.of(bench)
    for (const [ConsistentRead, CapacityUnits] of [
      [true, 1],
      [false, 0.5],
    ] as const) {
      const request = { TableName, Key, ConsistentRead, ReturnConsumedCapacity: 'TOTAL' as const }
      same((await bench.store.getItem(request)).ConsumedCapacity, { TableName, CapacityUnits })
    }
  },
  'the capacity of a read is told as it was asked for': async bench => {
    const { TableName, Key } = await Trial.indexed(bench, {})
    const read = async (ReturnConsumedCapacity: ReturnConsumedCapacity | undefined) =>
      (await bench.store.getItem({ TableName, Key, ReturnConsumedCapacity })).ConsumedCapacity
    same(await read(undefined), undefined)
    same(await read('NONE'), undefined)
    same(await read('TOTAL'), { TableName, CapacityUnits: 0.5 })
    same(await read('INDEXES'), { TableName, CapacityUnits: 0.5, Table: { CapacityUnits: 0.5 } })
  },
})

const puts = cases('putItem', {
  'a put takes one unit for each 1 KB of the larger of the old item and the new': covering(
    ['limit:WRITE_UNIT_BYTES'],
    async bench => {
      const trial = await Trial.of(bench)
      const { TableName } = trial
      for (const [bytes, units] of [
        [100, 1],
        [WRITE_UNIT_BYTES, 1],
        [WRITE_UNIT_BYTES + 1, 2],
        [5 * WRITE_UNIT_BYTES, 5],
        [3 * WRITE_UNIT_BYTES, 5],
        [100, 3],
        [100, 1],
      ] as const) {
        const Item = filled(trial.item(), bytes)
        const { ConsumedCapacity } = await bench.store.putItem({ TableName, Item, ReturnConsumedCapacity: 'TOTAL' })
        same(ConsumedCapacity, { TableName, CapacityUnits: units })
      }
    },
  ),
  'a failed condition tells no capacity': async bench => {
    const trial = await Trial.of(bench, {})
    const error = await refused(
      bench.store.putItem({
        TableName: trial.TableName,
        Item: trial.item(),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnConsumedCapacity: 'INDEXES',
      }),
      CONDITION_FAILED,
    )
    same('ConsumedCapacity' in error, false)
  },
  'the measures of an item collection are told on a table with local indexes alone': async bench => {
    for (const trial of [await Trial.of(bench), await Trial.indexed(bench)]) {
      const { TableName, Key } = trial
      const metrics = 'sk' in Key ? { ItemCollectionKey: { pk: Key.pk }, SizeEstimateRangeGB: [0, 1] } : undefined
      const asked = { TableName, ReturnItemCollectionMetrics: 'SIZE' } as const
      same((await bench.store.putItem({ ...asked, Item: Key })).ItemCollectionMetrics, metrics)
      same((await bench.store.updateItem({ ...asked, Key })).ItemCollectionMetrics, metrics)
      same((await bench.store.deleteItem({ ...asked, Key })).ItemCollectionMetrics, metrics)
      const { ItemCollectionMetrics } = await bench.store.putItem({
        TableName,
        Item: Key,
        ReturnItemCollectionMetrics: 'NONE',
      })
      same(ItemCollectionMetrics, undefined)
    }
  },
})

const updates = cases('updateItem', {
  'an update takes the units of the larger of the item before and after': async bench => {
    const trial = await Trial.of(bench, { a: { S: 'x'.repeat(2 * WRITE_UNIT_BYTES) } })
    const { TableName } = trial
    const update = async (expression: string | undefined, length?: number) =>
      (
        await trial.update(expression, length === undefined ? {} : { ':v': { S: 'x'.repeat(length) } }, {
          ReturnConsumedCapacity: 'TOTAL',
        })
      ).ConsumedCapacity
    same(await update(undefined), { TableName, CapacityUnits: 3 })
    same(await update('SET a = :v', 5 * WRITE_UNIT_BYTES), { TableName, CapacityUnits: 6 })
    same(await update('SET a = :v', 10), { TableName, CapacityUnits: 6 })
    same(await update('SET a = :v', 10), { TableName, CapacityUnits: 1 })
    same(await update('REMOVE absent'), { TableName, CapacityUnits: 1 })
  },
})

const deletes = cases('deleteItem', {
  'a delete takes the units of what it deletes, and one for nothing': async bench => {
    const trial = await Trial.of(bench)
    const { TableName, Key } = trial
    await bench.put(TableName, filled(trial.item(), 2 * WRITE_UNIT_BYTES + 1))
    const remove = async () =>
      (await bench.store.deleteItem({ TableName, Key, ReturnConsumedCapacity: 'TOTAL' })).ConsumedCapacity
    same(await remove(), { TableName, CapacityUnits: 3 })
    same(await remove(), { TableName, CapacityUnits: 1 })
  },
})

/** The units that reads and writes of items take on a table. */
export const itemCapacityCases = [...reads, ...puts, ...updates, ...deletes]
