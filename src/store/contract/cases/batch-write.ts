import { BATCH_WRITE_BYTES, BATCH_WRITE_ITEMS, ITEM_BYTES } from '../../../dynamodb/limits.js'
import type { WriteRequest } from '../../../dynamodb/operations/batches.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import { byTable, filled, inOrder, times } from './measures.js'

const put = (Item: NonNullable<WriteRequest['PutRequest']>['Item']): WriteRequest => ({ PutRequest: { Item } })
const remove = (Key: NonNullable<WriteRequest['DeleteRequest']>['Key']): WriteRequest => ({ DeleteRequest: { Key } })

export const batchWriteCases = cases('batchWriteItem', {
  'puts and deletes in several tables are done together': async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('compositeN')]
    const [fresh, replaced, gone] = [bench.unique(), bench.unique(), bench.unique()]
    await bench.put(text, { pk: { S: replaced }, old: { S: 'old' } }, { pk: { S: gone } })
    const { UnprocessedItems } = await bench.store.batchWriteItem({
      RequestItems: {
        [text]: [
          put({ pk: { S: fresh } }),
          put({ pk: { S: replaced }, next: { N: '1' } }),
          remove({ pk: { S: gone } }),
        ],
        [number]: [put({ pk: { S: fresh }, sk: { N: '1' } })],
      },
    })
    same(UnprocessedItems, {})
    same(await bench.get(text, { pk: { S: fresh } }), { pk: { S: fresh } })
    same(await bench.get(text, { pk: { S: replaced } }), { pk: { S: replaced }, next: { N: '1' } })
    same(await bench.get(text, { pk: { S: gone } }), undefined)
    same(await bench.get(number, { pk: { S: fresh }, sk: { N: '1' } }), { pk: { S: fresh }, sk: { N: '1' } })
  },

  'deleting what is not there is no error': async bench => {
    const table = await bench.table('hash')
    const RequestItems = { [table]: [remove({ pk: { S: bench.unique() } })] }
    same((await bench.store.batchWriteItem({ RequestItems })).UnprocessedItems, {})
  },

  'the same key may be written in two tables': async bench => {
    const [text, binary] = [await bench.table('hash'), await bench.table('composite')]
    const key = { pk: { S: bench.unique() } }
    const sorted = { ...key, sk: { S: 'a' } }
    await bench.store.batchWriteItem({ RequestItems: { [text]: [put(key)], [binary]: [put(sorted)] } })
    same([await bench.get(text, key), await bench.get(binary, sorted)], [key, sorted])
  },

  'a batch takes 25 writes, over all tables': covering(['limit:BATCH_WRITE_ITEMS'], async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('compositeN')]
    const pk = bench.unique()
    const { UnprocessedItems } = await bench.store.batchWriteItem({
      RequestItems: {
        [text]: times(15, index => put({ pk: { S: `${pk}-${index}` } })),
        [number]: times(BATCH_WRITE_ITEMS - 15, index => put({ pk: { S: pk }, sk: { N: String(index) } })),
      },
    })
    same(UnprocessedItems, {})
    same(await bench.get(text, { pk: { S: `${pk}-14` } }), { pk: { S: `${pk}-14` } })
    const { Count } = await bench.store.query({
      TableName: number,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
      ConsistentRead: true,
    })
    same(Count, 10)
  }),

  'as many items of the largest size as a batch takes stay below its 16 MB': covering(
    ['limit:BATCH_WRITE_BYTES', 'limit:BATCH_WRITE_ITEMS'],
    async bench => {
      same(BATCH_WRITE_ITEMS * ITEM_BYTES < BATCH_WRITE_BYTES, true)
      const table = await bench.table('hash')
      const pk = bench.unique()
      const items = times(BATCH_WRITE_ITEMS, index => filled({ pk: { S: `${pk}-${index}` } }, ITEM_BYTES))
      let left: WriteRequest[] = items.map(put)
      while (left.length > 0) {
        const { UnprocessedItems } = await bench.store.batchWriteItem({ RequestItems: { [table]: left } })
        left = UnprocessedItems?.[table] ?? []
      }
      for (const item of items) same(await bench.get(table, { pk: item.pk! }), item)
    },
  ),

  'indexes follow': async bench => {
    const table = await bench.table('composite')
    const [pk, group] = [bench.unique(), bench.unique('group')]
    const item = (sk: string, rank: string) => ({
      ...{ pk: { S: pk }, sk: { S: sk }, group: { S: group }, rank: { N: rank } },
      ...{ kept: { S: sk }, dropped: { S: sk } },
    })
    await bench.put(table, item('c', '3'))
    await bench.store.batchWriteItem({
      RequestItems: { [table]: [put(item('a', '2')), put(item('b', '1')), remove({ pk: { S: pk }, sk: { S: 'c' } })] },
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
      same(Items, [entry('b', '1'), entry('a', '2')])
    })
  },

  'each write costs by the larger of what was and what is there': async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('compositeN')]
    const [fresh, shrunk, gone] = [bench.unique(), bench.unique(), bench.unique()]
    await bench.put(text, filled({ pk: { S: shrunk } }, 3000), filled({ pk: { S: gone } }, 1025))
    const { ConsumedCapacity } = await bench.store.batchWriteItem({
      RequestItems: {
        [text]: [put(filled({ pk: { S: fresh } }, 1024)), put({ pk: { S: shrunk } }), remove({ pk: { S: gone } })],
        [number]: [remove({ pk: { S: bench.unique('absent') }, sk: { N: '1' } })],
      },
      ReturnConsumedCapacity: 'TOTAL',
    })
    same(
      byTable(ConsumedCapacity),
      byTable([
        { TableName: text, CapacityUnits: 1 + 3 + 2 },
        { TableName: number, CapacityUnits: 1 },
      ]),
    )
  },

  'indexes are told apart, added up over the writes, and absent where no entry changed': async bench => {
    const table = await bench.table('composite')
    const pk = bench.unique()
    const ranked = (sk: string, rank: string) => ({ pk: { S: pk }, sk: { S: sk }, rank: { N: rank } })
    await bench.put(table, ranked('moved', '1'), ranked('same', '1'))
    const { ConsumedCapacity } = await bench.store.batchWriteItem({
      RequestItems: {
        [table]: [put(ranked('moved', '2')), put(ranked('same', '1')), put(filled(ranked('fresh', '3'), 1025))],
      },
      ReturnConsumedCapacity: 'INDEXES',
    })
    same(ConsumedCapacity, [
      {
        TableName: table,
        CapacityUnits: 10,
        Table: { CapacityUnits: 4 },
        LocalSecondaryIndexes: { byRank: { CapacityUnits: 3 } },
        GlobalSecondaryIndexes: { inverted: { CapacityUnits: 3 } },
      },
    ])
  },

  'capacity and collections are told only when they are asked for': async bench => {
    const table = await bench.table('composite')
    const RequestItems = { [table]: [put({ pk: { S: bench.unique() }, sk: { S: 'a' } })] }
    const answer = await bench.store.batchWriteItem({ RequestItems })
    same(['ConsumedCapacity' in answer, 'ItemCollectionMetrics' in answer], [false, false])
  },

  'collections of a table with local indexes are measured, each once': async bench => {
    const table = await bench.table('composite')
    const [one, two] = [bench.unique(), bench.unique()]
    const { ItemCollectionMetrics } = await bench.store.batchWriteItem({
      RequestItems: {
        [table]: [
          put({ pk: { S: one }, sk: { S: 'a' } }),
          put({ pk: { S: one }, sk: { S: 'b' } }),
          put({ pk: { S: two }, sk: { S: 'a' } }),
        ],
      },
      ReturnItemCollectionMetrics: 'SIZE',
    })
    const measured = (S: string) => ({ ItemCollectionKey: { pk: { S } }, SizeEstimateRangeGB: [0, 1] })
    same(Object.keys(ItemCollectionMetrics ?? {}), [table])
    same(inOrder(ItemCollectionMetrics?.[table]), inOrder([measured(one), measured(two)]))
  },
})
