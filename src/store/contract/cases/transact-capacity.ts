import type { ConsumedCapacity } from '../../../dynamodb/operations/capacity.js'
import type { TransactWriteItem } from '../../../dynamodb/operations/transactions.js'
import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { same } from '../expect.js'
import { byTable, filled, inOrder } from './measures.js'

const written = (units: number) => ({ CapacityUnits: units, WriteCapacityUnits: units })

async function costs(
  bench: Bench,
  kind: 'hash' | 'composite',
  actions: (TableName: string) => TransactWriteItem[],
  expected: ConsumedCapacity,
): Promise<void> {
  const TableName = await bench.table(kind)
  const TransactItems = actions(TableName)
  const { ConsumedCapacity } = await bench.store.transactWriteItems({
    TransactItems,
    ReturnConsumedCapacity: 'INDEXES',
  })
  same(ConsumedCapacity, [{ TableName, ...expected }])
}

export const transactCapacityCases = cases('transactWriteItems', {
  'each action costs two units for each 1 KB, by table': async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('compositeN')]
    const [small, large] = [bench.unique(), bench.unique()]
    const { ConsumedCapacity } = await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName: text, Item: filled({ pk: { S: small } }, 1024) } },
        { Put: { TableName: text, Item: filled({ pk: { S: large } }, 1025) } },
        { Delete: { TableName: number, Key: { pk: { S: small }, sk: { N: '1' } } } },
      ],
      ReturnConsumedCapacity: 'TOTAL',
    })
    same(
      byTable(ConsumedCapacity),
      byTable([
        { TableName: text, ...written(2 + 4) },
        { TableName: number, ...written(2) },
      ]),
    )
  },

  'a put and an update cost by the larger of what was and what is there': async bench => {
    const [shrunk, cut] = [{ pk: { S: bench.unique() } }, { pk: { S: bench.unique() } }]
    await bench.put(await bench.table('hash'), filled(shrunk, 3000), filled(cut, 2000))
    await costs(
      bench,
      'hash',
      TableName => [
        { Put: { TableName, Item: shrunk } },
        { Update: { TableName, Key: cut, UpdateExpression: 'REMOVE filling' } },
      ],
      { ...written(6 + 4), Table: written(6 + 4) },
    )
  },

  'a check costs as a write of the item that it looks at': async bench => {
    const Key = { pk: { S: bench.unique() } }
    await bench.put(await bench.table('hash'), filled(Key, 2500))
    await costs(
      bench,
      'hash',
      TableName => [
        { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
        {
          ConditionCheck: {
            ...{ TableName, Key: { pk: { S: bench.unique() } } },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      ],
      { ...written(6 + 2), Table: written(6 + 2) },
    )
  },

  'indexes cost single': async bench => {
    const Item = { pk: { S: bench.unique() }, sk: { S: 'a' }, rank: { N: '1' }, group: { S: bench.unique() } }
    await costs(bench, 'composite', TableName => [{ Put: { TableName, Item } }], {
      ...written(2 + 1 + 3),
      Table: written(2),
      LocalSecondaryIndexes: { byRank: written(1) },
      GlobalSecondaryIndexes: { inverted: written(1), byGroup: written(1), groupOnly: written(1) },
    })
  },

  'an index entry whose key moves costs its removal and its making': async bench => {
    const Key = { pk: { S: bench.unique() }, sk: { S: 'a' } }
    await bench.put(await bench.table('composite'), { ...Key, group: { S: bench.unique() } })
    await costs(
      bench,
      'composite',
      TableName => [
        {
          Update: {
            ...{ TableName, Key, UpdateExpression: 'SET #group = :group' },
            ExpressionAttributeNames: { '#group': 'group' },
            ExpressionAttributeValues: { ':group': { S: bench.unique() } },
          },
        },
      ],
      {
        ...written(2 + 1 + 2),
        Table: written(2),
        GlobalSecondaryIndexes: { inverted: written(1), groupOnly: written(2) },
      },
    )
  },

  'indexes that see no change cost nothing': async bench => {
    const Item = { pk: { S: bench.unique() }, sk: { S: 'a' }, rank: { N: '1' } }
    await bench.put(await bench.table('composite'), Item)
    await costs(
      bench,
      'composite',
      TableName => [
        { Put: { TableName, Item } },
        {
          ConditionCheck: {
            ...{ TableName, Key: { pk: { S: bench.unique() }, sk: { S: 'a' } } },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
      ],
      { ...written(4), Table: written(4) },
    )
  },

  'a delete costs the removal of every index entry': async bench => {
    const Key = { pk: { S: bench.unique() }, sk: { S: 'a' } }
    await bench.put(await bench.table('composite'), filled({ ...Key, local: { S: 'l' } }, 1500))
    await costs(bench, 'composite', TableName => [{ Delete: { TableName, Key } }], {
      ...written(4 + 2 + 2),
      Table: written(4),
      LocalSecondaryIndexes: { byLocal: written(2) },
      GlobalSecondaryIndexes: { inverted: written(2) },
    })
  },

  'item collections of a table with local indexes are measured': async bench => {
    const TableName = await bench.table('composite')
    const [one, two] = [{ S: bench.unique() }, { S: bench.unique() }]
    const { ItemCollectionMetrics } = await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName, Item: { pk: one, sk: { S: 'a' } } } },
        { Put: { TableName, Item: { pk: two, sk: { S: 'a' } } } },
      ],
      ReturnItemCollectionMetrics: 'SIZE',
    })
    const measured = [one, two].map(pk => ({ ItemCollectionKey: { pk }, SizeEstimateRangeGB: [0, 1] }))
    same(Object.keys(ItemCollectionMetrics ?? {}), [TableName])
    same(inOrder(ItemCollectionMetrics?.[TableName]), inOrder(measured))
  },
})
