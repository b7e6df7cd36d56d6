import type { Item, Key } from '../../../dynamodb/attribute-value.js'
import { BATCH_GET_BYTES, BATCH_GET_KEYS, BATCH_GET_PARTITION_BYTES, ITEM_BYTES } from '../../../dynamodb/limits.js'
import { itemBytes } from '../../../dynamodb/size.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import { byTable, filled, inOrder, times } from './measures.js'

/** More items of the largest size than one answer holds, half of them in each of two tables. */
async function manyLargeItems(bench: Bench): Promise<Record<string, Item[]>> {
  const pk = bench.unique('large')
  const half = Math.ceil(BATCH_GET_BYTES / ITEM_BYTES / 2)
  const [text, sorted] = [await bench.table('hash'), await bench.table('compositeN')]
  const items = {
    [text]: times(half, index => filled({ pk: { S: `${pk}-${index}` } }, ITEM_BYTES)),
    [sorted]: times(half, index => filled({ pk: { S: `${pk}-${index}` }, sk: { N: '0' } }, ITEM_BYTES)),
  }
  for (const table in items) await bench.put(table, ...items[table]!)
  return items
}

const sumBytes = (items: readonly Item[]) => items.reduce((sum, item) => sum + itemBytes(item), 0)
const keyOf = ({ filling, ...key }: Item): Key => key

export const batchGetCases = cases('batchGetItem', {
  'items of several tables are answered by table': async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('compositeN')]
    const [first, second, third] = [bench.unique(), bench.unique(), bench.unique()]
    await bench.put(text, { pk: { S: first }, of: { S: 'text' } }, { pk: { S: second } })
    await bench.put(number, { pk: { S: third }, sk: { N: '7' }, of: { BOOL: true } })
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: {
        [text]: { Keys: [{ pk: { S: first } }, { pk: { S: second } }] },
        [number]: { Keys: [{ pk: { S: third }, sk: { N: '7' } }] },
      },
    })
    same(Object.keys(Responses ?? {}).toSorted(), [text, number].toSorted())
    same(inOrder(Responses?.[text]), inOrder([{ pk: { S: first }, of: { S: 'text' } }, { pk: { S: second } }]))
    same(Responses?.[number], [{ pk: { S: third }, sk: { N: '7' }, of: { BOOL: true } }])
    same(UnprocessedKeys, {})
  },

  'an item that is not there is absent, not unprocessed': async bench => {
    const table = await bench.table('hash')
    const pk = bench.unique()
    await bench.put(table, { pk: { S: pk } })
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: bench.unique('absent') } }, { pk: { S: pk } }] } },
    })
    same(Responses, { [table]: [{ pk: { S: pk } }] })
    same(UnprocessedKeys, {})
  },

  'a table none of whose items are there has an empty list': async bench => {
    const table = await bench.table('hash')
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: bench.unique('absent') } }] } },
    })
    same(Responses, { [table]: [] })
    same(UnprocessedKeys, {})
  },

  'each table has a projection of its own, which leaves out keys that it does not name': async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('hashN')]
    const pk = bench.unique()
    const N = String(Date.now())
    await bench.put(text, { pk: { S: pk }, size: { N: '1' }, map: { M: { a: { L: [{ S: 'x' }, { S: 'y' }] } } } })
    await bench.put(number, { pk: { N }, plain: { S: 'p' }, other: { S: 'o' } })
    const { Responses } = await bench.store.batchGetItem({
      RequestItems: {
        [text]: {
          Keys: [{ pk: { S: pk } }],
          ProjectionExpression: '#size, #map.a[1]',
          ExpressionAttributeNames: { '#size': 'size', '#map': 'map' },
        },
        [number]: { Keys: [{ pk: { N } }], ProjectionExpression: 'plain, pk' },
      },
    })
    same(Responses, {
      [text]: [{ size: { N: '1' }, map: { M: { a: { L: [{ S: 'y' }] } } } }],
      [number]: [{ plain: { S: 'p' }, pk: { N } }],
    })
  },

  'an item of which the projection finds nothing is answered empty': async bench => {
    const table = await bench.table('hash')
    const pk = bench.unique()
    await bench.put(table, { pk: { S: pk }, some: { S: 'thing' } })
    const { Responses } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: pk } }], ProjectionExpression: 'nothing' } },
    })
    same(Responses, { [table]: [{}] })
  },

  'binary keys are found by their bytes': async bench => {
    const table = await bench.table('hashB')
    const B = new TextEncoder().encode(bench.unique())
    await bench.put(table, { pk: { B }, of: { S: 'bytes' } })
    const { Responses } = await bench.store.batchGetItem({ RequestItems: { [table]: { Keys: [{ pk: { B } }] } } })
    same(
      Responses?.[table]?.map(item => [[...(item.pk?.B ?? [])], item.of]),
      [[[...B], { S: 'bytes' }]],
    )
  },

  'a batch takes 100 keys, over all tables': covering(['limit:BATCH_GET_KEYS'], async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('hashN')]
    const pk = bench.unique()
    await bench.put(text, { pk: { S: `${pk}-59` } })
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: {
        [text]: { Keys: times(60, index => ({ pk: { S: `${pk}-${index}` } })) },
        [number]: { Keys: times(BATCH_GET_KEYS - 60, index => ({ pk: { N: `-${index + 1}` } })) },
      },
    })
    same(Responses, { [text]: [{ pk: { S: `${pk}-59` } }], [number]: [] })
    same(UnprocessedKeys, {})
  }),

  'keys beyond 16 MB are unprocessed, with how they are to be read': covering(
    ['limit:BATCH_GET_BYTES'],
    async bench => {
      const items = await manyLargeItems(bench)
      const reading = {
        ConsistentRead: true,
        ProjectionExpression: '#key, sk, filling',
        ExpressionAttributeNames: { '#key': 'pk' },
      }
      const asked = Object.entries(items).map(([table, list]) => [table, { Keys: list.map(keyOf), ...reading }])
      const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({ RequestItems: Object.fromEntries(asked) })
      const answeredBytes = sumBytes(Object.values(Responses!).flat())
      same([answeredBytes > 0, answeredBytes <= BATCH_GET_BYTES], [true, true])
      for (const { Keys, ...settings } of Object.values(UnprocessedKeys!)) same(settings, reading)
      for (const table in items) {
        const seen = [...(Responses![table] ?? []).map(keyOf), ...(UnprocessedKeys![table]?.Keys ?? [])]
        same(inOrder(seen), inOrder(items[table]!.map(keyOf)))
      }
      const rest = await bench.store.batchGetItem({ RequestItems: UnprocessedKeys! })
      same(rest.UnprocessedKeys, {})
      for (const table in items) {
        const found = [...(Responses![table] ?? []), ...(rest.Responses![table] ?? [])]
        same(inOrder(found), inOrder(items[table]!))
      }
    },
  ),

  'keys beyond 1 MB of one partition are unprocessed, and keys of other partitions are read': covering(
    ['limit:BATCH_GET_PARTITION_BYTES'],
    async bench => {
      const table = await bench.table('compositeN')
      const [large, small] = [bench.unique('large'), bench.unique('small')]
      const inPartition = times(20, index => filled({ pk: { S: large }, sk: { N: `${index}` } }, 75 * 1000))
      const elsewhere = filled({ pk: { S: small }, sk: { N: '0' } }, 75 * 1000)
      await bench.put(table, ...inPartition, elsewhere)
      let Keys = [...inPartition, elsewhere].map(keyOf)
      const found: Item[] = []
      const rounds: number[] = []
      while (Keys.length > 0) {
        const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({ RequestItems: { [table]: { Keys } } })
        const answered = Responses![table]!
        same(sumBytes(answered.filter(({ pk }) => pk!.S === large)) <= BATCH_GET_PARTITION_BYTES, true)
        if (rounds.length === 0) same(inOrder(answered).at(-1)?.pk, { S: small })
        rounds.push(answered.length)
        found.push(...answered)
        Keys = UnprocessedKeys![table]?.Keys ?? []
      }
      same(rounds, [14, 7])
      same(inOrder(found), inOrder([...inPartition, elsewhere]))
    },
  ),

  'each item costs a read of its own, found or not': async bench => {
    const [text, number] = [await bench.table('hash'), await bench.table('hashN')]
    const pk = bench.unique()
    await bench.put(text, filled({ pk: { S: `${pk}-small` } }, 4096), filled({ pk: { S: `${pk}-large` } }, 4097))
    const keys = ['small', 'large', 'absent'].map(name => ({ pk: { S: `${pk}-${name}` } }))
    const { ConsumedCapacity } = await bench.store.batchGetItem({
      RequestItems: { [text]: { Keys: keys }, [number]: { Keys: [{ pk: { N: '-1' } }], ConsistentRead: true } },
      ReturnConsumedCapacity: 'TOTAL',
    })
    same(
      byTable(ConsumedCapacity),
      byTable([
        { TableName: text, CapacityUnits: 0.5 + 1 + 0.5 },
        { TableName: number, CapacityUnits: 1 },
      ]),
    )
  },

  'consistent reads cost twice, of whole items whatever the projection': async bench => {
    const table = await bench.table('hash')
    const pk = bench.unique()
    await bench.put(table, filled({ pk: { S: pk } }, 8193))
    const { ConsumedCapacity } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: pk } }], ConsistentRead: true, ProjectionExpression: 'pk' } },
      ReturnConsumedCapacity: 'INDEXES',
    })
    same(ConsumedCapacity, [{ TableName: table, CapacityUnits: 3, Table: { CapacityUnits: 3 } }])
  },

  'capacity is told only when it is asked for': async bench => {
    const table = await bench.table('hash')
    const RequestItems = { [table]: { Keys: [{ pk: { S: bench.unique() } }] } }
    same('ConsumedCapacity' in (await bench.store.batchGetItem({ RequestItems })), false)
    const none = await bench.store.batchGetItem({ RequestItems, ReturnConsumedCapacity: 'NONE' })
    same('ConsumedCapacity' in none, false)
  },
})
