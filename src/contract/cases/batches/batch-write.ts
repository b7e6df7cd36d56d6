import { BATCH_WRITE_BYTES, BATCH_WRITE_ITEMS, ITEM_BYTES } from '../../../dynamodb/limits.js'
import type { WriteRequest } from '../../../dynamodb/operation-types.js'
import { expectEqual } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, fillItem, sortByTable, sortItems } from '../../fixtures/sized-items.js'

const putRequest = (Item: NonNullable<WriteRequest['PutRequest']>['Item']): WriteRequest => ({ PutRequest: { Item } })
const deleteRequest = (Key: NonNullable<WriteRequest['DeleteRequest']>['Key']): WriteRequest => ({
  DeleteRequest: { Key },
})

export const batchWriteCases = defineCases('batchWriteItem', {
  'one batch puts and deletes in several tables': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
    const [fresh, replaced, gone] = [bench.unique(), bench.unique(), bench.unique()]
    await bench.put(text, { pk: { S: replaced }, old: { S: 'old' } }, { pk: { S: gone } })
    const { UnprocessedItems } = await bench.store.batchWriteItem({
      RequestItems: {
        [text]: [
          putRequest({ pk: { S: fresh } }),
          putRequest({ pk: { S: replaced }, next: { N: '1' } }),
          deleteRequest({ pk: { S: gone } }),
        ],
        [number]: [putRequest({ pk: { S: fresh }, sk: { N: '1' } })],
      },
    })
    expectEqual(UnprocessedItems, {})
    expectEqual(await bench.get(text, { pk: { S: fresh } }), { pk: { S: fresh } })
    expectEqual(await bench.get(text, { pk: { S: replaced } }), { pk: { S: replaced }, next: { N: '1' } })
    expectEqual(await bench.get(text, { pk: { S: gone } }), undefined)
    expectEqual(await bench.get(number, { pk: { S: fresh }, sk: { N: '1' } }), { pk: { S: fresh }, sk: { N: '1' } })
  },

  'deleting a missing item succeeds': async bench => {
    const table = await bench.sharedTable('hash')
    const RequestItems = { [table]: [deleteRequest({ pk: { S: bench.unique() } })] }
    expectEqual((await bench.store.batchWriteItem({ RequestItems })).UnprocessedItems, {})
  },

  'the same key can be written in two tables': async bench => {
    const [text, binary] = [await bench.sharedTable('hash'), await bench.sharedTable('composite')]
    const key = { pk: { S: bench.unique() } }
    const sorted = { ...key, sk: { S: 'a' } }
    await bench.store.batchWriteItem({ RequestItems: { [text]: [putRequest(key)], [binary]: [putRequest(sorted)] } })
    expectEqual([await bench.get(text, key), await bench.get(binary, sorted)], [key, sorted])
  },

  'a batch takes 25 writes, over all tables': withCoverage(['limit:BATCH_WRITE_ITEMS'], async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
    const pk = bench.unique()
    const { UnprocessedItems } = await bench.store.batchWriteItem({
      RequestItems: {
        [text]: createMany(15, index => putRequest({ pk: { S: `${pk}-${index}` } })),
        [number]: createMany(BATCH_WRITE_ITEMS - 15, index => putRequest({ pk: { S: pk }, sk: { N: String(index) } })),
      },
    })
    expectEqual(UnprocessedItems, {})
    expectEqual(await bench.get(text, { pk: { S: `${pk}-14` } }), { pk: { S: `${pk}-14` } })
    const { Count } = await bench.store.query({
      TableName: number,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      ConsistentRead: true,
    })
    expectEqual(Count, 10)
  }),

  'as many items of the largest size as a batch takes stay below its 16 MB': withCoverage(
    ['limit:BATCH_WRITE_BYTES', 'limit:BATCH_WRITE_ITEMS'],
    async bench => {
      expectEqual(BATCH_WRITE_ITEMS * ITEM_BYTES < BATCH_WRITE_BYTES, true)
      const table = await bench.sharedTable('hash')
      const pk = bench.unique()
      const items = createMany(BATCH_WRITE_ITEMS, index => fillItem({ pk: { S: `${pk}-${index}` } }, ITEM_BYTES))
      let left: WriteRequest[] = items.map(putRequest)
      while (left.length > 0) {
        const { UnprocessedItems } = await bench.store.batchWriteItem({ RequestItems: { [table]: left } })
        left = UnprocessedItems?.[table] ?? []
      }
      for (const item of items) expectEqual(await bench.get(table, { pk: item.pk! }), item)
    },
  ),

  'indexes reflect the writes': async bench => {
    const table = await bench.sharedTable('composite')
    const [pk, group] = [bench.unique(), bench.unique('group')]
    const item = (sk: string, rank: string) => ({
      ...{ pk: { S: pk }, sk: { S: sk }, group: { S: group }, rank: { N: rank } },
      ...{ kept: { S: sk }, dropped: { S: sk } },
    })
    await bench.put(table, item('c', '3'))
    await bench.store.batchWriteItem({
      RequestItems: {
        [table]: [
          putRequest(item('a', '2')),
          putRequest(item('b', '1')),
          deleteRequest({ pk: { S: pk }, sk: { S: 'c' } }),
        ],
      },
    })
    await bench.eventually(async () => {
      const { Items } = await bench.store.query({
        TableName: table,
        IndexName: 'byGroup',
        KeyConditionExpression: '#group = :group',
        ExpressionAttributeNames: { '#group': 'group' },
        ExpressionAttributeValues: { ':group': { S: group } },
      })
      const entry = (sk: string, rank: string) => {
        const { dropped, ...projected } = item(sk, rank)
        return projected
      }
      expectEqual(Items, [entry('b', '1'), entry('a', '2')])
    })
  },

  'each write costs the units of the larger of the old item and the new': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
    const [fresh, shrunk, gone] = [bench.unique(), bench.unique(), bench.unique()]
    await bench.put(text, fillItem({ pk: { S: shrunk } }, 3000), fillItem({ pk: { S: gone } }, 1025))
    const { ConsumedCapacity } = await bench.store.batchWriteItem({
      RequestItems: {
        [text]: [
          putRequest(fillItem({ pk: { S: fresh } }, 1024)),
          putRequest({ pk: { S: shrunk } }),
          deleteRequest({ pk: { S: gone } }),
        ],
        [number]: [deleteRequest({ pk: { S: bench.unique('absent') }, sk: { N: '1' } })],
      },
      ReturnConsumedCapacity: 'TOTAL',
    })
    expectEqual(
      sortByTable(ConsumedCapacity),
      sortByTable([
        { TableName: text, CapacityUnits: 1 + 3 + 2 },
        { TableName: number, CapacityUnits: 1 },
      ]),
    )
  },

  'capacity is reported by index, summed over the writes, without unchanged indexes': async bench => {
    const table = await bench.sharedTable('composite')
    const pk = bench.unique()
    const ranked = (sk: string, rank: string) => ({ pk: { S: pk }, sk: { S: sk }, rank: { N: rank } })
    await bench.put(table, ranked('moved', '1'), ranked('same', '1'))
    const { ConsumedCapacity } = await bench.store.batchWriteItem({
      RequestItems: {
        [table]: [
          putRequest(ranked('moved', '2')),
          putRequest(ranked('same', '1')),
          putRequest(fillItem(ranked('fresh', '3'), 1025)),
        ],
      },
      ReturnConsumedCapacity: 'INDEXES',
    })
    expectEqual(ConsumedCapacity, [
      {
        TableName: table,
        CapacityUnits: 10,
        Table: { CapacityUnits: 4 },
        LocalSecondaryIndexes: { byRank: { CapacityUnits: 3 } },
        GlobalSecondaryIndexes: { inverted: { CapacityUnits: 3 } },
      },
    ])
  },

  'capacity and item collections are reported only on request': async bench => {
    const table = await bench.sharedTable('composite')
    const RequestItems = { [table]: [putRequest({ pk: { S: bench.unique() }, sk: { S: 'a' } })] }
    const answer = await bench.store.batchWriteItem({ RequestItems })
    expectEqual(['ConsumedCapacity' in answer, 'ItemCollectionMetrics' in answer], [false, false])
  },

  'each item collection of a table with local indexes is measured once': async bench => {
    const table = await bench.sharedTable('composite')
    const [one, two] = [bench.unique(), bench.unique()]
    const { ItemCollectionMetrics } = await bench.store.batchWriteItem({
      RequestItems: {
        [table]: [
          putRequest({ pk: { S: one }, sk: { S: 'a' } }),
          putRequest({ pk: { S: one }, sk: { S: 'b' } }),
          putRequest({ pk: { S: two }, sk: { S: 'a' } }),
        ],
      },
      ReturnItemCollectionMetrics: 'SIZE',
    })
    const measured = (S: string) => ({ ItemCollectionKey: { pk: { S } }, SizeEstimateRangeGB: [0, 1] })
    expectEqual(Object.keys(ItemCollectionMetrics ?? {}), [table])
    expectEqual(sortItems(ItemCollectionMetrics?.[table]), sortItems([measured(one), measured(two)]))
  },
})
