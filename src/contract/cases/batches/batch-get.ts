import type { Item, Key } from '../../../dynamodb/attribute-value.js'
import { BATCH_GET_BYTES, BATCH_GET_KEYS, BATCH_GET_PARTITION_BYTES, ITEM_BYTES } from '../../../dynamodb/limits.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import { expectEqual } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, fillItem, sortByTable, sortItems } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'

/** More items of the maximum size than one response holds, half of them in each of two tables. */
async function createLargeItems(bench: TestBench): Promise<Record<string, Item[]>> {
  const pk = bench.unique('large')
  const half = Math.ceil(BATCH_GET_BYTES / ITEM_BYTES / 2)
  const [text, sorted] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
  const items = {
    [text]: createMany(half, index => fillItem({ pk: { S: `${pk}-${index}` } }, ITEM_BYTES)),
    [sorted]: createMany(half, index => fillItem({ pk: { S: `${pk}-${index}` }, sk: { N: '0' } }, ITEM_BYTES)),
  }
  for (const table in items) await bench.put(table, ...items[table]!)
  return items
}

const sumBytes = (items: readonly Item[]) => items.reduce((sum, item) => sum + countItemBytes(item), 0)
const withoutFilling = ({ filling, ...key }: Item): Key => key

export const batchGetCases = defineCases('batchGetItem', {
  'items of several tables are grouped by table': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('compositeN')]
    const [first, second, third] = [bench.unique(), bench.unique(), bench.unique()]
    await bench.put(text, { pk: { S: first }, of: { S: 'text' } }, { pk: { S: second } })
    await bench.put(number, { pk: { S: third }, sk: { N: '7' }, of: { BOOL: true } })
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: {
        [text]: { Keys: [{ pk: { S: first } }, { pk: { S: second } }] },
        [number]: { Keys: [{ pk: { S: third }, sk: { N: '7' } }] },
      },
    })
    expectEqual(Object.keys(Responses ?? {}).toSorted(), [text, number].toSorted())
    expectEqual(
      sortItems(Responses?.[text]),
      sortItems([{ pk: { S: first }, of: { S: 'text' } }, { pk: { S: second } }]),
    )
    expectEqual(Responses?.[number], [{ pk: { S: third }, sk: { N: '7' }, of: { BOOL: true } }])
    expectEqual(UnprocessedKeys, {})
  },

  'a missing item is absent, not unprocessed': async bench => {
    const table = await bench.sharedTable('hash')
    const pk = bench.unique()
    await bench.put(table, { pk: { S: pk } })
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: bench.unique('absent') } }, { pk: { S: pk } }] } },
    })
    expectEqual(Responses, { [table]: [{ pk: { S: pk } }] })
    expectEqual(UnprocessedKeys, {})
  },

  'a table without found items has an empty list': async bench => {
    const table = await bench.sharedTable('hash')
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: bench.unique('absent') } }] } },
    })
    expectEqual(Responses, { [table]: [] })
    expectEqual(UnprocessedKeys, {})
  },

  'each table has its own projection, which omits unnamed keys': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('hashN')]
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
    expectEqual(Responses, {
      [text]: [{ size: { N: '1' }, map: { M: { a: { L: [{ S: 'y' }] } } } }],
      [number]: [{ plain: { S: 'p' }, pk: { N } }],
    })
  },

  'an item without any projected attribute is returned empty': async bench => {
    const table = await bench.sharedTable('hash')
    const pk = bench.unique()
    await bench.put(table, { pk: { S: pk }, some: { S: 'thing' } })
    const { Responses } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: pk } }], ProjectionExpression: 'nothing' } },
    })
    expectEqual(Responses, { [table]: [{}] })
  },

  'binary keys are found by their bytes': async bench => {
    const table = await bench.sharedTable('hashB')
    const B = new TextEncoder().encode(bench.unique())
    await bench.put(table, { pk: { B }, of: { S: 'bytes' } })
    const { Responses } = await bench.store.batchGetItem({ RequestItems: { [table]: { Keys: [{ pk: { B } }] } } })
    expectEqual(
      Responses?.[table]?.map(item => [[...(item.pk?.B ?? [])], item.of]),
      [[[...B], { S: 'bytes' }]],
    )
  },

  'a batch takes 100 keys, over all tables': withCoverage(['limit:BATCH_GET_KEYS'], async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('hashN')]
    const pk = bench.unique()
    await bench.put(text, { pk: { S: `${pk}-59` } })
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({
      RequestItems: {
        [text]: { Keys: createMany(60, index => ({ pk: { S: `${pk}-${index}` } })) },
        [number]: { Keys: createMany(BATCH_GET_KEYS - 60, index => ({ pk: { N: `-${index + 1}` } })) },
      },
    })
    expectEqual(Responses, { [text]: [{ pk: { S: `${pk}-59` } }], [number]: [] })
    expectEqual(UnprocessedKeys, {})
  }),

  'keys beyond 16 MB are unprocessed, with their read options': withCoverage(['limit:BATCH_GET_BYTES'], async bench => {
    const items = await createLargeItems(bench)
    const reading = {
      ConsistentRead: true,
      ProjectionExpression: '#key, sk, filling',
      ExpressionAttributeNames: { '#key': 'pk' },
    }
    const asked = Object.entries(items).map(([table, list]) => [table, { Keys: list.map(withoutFilling), ...reading }])
    const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({ RequestItems: Object.fromEntries(asked) })
    const answeredBytes = sumBytes(Object.values(Responses!).flat())
    expectEqual([answeredBytes > 0, answeredBytes <= BATCH_GET_BYTES], [true, true])
    for (const { Keys, ...settings } of Object.values(UnprocessedKeys!)) expectEqual(settings, reading)
    for (const table in items) {
      const seen = [...(Responses![table] ?? []).map(withoutFilling), ...(UnprocessedKeys![table]?.Keys ?? [])]
      expectEqual(sortItems(seen), sortItems(items[table]!.map(withoutFilling)))
    }
    const rest = await bench.store.batchGetItem({ RequestItems: UnprocessedKeys! })
    expectEqual(rest.UnprocessedKeys, {})
    for (const table in items) {
      const found = [...(Responses![table] ?? []), ...(rest.Responses![table] ?? [])]
      expectEqual(sortItems(found), sortItems(items[table]!))
    }
  }),

  'keys beyond 1 MB of one partition are unprocessed, and keys of other partitions are read': withCoverage(
    ['limit:BATCH_GET_PARTITION_BYTES'],
    async bench => {
      const table = await bench.sharedTable('compositeN')
      const [large, small] = [bench.unique('large'), bench.unique('small')]
      const inPartition = createMany(20, index => fillItem({ pk: { S: large }, sk: { N: `${index}` } }, 75 * 1000))
      const elsewhere = fillItem({ pk: { S: small }, sk: { N: '0' } }, 75 * 1000)
      await bench.put(table, ...inPartition, elsewhere)
      let Keys = [...inPartition, elsewhere].map(withoutFilling)
      const found: Item[] = []
      const rounds: number[] = []
      while (Keys.length > 0) {
        const { Responses, UnprocessedKeys } = await bench.store.batchGetItem({ RequestItems: { [table]: { Keys } } })
        const answered = Responses![table]!
        expectEqual(sumBytes(answered.filter(({ pk }) => pk!.S === large)) <= BATCH_GET_PARTITION_BYTES, true)
        if (rounds.length === 0) expectEqual(sortItems(answered).at(-1)?.pk, { S: small })
        rounds.push(answered.length)
        found.push(...answered)
        Keys = UnprocessedKeys![table]?.Keys ?? []
      }
      expectEqual(rounds, [14, 7])
      expectEqual(sortItems(found), sortItems([...inPartition, elsewhere]))
    },
  ),

  'each item costs a separate read, found or not': async bench => {
    const [text, number] = [await bench.sharedTable('hash'), await bench.sharedTable('hashN')]
    const pk = bench.unique()
    await bench.put(text, fillItem({ pk: { S: `${pk}-small` } }, 4096), fillItem({ pk: { S: `${pk}-large` } }, 4097))
    const keys = ['small', 'large', 'absent'].map(name => ({ pk: { S: `${pk}-${name}` } }))
    const { ConsumedCapacity } = await bench.store.batchGetItem({
      RequestItems: { [text]: { Keys: keys }, [number]: { Keys: [{ pk: { N: '-1' } }], ConsistentRead: true } },
      ReturnConsumedCapacity: 'TOTAL',
    })
    expectEqual(
      sortByTable(ConsumedCapacity),
      sortByTable([
        { TableName: text, CapacityUnits: 0.5 + 1 + 0.5 },
        { TableName: number, CapacityUnits: 1 },
      ]),
    )
  },

  'consistent reads cost twice the units of the whole items, for any projection': async bench => {
    const table = await bench.sharedTable('hash')
    const pk = bench.unique()
    await bench.put(table, fillItem({ pk: { S: pk } }, 8193))
    const { ConsumedCapacity } = await bench.store.batchGetItem({
      RequestItems: { [table]: { Keys: [{ pk: { S: pk } }], ConsistentRead: true, ProjectionExpression: 'pk' } },
      ReturnConsumedCapacity: 'INDEXES',
    })
    expectEqual(ConsumedCapacity, [{ TableName: table, CapacityUnits: 3, Table: { CapacityUnits: 3 } }])
  },

  'capacity is reported only on request': async bench => {
    const table = await bench.sharedTable('hash')
    const RequestItems = { [table]: { Keys: [{ pk: { S: bench.unique() } }] } }
    expectEqual('ConsumedCapacity' in (await bench.store.batchGetItem({ RequestItems })), false)
    const none = await bench.store.batchGetItem({ RequestItems, ReturnConsumedCapacity: 'NONE' })
    expectEqual('ConsumedCapacity' in none, false)
  },
})
