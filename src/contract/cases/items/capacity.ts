import { READ_UNIT_BYTES, WRITE_UNIT_BYTES } from '../../../dynamodb/limits.js'
import type { ReturnConsumedCapacity } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { ItemTrial } from '../../fixtures/item-trial.js'
import { fillItem } from '../../fixtures/sized-items.js'

const CONDITION_FAILED = 'ConditionalCheckFailedException'

const reads = defineCases('getItem', {
  'a read consumes one unit for each 4 KB, and half of that without strong consistency': withCoverage(
    ['limit:READ_UNIT_BYTES'],
    async bench => {
      const trial = await ItemTrial.of(bench)
      const { TableName, Key } = trial
      for (const [bytes, units] of [
        [100, 1],
        [READ_UNIT_BYTES, 1],
        [READ_UNIT_BYTES + 1, 2],
        [2 * READ_UNIT_BYTES + 1, 3],
      ] as const) {
        await bench.put(TableName, fillItem(trial.item(), bytes))
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
        expectEqual(await read(true), { TableName, CapacityUnits: units })
        expectEqual(await read(false), { TableName, CapacityUnits: units / 2 })
        expectEqual(await read(undefined), { TableName, CapacityUnits: units / 2 })
        expectEqual(await read(true, 'pk'), { TableName, CapacityUnits: units })
      }
    },
  ),
  'a read that finds nothing consumes the minimum': async bench => {
    const { TableName, Key } = await ItemTrial.of(bench)
    for (const [ConsistentRead, CapacityUnits] of [
      [true, 1],
      [false, 0.5],
    ] as const) {
      const request = { TableName, Key, ConsistentRead, ReturnConsumedCapacity: 'TOTAL' as const }
      expectEqual((await bench.store.getItem(request)).ConsumedCapacity, { TableName, CapacityUnits })
    }
  },
  'the capacity of a read is reported at the requested level': async bench => {
    const { TableName, Key } = await ItemTrial.ofIndexedTable(bench, {})
    const read = async (ReturnConsumedCapacity: ReturnConsumedCapacity | undefined) =>
      (await bench.store.getItem({ TableName, Key, ReturnConsumedCapacity })).ConsumedCapacity
    expectEqual(await read(undefined), undefined)
    expectEqual(await read('NONE'), undefined)
    expectEqual(await read('TOTAL'), { TableName, CapacityUnits: 0.5 })
    expectEqual(await read('INDEXES'), { TableName, CapacityUnits: 0.5, Table: { CapacityUnits: 0.5 } })
  },
})

const puts = defineCases('putItem', {
  'a put consumes one unit for each 1 KB of the larger of the old item and the new': withCoverage(
    ['limit:WRITE_UNIT_BYTES'],
    async bench => {
      const trial = await ItemTrial.of(bench)
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
        const Item = fillItem(trial.item(), bytes)
        const { ConsumedCapacity } = await bench.store.putItem({ TableName, Item, ReturnConsumedCapacity: 'TOTAL' })
        expectEqual(ConsumedCapacity, { TableName, CapacityUnits: units })
      }
    },
  ),
  'a failed condition reports no capacity': async bench => {
    const trial = await ItemTrial.of(bench, {})
    const error = await expectRejection(
      bench.store.putItem({
        TableName: trial.TableName,
        Item: trial.item(),
        ConditionExpression: 'attribute_not_exists(pk)',
        ReturnConsumedCapacity: 'INDEXES',
      }),
      CONDITION_FAILED,
    )
    expectEqual('ConsumedCapacity' in error, false)
  },
  'item collection metrics are reported only for a table with local indexes': async bench => {
    for (const trial of [await ItemTrial.of(bench), await ItemTrial.ofIndexedTable(bench)]) {
      const { TableName, Key } = trial
      const metrics = 'sk' in Key ? { ItemCollectionKey: { pk: Key.pk }, SizeEstimateRangeGB: [0, 1] } : undefined
      const asked = { TableName, ReturnItemCollectionMetrics: 'SIZE' } as const
      expectEqual((await bench.store.putItem({ ...asked, Item: Key })).ItemCollectionMetrics, metrics)
      expectEqual((await bench.store.updateItem({ ...asked, Key })).ItemCollectionMetrics, metrics)
      expectEqual((await bench.store.deleteItem({ ...asked, Key })).ItemCollectionMetrics, metrics)
      const { ItemCollectionMetrics } = await bench.store.putItem({
        TableName,
        Item: Key,
        ReturnItemCollectionMetrics: 'NONE',
      })
      expectEqual(ItemCollectionMetrics, undefined)
    }
  },
})

const updates = defineCases('updateItem', {
  'an update consumes the units of the larger of the item before and after': async bench => {
    const trial = await ItemTrial.of(bench, { a: { S: 'x'.repeat(2 * WRITE_UNIT_BYTES) } })
    const { TableName } = trial
    const update = async (expression: string | undefined, length?: number) =>
      (
        await trial.update(expression, length === undefined ? {} : { ':v': { S: 'x'.repeat(length) } }, {
          ReturnConsumedCapacity: 'TOTAL',
        })
      ).ConsumedCapacity
    expectEqual(await update(undefined), { TableName, CapacityUnits: 3 })
    expectEqual(await update('SET a = :v', 5 * WRITE_UNIT_BYTES), { TableName, CapacityUnits: 6 })
    expectEqual(await update('SET a = :v', 10), { TableName, CapacityUnits: 6 })
    expectEqual(await update('SET a = :v', 10), { TableName, CapacityUnits: 1 })
    expectEqual(await update('REMOVE absent'), { TableName, CapacityUnits: 1 })
  },
})

const deletes = defineCases('deleteItem', {
  'a delete consumes the units of the deleted item, or one unit for a missing item': async bench => {
    const trial = await ItemTrial.of(bench)
    const { TableName, Key } = trial
    await bench.put(TableName, fillItem(trial.item(), 2 * WRITE_UNIT_BYTES + 1))
    const remove = async () =>
      (await bench.store.deleteItem({ TableName, Key, ReturnConsumedCapacity: 'TOTAL' })).ConsumedCapacity
    expectEqual(await remove(), { TableName, CapacityUnits: 3 })
    expectEqual(await remove(), { TableName, CapacityUnits: 1 })
  },
})

/** Cases of the units that reads and writes of items consume. */
export const itemCapacityCases = [...reads, ...puts, ...updates, ...deletes]
