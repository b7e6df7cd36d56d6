import { cases } from '../case.js'
import { invalid, same } from '../expect.js'
import { Indexed, indexed, only } from './indexed.js'
import { listed, number, query, settles, text } from './reading.js'

const BY_GROUP = ['pk', 'sk', 'group', 'rank', 'kept']
const GROUP_ONLY = ['pk', 'sk', 'group']

const globalIndexes = cases('query', {
  'a global index answers by its own key, in the order of its own sort key': async bench => {
    const found = await indexed(bench)
    const { a, b, c } = found.items
    const Items = [b, c, a].map(item => only(item, ...BY_GROUP))
    await settles(bench, () => found.queryGroup('byGroup'), { Items, Count: 3, ScannedCount: 3 })
    const reverse = { ScanIndexForward: false }
    await settles(bench, async () => (await found.queryGroup('byGroup', '#g = :g', {}, reverse)).Items, Items.reverse())
  },

  'a condition on the sort key of a global index takes a range of it': async bench => {
    const found = await indexed(bench)
    const sorts = async (condition: string, ...values: number[]) => {
      const given = Object.fromEntries(values.map((value, i) => [`:${i}`, number(value)]))
      return listed(await found.queryGroup('byGroup', `#g = :g AND ${condition}`, { '#r': 'rank', ...given }))
    }
    await settles(bench, () => sorts('#r > :0', 1), ['c', 'a'])
    await settles(bench, () => sorts('#r = :0', 2), ['c'])
    await settles(bench, () => sorts('#r BETWEEN :0 AND :1', 1, 2), ['b', 'c'])
    await settles(bench, () => sorts('#r < :0', 1), [])
  },

  'a global index without a sort key answers every item with its key': async bench => {
    const found = await indexed(bench)
    const { a, b, c, d } = found.items
    await settles(
      bench,
      async () => (await found.queryGroup('groupOnly')).Items!.sort((x, y) => (x.sk!.S! < y.sk!.S! ? -1 : 1)),
      [a, b, c, d].map(item => only(item, ...GROUP_ONLY)),
    )
  },

  'an inverted index finds by the sort key, whole items of any partition': async bench => {
    const TableName = await bench.table('composite')
    const sk = text(bench.unique('sort'))
    const items = ['x', 'z', 'y'].map(suffix => ({ pk: text(bench.unique(suffix)), sk, more: text(suffix) }))
    await bench.put(TableName, ...items)
    const [x, z, y] = items
    const read = () =>
      query(bench.store, {
        TableName,
        IndexName: 'inverted',
        KeyConditionExpression: 'sk = :sk',
        ExpressionAttributeValues: { ':sk': sk },
      })
    await settles(bench, read, { Items: [x, y, z], Count: 3, ScannedCount: 3 })
  },

  'an item is in an index only while it has every attribute of the key': async bench => {
    const found = await Indexed.of(bench)
    const { store, TableName, pk } = found.partition
    const sorts = async () => listed(await found.queryGroup('byGroup'))
    await settles(bench, sorts, ['b', 'c', 'a'])
    const update = (sk: string, UpdateExpression: string, rank?: number) =>
      store.updateItem({
        TableName,
        Key: { pk, sk: text(sk) },
        UpdateExpression,
        ExpressionAttributeNames: { '#r': 'rank' },
        ...(rank !== undefined && { ExpressionAttributeValues: { ':r': number(rank) } }),
      })
    await update('d', 'SET #r = :r', 0)
    await settles(bench, sorts, ['d', 'b', 'c', 'a'])
    await update('b', 'REMOVE #r')
    await settles(bench, sorts, ['d', 'c', 'a'])
    await update('d', 'SET #r = :r', 9)
    await settles(bench, sorts, ['c', 'a', 'd'])
    await store.deleteItem({ TableName, Key: { pk, sk: text('c') } })
    await settles(bench, sorts, ['a', 'd'])
  },

  'an item leaves the partition of an index when it goes to another': async bench => {
    const found = await Indexed.of(bench)
    const { TableName } = found.partition
    const other = await Indexed.of(bench)
    await bench.put(TableName, { ...found.items.c, group: other.group, rank: number(0), kept: text('moved') })
    await settles(bench, async () => listed(await found.queryGroup('byGroup')), ['b', 'a'])
    await settles(bench, async () => listed(await other.queryGroup('byGroup'), 'kept'), [
      'moved',
      'kept',
      'kept',
      'kept',
    ])
  },

  'an index shows the latest of what it projects': async bench => {
    const found = await Indexed.of(bench)
    const { store, TableName, pk } = found.partition
    await store.updateItem({
      TableName,
      Key: { pk, sk: text('b') },
      UpdateExpression: 'SET kept = :k, extra = :k',
      ExpressionAttributeValues: { ':k': text('new') },
    })
    const { a, b, c } = found.items
    const Items = [{ ...only(b, ...BY_GROUP), kept: text('new') }, only(c, ...BY_GROUP), only(a, ...BY_GROUP)]
    await settles(bench, async () => (await found.queryGroup('byGroup')).Items, Items)
  },

  'a strongly consistent read of a global index is refused': async bench => {
    const found = await indexed(bench)
    await invalid(
      found.queryGroup('byGroup', '#g = :g', {}, { ConsistentRead: true }),
      'Consistent reads are not supported on global secondary indexes',
    )
  },
})

const localIndexes = cases('query', {
  'a local index answers whole items in the order of its own sort key': async bench => {
    const { partition, items } = await indexed(bench)
    const { a, b, d } = items
    const local = { IndexName: 'byLocal' }
    same(await partition.query('pk = :pk', {}, local), { Items: [d, b, a], Count: 3, ScannedCount: 3 })
    const given = { '#l': 'local', ':l': text('y') }
    same((await partition.query('pk = :pk AND #l >= :l', given, local)).Items, [b, a])
    const reverse = { ...local, ScanIndexForward: false }
    same((await partition.query('pk = :pk AND #l <= :l', given, reverse)).Items, [b, d])
  },

  'a local index of keys answers the keys of the table and its own': async bench => {
    const { partition, items } = await indexed(bench)
    const { a, b, c, e } = items
    const Items = [b, c, a, e].map(item => only(item, 'pk', 'sk', 'rank'))
    same(await partition.query('pk = :pk', {}, { IndexName: 'byRank' }), { Items, Count: 4, ScannedCount: 4 })
  },

  'a local index has only the items of the partition that is asked for': async bench => {
    const { partition, items } = await Indexed.of(bench)
    await Indexed.of(bench)
    const given = { '#r': 'rank', ':r': number(3) }
    const answer = await partition.query('pk = :pk AND #r = :r', given, { IndexName: 'byRank' })
    same(answer.Items, [only(items.a, 'pk', 'sk', 'rank')])
  },

  'a local index fetches from the table what it does not project and is asked for': async bench => {
    const { partition } = await indexed(bench)
    const ProjectionExpression = 'sk, extra'
    const given = { '#r': 'rank', ':r': number(2) }
    const answer = await partition.query('pk = :pk AND #r <= :r', given, { IndexName: 'byRank', ProjectionExpression })
    same(answer.Items, [
      { sk: text('b'), extra: text('extra') },
      { sk: text('c'), extra: text('extra') },
    ])
  },

  'a local index shows every write before a strongly consistent query of it': async bench => {
    const { partition } = await Indexed.of(bench)
    const { store, TableName, pk } = partition
    await store.deleteItem({ TableName, Key: { pk, sk: text('b') } })
    await bench.put(TableName, { pk, sk: text('f'), local: text('xx') })
    same(listed(await partition.query('pk = :pk', {}, { IndexName: 'byLocal' })), ['d', 'f', 'a'])
  },
})

/** Queries of indexes: what is in them, in which order, and how much of it. */
export const queryIndexCases = [...globalIndexes, ...localIndexes]
