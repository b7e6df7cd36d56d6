import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { IndexedItems, pickAttributes, sharedIndexedItems } from '../../fixtures/indexed-items.js'
import {
  attributeOfItems,
  expectEventually,
  numericValue,
  runQuery,
  stringValue,
} from '../../fixtures/test-partition.js'

const BY_GROUP = ['pk', 'sk', 'group', 'rank', 'kept']
const GROUP_ONLY = ['pk', 'sk', 'group']

const globalIndexes = defineCases('query', {
  'a global index is queried by its own key, in the order of its sort key': async bench => {
    const found = await sharedIndexedItems(bench)
    const { a, b, c } = found.items
    const Items = [b, c, a].map(item => pickAttributes(item, ...BY_GROUP))
    await expectEventually(bench, () => found.queryGroup('byGroup'), { Items, Count: 3, ScannedCount: 3 })
    const reverse = { ScanIndexForward: false }
    await expectEventually(
      bench,
      async () => (await found.queryGroup('byGroup', '#g = :g', {}, reverse)).Items,
      Items.reverse(),
    )
  },

  'a condition on the sort key of a global index selects a range': async bench => {
    const found = await sharedIndexedItems(bench)
    const sorts = async (condition: string, ...values: number[]) => {
      const given = Object.fromEntries(values.map((value, i) => [`:${i}`, numericValue(value)]))
      return attributeOfItems(await found.queryGroup('byGroup', `#g = :g AND ${condition}`, { '#r': 'rank', ...given }))
    }
    await expectEventually(bench, () => sorts('#r > :0', 1), ['c', 'a'])
    await expectEventually(bench, () => sorts('#r = :0', 2), ['c'])
    await expectEventually(bench, () => sorts('#r BETWEEN :0 AND :1', 1, 2), ['b', 'c'])
    await expectEventually(bench, () => sorts('#r < :0', 1), [])
  },

  'a global index without a sort key returns every item with the key': async bench => {
    const found = await sharedIndexedItems(bench)
    const { a, b, c, d } = found.items
    await expectEventually(
      bench,
      async () => (await found.queryGroup('groupOnly')).Items!.sort((x, y) => (x.sk!.S! < y.sk!.S! ? -1 : 1)),
      [a, b, c, d].map(item => pickAttributes(item, ...GROUP_ONLY)),
    )
  },

  'an inverted index finds whole items of any partition by the sort key': async bench => {
    const TableName = await bench.sharedTable('composite')
    const sk = stringValue(bench.unique('sort'))
    const items = ['x', 'z', 'y'].map(suffix => ({
      pk: stringValue(bench.unique(suffix)),
      sk,
      more: stringValue(suffix),
    }))
    await bench.put(TableName, ...items)
    const [x, z, y] = items
    const read = () =>
      runQuery(bench.store, {
        TableName,
        IndexName: 'inverted',
        KeyConditionExpression: 'sk = :sk',
        ExpressionAttributeValues: { ':sk': sk },
      })
    await expectEventually(bench, read, { Items: [x, y, z], Count: 3, ScannedCount: 3 })
  },

  'an item is in an index only while it has every attribute of the key': async bench => {
    const found = await IndexedItems.of(bench)
    const { store, TableName, pk } = found.partition
    const sorts = async () => attributeOfItems(await found.queryGroup('byGroup'))
    await expectEventually(bench, sorts, ['b', 'c', 'a'])
    const update = (sk: string, UpdateExpression: string, rank?: number) =>
      store.updateItem({
        TableName,
        Key: { pk, sk: stringValue(sk) },
        UpdateExpression,
        ExpressionAttributeNames: { '#r': 'rank' },
        ...(rank !== undefined && { ExpressionAttributeValues: { ':r': numericValue(rank) } }),
      })
    await update('d', 'SET #r = :r', 0)
    await expectEventually(bench, sorts, ['d', 'b', 'c', 'a'])
    await update('b', 'REMOVE #r')
    await expectEventually(bench, sorts, ['d', 'c', 'a'])
    await update('d', 'SET #r = :r', 9)
    await expectEventually(bench, sorts, ['c', 'a', 'd'])
    await store.deleteItem({ TableName, Key: { pk, sk: stringValue('c') } })
    await expectEventually(bench, sorts, ['a', 'd'])
  },

  'an item leaves its index partition when it moves to another': async bench => {
    const found = await IndexedItems.of(bench)
    const { TableName } = found.partition
    const other = await IndexedItems.of(bench)
    await bench.put(TableName, {
      ...found.items.c,
      group: other.group,
      rank: numericValue(0),
      kept: stringValue('moved'),
    })
    await expectEventually(bench, async () => attributeOfItems(await found.queryGroup('byGroup')), ['b', 'a'])
    await expectEventually(bench, async () => attributeOfItems(await other.queryGroup('byGroup'), 'kept'), [
      'moved',
      'kept',
      'kept',
      'kept',
    ])
  },

  'an index shows the latest projected values': async bench => {
    const found = await IndexedItems.of(bench)
    const { store, TableName, pk } = found.partition
    await store.updateItem({
      TableName,
      Key: { pk, sk: stringValue('b') },
      UpdateExpression: 'SET kept = :k, extra = :k',
      ExpressionAttributeValues: { ':k': stringValue('new') },
    })
    const { a, b, c } = found.items
    const Items = [
      { ...pickAttributes(b, ...BY_GROUP), kept: stringValue('new') },
      pickAttributes(c, ...BY_GROUP),
      pickAttributes(a, ...BY_GROUP),
    ]
    await expectEventually(bench, async () => (await found.queryGroup('byGroup')).Items, Items)
  },

  'a strongly consistent read of a global index is rejected': async bench => {
    const found = await sharedIndexedItems(bench)
    await expectValidationError(
      found.queryGroup('byGroup', '#g = :g', {}, { ConsistentRead: true }),
      'Consistent reads are not supported on global secondary indexes',
    )
  },
})

const localIndexes = defineCases('query', {
  'a local index returns whole items in the order of its own sort key': async bench => {
    const { partition, items } = await sharedIndexedItems(bench)
    const { a, b, d } = items
    const local = { IndexName: 'byLocal' }
    expectEqual(await partition.query('pk = :pk', {}, local), { Items: [d, b, a], Count: 3, ScannedCount: 3 })
    const given = { '#l': 'local', ':l': stringValue('y') }
    expectEqual((await partition.query('pk = :pk AND #l >= :l', given, local)).Items, [b, a])
    const reverse = { ...local, ScanIndexForward: false }
    expectEqual((await partition.query('pk = :pk AND #l <= :l', given, reverse)).Items, [b, d])
  },

  'a local index with KEYS_ONLY returns the keys of the table and of the index': async bench => {
    const { partition, items } = await sharedIndexedItems(bench)
    const { a, b, c, e } = items
    const Items = [b, c, a, e].map(item => pickAttributes(item, 'pk', 'sk', 'rank'))
    expectEqual(await partition.query('pk = :pk', {}, { IndexName: 'byRank' }), { Items, Count: 4, ScannedCount: 4 })
  },

  'a query of a local index returns only items of its partition': async bench => {
    const { partition, items } = await IndexedItems.of(bench)
    await IndexedItems.of(bench)
    const given = { '#r': 'rank', ':r': numericValue(3) }
    const answer = await partition.query('pk = :pk AND #r = :r', given, { IndexName: 'byRank' })
    expectEqual(answer.Items, [pickAttributes(items.a, 'pk', 'sk', 'rank')])
  },

  'a local index fetches requested attributes outside its projection from the table': async bench => {
    const { partition } = await sharedIndexedItems(bench)
    const ProjectionExpression = 'sk, extra'
    const given = { '#r': 'rank', ':r': numericValue(2) }
    const answer = await partition.query('pk = :pk AND #r <= :r', given, { IndexName: 'byRank', ProjectionExpression })
    expectEqual(answer.Items, [
      { sk: stringValue('b'), extra: stringValue('extra') },
      { sk: stringValue('c'), extra: stringValue('extra') },
    ])
  },

  'a local index shows every write before a strongly consistent query of it': async bench => {
    const { partition } = await IndexedItems.of(bench)
    const { store, TableName, pk } = partition
    await store.deleteItem({ TableName, Key: { pk, sk: stringValue('b') } })
    await bench.put(TableName, { pk, sk: stringValue('f'), local: stringValue('xx') })
    expectEqual(attributeOfItems(await partition.query('pk = :pk', {}, { IndexName: 'byLocal' })), ['d', 'f', 'a'])
  },
})

/** Cases of index queries: their entries, their order and their attributes. */
export const queryIndexCases = [...globalIndexes, ...localIndexes]
