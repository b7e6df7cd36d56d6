import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../dynamodb/limits.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { invalid, same } from '../expect.js'
import type { SharedTable } from '../tables.js'

const LONG_PARTITION_KEY =
  'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
const LONG_SORT_KEY =
  'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes'
const emptyKey = (kind: string, name: string) =>
  `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`

/** Every way of giving a key is refused in the same words. */
async function refusedEverywhere(bench: Bench, TableName: string, key: Key, message: string): Promise<void> {
  const { store } = bench
  await invalid(store.putItem({ TableName, Item: key }), message)
  await invalid(store.getItem({ TableName, Key: key }), message)
  await invalid(store.updateItem({ TableName, Key: key }), message)
  await invalid(store.deleteItem({ TableName, Key: key }), message)
}

/** Every way of giving a key works with this one. */
async function takenEverywhere(bench: Bench, TableName: string, key: Key): Promise<void> {
  const { store } = bench
  await store.updateItem({ TableName, Key: key })
  const item: Item = { ...key, a: { N: '1' } }
  await bench.put(TableName, item)
  same(await bench.get(TableName, key), item)
  await store.deleteItem({ TableName, Key: key })
  same(await bench.get(TableName, key), undefined)
}

const unique = (bench: Bench, length: number) => bench.unique().padEnd(length, 'x')
const bytes = (text: string): AttributeValue => ({ B: new Uint8Array(Buffer.from(text)) })

/** Keys of tables. */
export const keyCases = cases('putItem', {
  'keys are strings, numbers or binaries': async bench => {
    const { pk } = { pk: { S: bench.unique() } }
    const number = { N: String(Date.now()) }
    const keys: [SharedTable, Key][] = [
      ['hash', { pk }],
      ['hashN', { pk: number }],
      ['hashB', { pk: bytes(bench.unique()) }],
      ['composite', { pk, sk: { S: 'a' } }],
      ['compositeN', { pk, sk: { N: '-1.5' } }],
      ['compositeB', { pk, sk: { B: Uint8Array.of(0, 255) } }],
    ]
    for (const [table, key] of keys) await takenEverywhere(bench, await bench.table(table), key)
  },
  'a numeric key is the same key however it is written': async bench => {
    const TableName = await bench.table('compositeN')
    const pk = { S: bench.unique() }
    await bench.put(TableName, { pk, sk: { N: '1.50' }, a: { S: 'first' } })
    same(await bench.get(TableName, { pk, sk: { N: '15e-1' } }), { pk, sk: { N: '1.5' }, a: { S: 'first' } })
    await bench.put(TableName, { pk, sk: { N: '+1.5' }, a: { S: 'second' } })
    same(await bench.get(TableName, { pk, sk: { N: '1.5' } }), { pk, sk: { N: '1.5' }, a: { S: 'second' } })
    same(await bench.get(TableName, { pk, sk: { N: '-1.5' } }), undefined)
  },
  'keys that share a beginning are different keys': async bench => {
    const TableName = await bench.table('composite')
    const start = bench.unique()
    const keys = [
      { pk: { S: `${start}a` }, sk: { S: 'b' } },
      { pk: { S: start }, sk: { S: 'ab' } },
      { pk: { S: `${start}\u0000` }, sk: { S: 'a' } },
      { pk: { S: start }, sk: { S: '\u0000a' } },
    ]
    for (const key of keys) await bench.put(TableName, { ...key, own: key.sk })
    for (const key of keys) same(await bench.get(TableName, key), { ...key, own: key.sk })
  },
  'a partition key has at most 2048 bytes': covering(['limit:PARTITION_KEY_BYTES'], async bench => {
    const hash = await bench.table('hash')
    const hashB = await bench.table('hashB')
    await takenEverywhere(bench, hash, { pk: { S: unique(bench, PARTITION_KEY_BYTES) } })
    await takenEverywhere(bench, hash, { pk: { S: `é${unique(bench, PARTITION_KEY_BYTES - 2)}` } })
    await takenEverywhere(bench, hashB, { pk: bytes(unique(bench, PARTITION_KEY_BYTES)) })
    await refusedEverywhere(bench, hash, { pk: { S: unique(bench, PARTITION_KEY_BYTES + 1) } }, LONG_PARTITION_KEY)
    await refusedEverywhere(
      bench,
      hash,
      { pk: { S: `é${unique(bench, PARTITION_KEY_BYTES - 1)}` } },
      LONG_PARTITION_KEY,
    )
    await refusedEverywhere(bench, hashB, { pk: bytes(unique(bench, PARTITION_KEY_BYTES + 1)) }, LONG_PARTITION_KEY)
  }),
  'a sort key has at most 1024 bytes': covering(['limit:SORT_KEY_BYTES'], async bench => {
    const composite = await bench.table('composite')
    const compositeB = await bench.table('compositeB')
    const pk = { S: bench.unique() }
    await takenEverywhere(bench, composite, { pk, sk: { S: unique(bench, SORT_KEY_BYTES) } })
    await takenEverywhere(bench, compositeB, { pk, sk: bytes(unique(bench, SORT_KEY_BYTES)) })
    await refusedEverywhere(bench, composite, { pk, sk: { S: unique(bench, SORT_KEY_BYTES + 1) } }, LONG_SORT_KEY)
    await refusedEverywhere(bench, compositeB, { pk, sk: bytes(unique(bench, SORT_KEY_BYTES + 1)) }, LONG_SORT_KEY)
  }),
  'a key is not empty': async bench => {
    const pk = { S: bench.unique() }
    const none = { B: new Uint8Array() }
    await refusedEverywhere(bench, await bench.table('hash'), { pk: { S: '' } }, emptyKey('string', 'pk'))
    await refusedEverywhere(bench, await bench.table('hashB'), { pk: none }, emptyKey('binary', 'pk'))
    await refusedEverywhere(bench, await bench.table('composite'), { pk, sk: { S: '' } }, emptyKey('string', 'sk'))
    await refusedEverywhere(bench, await bench.table('compositeB'), { pk, sk: none }, emptyKey('binary', 'sk'))
  },
  'no expression reaches into a key, of the table or of an index': async bench => {
    const TableName = await bench.table('composite')
    const Key = { pk: { S: bench.unique() }, sk: { S: 's' } }
    const scalar = (role: string, name: string) =>
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${role}: ${name}`
    const condition = { TableName, ConditionExpression: 'attribute_exists(pk.a)' }
    const { store } = bench
    await invalid(store.putItem({ ...condition, Item: Key }), scalar('Key', 'pk'))
    await invalid(store.deleteItem({ ...condition, Key }), scalar('Key', 'pk'))
    await invalid(store.updateItem({ ...condition, Key }), scalar('Key', 'pk'))
    await invalid(store.updateItem({ TableName, Key, UpdateExpression: 'SET a = sk[0]' }), scalar('Key', 'sk'))
    const names = { TableName, Key, ExpressionAttributeNames: { '#r': 'rank' } }
    await invalid(store.updateItem({ ...names, UpdateExpression: 'REMOVE #r.a' }), scalar('IndexKey', 'rank'))
    await invalid(store.getItem({ ...names, ProjectionExpression: '#r[1]' }), scalar('IndexKey', 'rank'))
    const RequestItems = { [TableName]: { Keys: [Key], ProjectionExpression: 'sk.a' } }
    await invalid(store.batchGetItem({ RequestItems }), scalar('Key', 'sk'))
  },
})
