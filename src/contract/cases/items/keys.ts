import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../../dynamodb/limits.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import type { SharedTable } from '../../bench-tables.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import type { TestBench } from '../../test-bench.js'

const LONG_PARTITION_KEY =
  'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes'
const LONG_SORT_KEY =
  'One or more parameter values were invalid: Aggregated size of all range keys has exceeded the size limit of 1024 bytes'
const emptyKeyMessage = (kind: string, name: string) =>
  `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ${kind} value. Key: ${name}`

/** Asserts that a key in every kind of request is rejected with the same message. */
async function expectKeyRejected(bench: TestBench, TableName: string, key: Key, message: string): Promise<void> {
  const { store } = bench
  await expectValidationError(store.putItem({ TableName, Item: key }), message)
  await expectValidationError(store.getItem({ TableName, Key: key }), message)
  await expectValidationError(store.updateItem({ TableName, Key: key }), message)
  await expectValidationError(store.deleteItem({ TableName, Key: key }), message)
}

/** Asserts that a key works in every kind of request. */
async function expectKeyAccepted(bench: TestBench, TableName: string, key: Key): Promise<void> {
  const { store } = bench
  await store.updateItem({ TableName, Key: key })
  const item: Item = { ...key, a: { N: '1' } }
  await bench.put(TableName, item)
  expectEqual(await bench.get(TableName, key), item)
  await store.deleteItem({ TableName, Key: key })
  expectEqual(await bench.get(TableName, key), undefined)
}

const uniqueOfLength = (bench: TestBench, length: number) => bench.unique().padEnd(length, 'x')
const binaryOf = (text: string): AttributeValue => ({ B: new Uint8Array(Buffer.from(text)) })

/** Cases of table keys. */
export const keyCases = defineCases('putItem', {
  'keys are strings, numbers or binaries': async bench => {
    const { pk } = { pk: { S: bench.unique() } }
    const number = { N: String(Date.now()) }
    const keys: [SharedTable, Key][] = [
      ['hash', { pk }],
      ['hashN', { pk: number }],
      ['hashB', { pk: binaryOf(bench.unique()) }],
      ['composite', { pk, sk: { S: 'a' } }],
      ['compositeN', { pk, sk: { N: '-1.5' } }],
      ['compositeB', { pk, sk: { B: Uint8Array.of(0, 255) } }],
    ]
    for (const [table, key] of keys) await expectKeyAccepted(bench, await bench.sharedTable(table), key)
  },
  'a numeric key is the same in every notation': async bench => {
    const TableName = await bench.sharedTable('compositeN')
    const pk = { S: bench.unique() }
    await bench.put(TableName, { pk, sk: { N: '1.50' }, a: { S: 'first' } })
    expectEqual(await bench.get(TableName, { pk, sk: { N: '15e-1' } }), { pk, sk: { N: '1.5' }, a: { S: 'first' } })
    await bench.put(TableName, { pk, sk: { N: '+1.5' }, a: { S: 'second' } })
    expectEqual(await bench.get(TableName, { pk, sk: { N: '1.5' } }), { pk, sk: { N: '1.5' }, a: { S: 'second' } })
    expectEqual(await bench.get(TableName, { pk, sk: { N: '-1.5' } }), undefined)
  },
  'keys with a common prefix are different keys': async bench => {
    const TableName = await bench.sharedTable('composite')
    const start = bench.unique()
    const keys = [
      { pk: { S: `${start}a` }, sk: { S: 'b' } },
      { pk: { S: start }, sk: { S: 'ab' } },
      { pk: { S: `${start}\u0000` }, sk: { S: 'a' } },
      { pk: { S: start }, sk: { S: '\u0000a' } },
    ]
    for (const key of keys) await bench.put(TableName, { ...key, own: key.sk })
    for (const key of keys) expectEqual(await bench.get(TableName, key), { ...key, own: key.sk })
  },
  'a partition key has at most 2048 bytes': withCoverage(['limit:PARTITION_KEY_BYTES'], async bench => {
    const hash = await bench.sharedTable('hash')
    const hashB = await bench.sharedTable('hashB')
    await expectKeyAccepted(bench, hash, { pk: { S: uniqueOfLength(bench, PARTITION_KEY_BYTES) } })
    await expectKeyAccepted(bench, hash, { pk: { S: `é${uniqueOfLength(bench, PARTITION_KEY_BYTES - 2)}` } })
    await expectKeyAccepted(bench, hashB, { pk: binaryOf(uniqueOfLength(bench, PARTITION_KEY_BYTES)) })
    await expectKeyRejected(
      bench,
      hash,
      { pk: { S: uniqueOfLength(bench, PARTITION_KEY_BYTES + 1) } },
      LONG_PARTITION_KEY,
    )
    await expectKeyRejected(
      bench,
      hash,
      { pk: { S: `é${uniqueOfLength(bench, PARTITION_KEY_BYTES - 1)}` } },
      LONG_PARTITION_KEY,
    )
    await expectKeyRejected(
      bench,
      hashB,
      { pk: binaryOf(uniqueOfLength(bench, PARTITION_KEY_BYTES + 1)) },
      LONG_PARTITION_KEY,
    )
  }),
  'a sort key has at most 1024 bytes': withCoverage(['limit:SORT_KEY_BYTES'], async bench => {
    const composite = await bench.sharedTable('composite')
    const compositeB = await bench.sharedTable('compositeB')
    const pk = { S: bench.unique() }
    await expectKeyAccepted(bench, composite, { pk, sk: { S: uniqueOfLength(bench, SORT_KEY_BYTES) } })
    await expectKeyAccepted(bench, compositeB, { pk, sk: binaryOf(uniqueOfLength(bench, SORT_KEY_BYTES)) })
    await expectKeyRejected(
      bench,
      composite,
      { pk, sk: { S: uniqueOfLength(bench, SORT_KEY_BYTES + 1) } },
      LONG_SORT_KEY,
    )
    await expectKeyRejected(
      bench,
      compositeB,
      { pk, sk: binaryOf(uniqueOfLength(bench, SORT_KEY_BYTES + 1)) },
      LONG_SORT_KEY,
    )
  }),
  'an empty key is rejected': async bench => {
    const pk = { S: bench.unique() }
    const none = { B: new Uint8Array() }
    await expectKeyRejected(bench, await bench.sharedTable('hash'), { pk: { S: '' } }, emptyKeyMessage('string', 'pk'))
    await expectKeyRejected(bench, await bench.sharedTable('hashB'), { pk: none }, emptyKeyMessage('binary', 'pk'))
    await expectKeyRejected(
      bench,
      await bench.sharedTable('composite'),
      { pk, sk: { S: '' } },
      emptyKeyMessage('string', 'sk'),
    )
    await expectKeyRejected(
      bench,
      await bench.sharedTable('compositeB'),
      { pk, sk: none },
      emptyKeyMessage('binary', 'sk'),
    )
  },
  'an expression with a path into a key of the table or an index is rejected': async bench => {
    const TableName = await bench.sharedTable('composite')
    const Key = { pk: { S: bench.unique() }, sk: { S: 's' } }
    const scalar = (role: string, name: string) =>
      `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${role}: ${name}`
    const condition = { TableName, ConditionExpression: 'attribute_exists(pk.a)' }
    const { store } = bench
    await expectValidationError(store.putItem({ ...condition, Item: Key }), scalar('Key', 'pk'))
    await expectValidationError(store.deleteItem({ ...condition, Key }), scalar('Key', 'pk'))
    await expectValidationError(store.updateItem({ ...condition, Key }), scalar('Key', 'pk'))
    await expectValidationError(
      store.updateItem({ TableName, Key, UpdateExpression: 'SET a = sk[0]' }),
      scalar('Key', 'sk'),
    )
    const names = { TableName, Key, ExpressionAttributeNames: { '#r': 'rank' } }
    await expectValidationError(
      store.updateItem({ ...names, UpdateExpression: 'REMOVE #r.a' }),
      scalar('IndexKey', 'rank'),
    )
    await expectValidationError(store.getItem({ ...names, ProjectionExpression: '#r[1]' }), scalar('IndexKey', 'rank'))
    const RequestItems = { [TableName]: { Keys: [Key], ProjectionExpression: 'sk.a' } }
    await expectValidationError(store.batchGetItem({ RequestItems }), scalar('Key', 'sk'))
  },
})
