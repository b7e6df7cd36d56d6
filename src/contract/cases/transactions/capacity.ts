import type { ConsumedCapacity, TransactWriteItem } from '../../../dynamodb/operation-types.js'
import { expectEqual } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { fillItem, sortByTable, sortItems } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'

const writtenCapacity = (units: number) => ({ CapacityUnits: units, WriteCapacityUnits: units })

async function expectCost(
  bench: TestBench,
  kind: 'hash' | 'composite',
  actions: (TableName: string) => TransactWriteItem[],
  expected: ConsumedCapacity,
): Promise<void> {
  const TableName = await bench.sharedTable(kind)
  const TransactItems = actions(TableName)
  const { ConsumedCapacity } = await bench.store.transactWriteItems({
    TransactItems,
    ReturnConsumedCapacity: 'INDEXES',
  })
  expectEqual(ConsumedCapacity, [{ TableName, ...expected }])
}

export const transactCapacityCases = defineCases('transactWriteItems', {
  'each action costs two units for each 1 KB, reported by table': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
    const [small, large] = [bench.unique(), bench.unique()]
    const { ConsumedCapacity } = await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName: text, Item: fillItem({ pk: { S: small } }, 1024) } },
        { Put: { TableName: text, Item: fillItem({ pk: { S: large } }, 1025) } },
        { Delete: { TableName: number, Key: { pk: { S: small }, sk: { N: '1' } } } },
      ],
      ReturnConsumedCapacity: 'TOTAL',
    })
    expectEqual(
      sortByTable(ConsumedCapacity),
      sortByTable([
        { TableName: text, ...writtenCapacity(2 + 4) },
        { TableName: number, ...writtenCapacity(2) },
      ]),
    )
  },

  'a put and an update cost the units of the larger of the old item and the new': async bench => {
    const [shrunk, cut] = [{ pk: { S: bench.unique() } }, { pk: { S: bench.unique() } }]
    await bench.put(await bench.sharedTable('hash'), fillItem(shrunk, 3000), fillItem(cut, 2000))
    await expectCost(
      bench,
      'hash',
      TableName => [
        { Put: { TableName, Item: shrunk } },
        { Update: { TableName, Key: cut, UpdateExpression: 'REMOVE filling' } },
      ],
      { ...writtenCapacity(6 + 4), Table: writtenCapacity(6 + 4) },
    )
  },

  'a condition check costs the same as a write of its item': async bench => {
    const Key = { pk: { S: bench.unique() } }
    await bench.put(await bench.sharedTable('hash'), fillItem(Key, 2500))
    await expectCost(
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
      { ...writtenCapacity(6 + 2), Table: writtenCapacity(6 + 2) },
    )
  },

  'index writes cost single units': async bench => {
    const Item = { pk: { S: bench.unique() }, sk: { S: 'a' }, rank: { N: '1' }, group: { S: bench.unique() } }
    await expectCost(bench, 'composite', TableName => [{ Put: { TableName, Item } }], {
      ...writtenCapacity(2 + 1 + 3),
      Table: writtenCapacity(2),
      LocalSecondaryIndexes: { byRank: writtenCapacity(1) },
      GlobalSecondaryIndexes: {
        inverted: writtenCapacity(1),
        byGroup: writtenCapacity(1),
        groupOnly: writtenCapacity(1),
      },
    })
  },

  'an index entry that moves costs its removal and its creation': async bench => {
    const Key = { pk: { S: bench.unique() }, sk: { S: 'a' } }
    await bench.put(await bench.sharedTable('composite'), { ...Key, group: { S: bench.unique() } })
    await expectCost(
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
        ...writtenCapacity(2 + 1 + 2),
        Table: writtenCapacity(2),
        GlobalSecondaryIndexes: { inverted: writtenCapacity(1), groupOnly: writtenCapacity(2) },
      },
    )
  },

  'unchanged indexes cost nothing': async bench => {
    const Item = { pk: { S: bench.unique() }, sk: { S: 'a' }, rank: { N: '1' } }
    await bench.put(await bench.sharedTable('composite'), Item)
    await expectCost(
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
      { ...writtenCapacity(4), Table: writtenCapacity(4) },
    )
  },

  'a delete costs the removal of every index entry': async bench => {
    const Key = { pk: { S: bench.unique() }, sk: { S: 'a' } }
    await bench.put(await bench.sharedTable('composite'), fillItem({ ...Key, local: { S: 'l' } }, 1500))
    await expectCost(bench, 'composite', TableName => [{ Delete: { TableName, Key } }], {
      ...writtenCapacity(4 + 2 + 2),
      Table: writtenCapacity(4),
      LocalSecondaryIndexes: { byLocal: writtenCapacity(2) },
      GlobalSecondaryIndexes: { inverted: writtenCapacity(2) },
    })
  },

  'item collections of a table with local indexes are measured': async bench => {
    const TableName = await bench.sharedTable('composite')
    const [one, two] = [{ S: bench.unique() }, { S: bench.unique() }]
    const { ItemCollectionMetrics } = await bench.store.transactWriteItems({
      TransactItems: [
        { Put: { TableName, Item: { pk: one, sk: { S: 'a' } } } },
        { Put: { TableName, Item: { pk: two, sk: { S: 'a' } } } },
      ],
      ReturnItemCollectionMetrics: 'SIZE',
    })
    const measured = [one, two].map(pk => ({ ItemCollectionKey: { pk }, SizeEstimateRangeGB: [0, 1] }))
    expectEqual(Object.keys(ItemCollectionMetrics ?? {}), [TableName])
    expectEqual(sortItems(ItemCollectionMetrics?.[TableName]), sortItems(measured))
  },
})
