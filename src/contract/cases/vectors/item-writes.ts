import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../../dynamodb/operation-types.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { createMany, fillItem } from '../../fixtures/sized-items.js'
import type { TestBench } from '../../test-bench.js'
import {
  createVectorTable,
  searchNearest,
  TENANT_SEARCH_SCHEMA,
  vectorIndexDefinition,
  vectorItem,
  vectorValue,
} from './vector-table.js'

const createTableWithVectors = (bench: TestBench) =>
  createVectorTable(bench, [vectorIndexDefinition('divided', TENANT_SEARCH_SCHEMA), vectorIndexDefinition('all')])

/** Invalid values of the attribute `vector`, or invalid items, each with the message of the rejection. */
const INVALID_VECTORS: readonly (readonly [more: Item, message: string])[] = [
  [
    { vector: vectorValue(1, 0) },
    'One or more parameter values were invalid. Invalid size for parameter vector, Expected: 3, Actual: 2 IndexName: all',
  ],
  [
    { vector: { L: [{ N: '1' }, { S: 'x' }, { N: '0' }] } },
    'One or more parameter values were invalid. Invalid type for parameter vector[1], Expected: 32-bit floating point ' +
      'number, Actual: S. IndexName: all',
  ],
  [
    { vector: { S: 'x' } },
    'One or more parameter values were invalid. Invalid type for parameter vector, Expected: 32-bit floating point ' +
      'number list IndexName: all',
  ],
  [
    { vector: { L: [{ N: '0' }, { N: '0' }, { N: '-13E+38' }] } },
    'One or more parameter values were invalid. Invalid value for parameter vector[2], Value: -1.3E+39 is outside ' +
      'valid range [-3.4028235E38, 3.4028235E38]. IndexName: all',
  ],
  [
    { tenant: { N: '1' } },
    "One or more parameter values were invalid. Attribute 'tenant' type mismatch. Expected: S, Actual: N. " +
      'IndexName: divided',
  ],
  [
    { kind: { BOOL: true } },
    "One or more parameter values were invalid. Attribute 'kind' type mismatch. Expected: S, Actual: BOOL. " +
      'IndexName: divided',
  ],
]

const EMPTY = 'The AttributeValue for a key attribute cannot contain an empty string value.'

/** A number of 38 digits takes 20 bytes, but four bytes as an element of a written vector. */
const WIDE: AttributeValue = { L: createMany(3, () => ({ N: '12345678901234567890123456789012345678' })) }
const STORED_VECTOR_BYTES = 3 + 3 * 21
const BILLED_VECTOR_BYTES = 3 * 4

async function putAndMeasure(bench: TestBench, TableName: string, Item: Item): Promise<ConsumedCapacity> {
  const answer = await bench.store.putItem({ TableName, Item, ReturnConsumedCapacity: 'INDEXES' })
  return answer.ConsumedCapacity!
}

export const vectorWriteCases = defineCases('putItem', {
  'an invalid vector for its index is rejected, and so is an invalid filter attribute': async bench => {
    const TableName = await createTableWithVectors(bench)
    for (const [more, message] of INVALID_VECTORS)
      await expectValidationError(bench.store.putItem({ TableName, Item: vectorItem('a', [1, 0, 0], more) }), message)
    await expectValidationError(
      bench.store.putItem({ TableName, Item: vectorItem('a', [1, 0, 0], { tenant: { S: '' } }) }),
      'One or more parameter values are not valid. A value specified for a secondary index key is not supported. ' +
        `${EMPTY} IndexName: divided, IndexKey: tenant`,
    )
    expectEqual(await bench.get(TableName, { a: { S: 'a' } }), undefined)
  },

  'a batch and a transaction validate a vector like a put': async bench => {
    const TableName = await createTableWithVectors(bench)
    const [more, message] = INVALID_VECTORS[0]!
    const Item = vectorItem('a', [1, 0, 0], more)
    await expectValidationError(
      bench.store.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item } }] } }),
      message,
    )
    const { CancellationReasons } = await expectRejection(
      bench.store.transactWriteItems({ TransactItems: [{ Put: { TableName, Item } }] }),
      'TransactionCanceledException',
    )
    expectEqual(
      CancellationReasons!.map(({ Code, Message }) => [Code, Message]),
      [['ValidationError', message]],
    )
  },

  'an update validates only the vectors that it changes': async bench => {
    const TableName = await createTableWithVectors(bench)
    await bench.put(TableName, vectorItem('a', [1, 0, 0]))
    const set = (name: string, value: AttributeValue) =>
      bench.store.updateItem({
        ...{ TableName, Key: { a: { S: 'a' } }, UpdateExpression: 'SET #name = :value' },
        ...{ ExpressionAttributeNames: { '#name': name }, ExpressionAttributeValues: { ':value': value } },
      })
    await set('other', { S: 'x' })
    for (const [more, message] of INVALID_VECTORS) {
      const [[name, value]] = Object.entries(more) as [[string, AttributeValue]]
      await expectValidationError(set(name, value), message)
    }
    await expectValidationError(
      set('tenant', { S: '' }),
      'One or more parameter values are not valid. The update expression attempted to update a secondary index key to ' +
        `a value that is not supported. ${EMPTY}`,
    )
    await expectValidationError(
      bench.store.updateItem({ TableName, Key: { a: { S: 'a' } }, UpdateExpression: 'REMOVE vector[0]' }),
      INVALID_VECTORS[0]![1],
    )
  },

  'a changed entry of a vector index is billed by its bytes, at least one kilobyte': async bench => {
    const keysOnly = vectorIndexDefinition('keys', { Projection: { ProjectionType: 'KEYS_ONLY' } })
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('all'), keysOnly])
    const written = async (Item: Item) => (await putAndMeasure(bench, TableName, Item)).VectorIndexes
    const bytes = (VectorWriteRequestBytes: number) => ({ VectorWriteRequestBytes })
    const long = { long: { S: 'x'.repeat(2000) } }
    const entry = countItemBytes({ a: { S: 'a' }, ...long }) + 'vector'.length + BILLED_VECTOR_BYTES
    expectEqual(await written(vectorItem('a', [1, 0, 0], long)), { all: bytes(entry), keys: bytes(1024) })
    expectEqual(await written(vectorItem('a', [1, 0, 0], long)), undefined)
    expectEqual(await written(vectorItem('a', [1, 0, 0], { ...long, more: { S: 'y' } })), { all: bytes(entry + 5) })
    expectEqual(await written(vectorItem('a', [1, 0, 0], { more: { S: 'y' } })), { all: bytes(entry + 5) })
    expectEqual(await written(vectorItem('a', [0, 1, 0], { more: { S: 'y' } })), {
      all: bytes(1024),
      keys: bytes(1024),
    })
    expectEqual(await written({ a: { S: 'a' } }), { all: bytes(1024), keys: bytes(1024) })
    expectEqual(await written({ a: { S: 'a' }, more: { S: 'y' } }), undefined)
  },

  'a write costs the usual table units, and the bytes of vector indexes are reported only with those of other indexes':
    async bench => {
      const TableName = await createVectorTable(bench, [vectorIndexDefinition('all')])
      const all = await putAndMeasure(bench, TableName, vectorItem('a', [1, 0, 0]))
      expectEqual(all, {
        ...{ TableName, CapacityUnits: 1, Table: { CapacityUnits: 1 } },
        VectorIndexes: { all: { VectorWriteRequestBytes: 1024 } },
      })
      const Item = vectorItem('b', [1, 0, 0])
      const { ConsumedCapacity } = await bench.store.putItem({ TableName, Item, ReturnConsumedCapacity: 'TOTAL' })
      expectEqual(ConsumedCapacity, { TableName, CapacityUnits: 1 })
    },

  'a write counts four bytes for each number of a vector, and a read counts the size of the number': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('all')])
    const of = (a: string, billedBytes: number) =>
      fillItem({ a: { S: a }, vector: WIDE }, billedBytes - BILLED_VECTOR_BYTES + STORED_VECTOR_BYTES)
    expectEqual((await putAndMeasure(bench, TableName, of('a', 1024))).CapacityUnits, 1)
    expectEqual((await putAndMeasure(bench, TableName, of('b', 1025))).CapacityUnits, 2)
    await bench.put(TableName, of('c', 4096))
    const { ConsumedCapacity } = await bench.store.getItem({
      ...{ TableName, Key: { a: { S: 'c' } }, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' },
    })
    expectEqual(ConsumedCapacity!.CapacityUnits, 2)
  },

  'an item of a table with vector indexes is limited by its stored size': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('all')])
    const of = (a: string, sizeBytes: number) => fillItem({ a: { S: a }, vector: WIDE }, sizeBytes)
    await bench.put(TableName, of('a', 409_600))
    await expectValidationError(
      bench.store.putItem({ TableName, Item: of('b', 409_601) }),
      /Item size has exceeded the maximum allowed size$/,
    )
  },

  'a vector is read from the table unchanged': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('all')])
    const precise: AttributeValue = { L: [{ N: '0.1' }, { N: '16777217' }, { N: '1.000000059604644775390625' }] }
    await bench.put(TableName, { a: { S: 'a' }, vector: precise })
    expectEqual((await bench.get(TableName, { a: { S: 'a' } }))!.vector, precise)
  },
})

export const vectorReadCases = [
  ...defineCases('query', {
    'a query of a vector index is rejected': async bench => {
      const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
      await expectValidationError(
        bench.store.query({
          ...{ TableName, IndexName: 'some', KeyConditionExpression: 'a = :a' },
          ExpressionAttributeValues: { ':a': { S: 'a' } },
        }),
        'Query operation not supported on this index type.',
      )
    },

    'a consistent read of a vector index is rejected with the message for a global index': async bench => {
      const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
      await expectValidationError(
        bench.store.query({
          ...{ TableName, IndexName: 'some', KeyConditionExpression: 'a = :a', ConsistentRead: true },
          ExpressionAttributeValues: { ':a': { S: 'a' } },
        }),
        'Consistent reads are not supported on global secondary indexes',
      )
    },
  }),
  ...defineCases('scan', {
    'a scan of a vector index is rejected': async bench => {
      const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
      await expectValidationError(
        bench.store.scan({ TableName, IndexName: 'some' }),
        'Scan operation not supported on this index type',
      )
      await expectValidationError(
        bench.store.scan({ TableName, IndexName: 'some', ConsistentRead: true }),
        'Scan operation not supported on this index type',
      )
    },
  }),
  ...defineCases('executeStatement', {
    'a statement can read the table of a vector index, but not the vector index': async bench => {
      const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')], vectorItem('a', [1, 0, 0]))
      await expectValidationError(
        bench.service.executeStatement({ Statement: `SELECT * FROM "${TableName}"."some"` }),
        'Scan operation not supported on this index type',
      )
      const { Items } = await bench.service.executeStatement({
        Statement: `SELECT * FROM "${TableName}" WHERE a = 'a'`,
      })
      expectEqual(Items, [vectorItem('a', [1, 0, 0])])
    },

    'a statement that inserts a vector is validated by its index': async bench => {
      const TableName = await createVectorTable(bench, [vectorIndexDefinition('all')])
      const insert = (list: string) =>
        bench.service.executeStatement({ Statement: `INSERT INTO "${TableName}" VALUE {'a': 'a', 'vector': ${list}}` })
      await expectValidationError(insert('[1, 0]'), INVALID_VECTORS[0]![1])
      await insert('[1, 0, 0]')
      await bench.eventually(async () =>
        expectEqual((await searchNearest(bench, { TableName, IndexName: 'all' })).SearchResults!.length, 1),
      )
    },
  }),
]
