import { describe, expect, test } from 'vitest'
import { TENANT_SEARCH_SCHEMA } from '../../../src/contract/cases/vectors/vector-table.js'
import type { SearchVectorsInput, VectorDistanceFunction } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import { defined, request } from '../tables.js'
import { found, item, nearestBy, numbers, TABLE, TableName } from './tables.js'

const GREATEST_FLOAT = 3.4028234663852886e38

async function score(DistanceFunction: VectorDistanceFunction, one: (number | string)[], other: (number | string)[]) {
  const store = memory()
  await store.createTable(request({ VectorIndexes: [nearestBy('some', { DistanceFunction })] }))
  await store.putItem({ TableName, Item: item('a', one) })
  const search = { TableName, IndexName: 'some', SearchVector: numbers(...other), TopK: 1 }
  return (await store.searchVectors(search)).SearchResults![0]!.Score
}

describe('scores', () => {
  // As returned by eu-west-2 and us-east-1 in August 2026.
  test.each<[VectorDistanceFunction, (number | string)[], (number | string)[], number]>([
    ['DOT_PRODUCT', ['3.4e38', '-3.4e38'], ['3.4e38', '3.4e38'], 0],
    ['DOT_PRODUCT', ['3.4e38', '3.4e38'], ['3.4e38', '3.4e38'], GREATEST_FLOAT],
    ['DOT_PRODUCT', ['3.4e38', '0'], ['-3.4e38', '0'], -GREATEST_FLOAT],
    ['EUCLIDEAN', ['-3.4e38', '0'], ['3.4e38', '0'], GREATEST_FLOAT],
    ['COSINE', ['1e-23', '0'], ['1e-23', '0'], 0],
    ['COSINE', [0, 0], [1, 0], 1],
    ['COSINE', [1, 0], [0, 0], 1],
    ['COSINE', [10, 0], [1, 0], 0],
    ['COSINE', ['0.1', '0.7'], ['0.1', '0.7'], 0],
    ['COSINE', ['0.1', '0.7'], ['-0.1', '-0.7'], 2],
    ['EUCLIDEAN', [10, 0], [1, 0], 9],
  ])('the %s score of %j and %j is %d', async (distance, one, other, expected) => {
    expect(await score(distance, one, other)).toBe(expected)
  })

  test('a score has 32 bits', async () => {
    expect(await score('DOT_PRODUCT', ['0.1', 0], [1, 0])).toBe(Math.fround(0.1))
  })
})

async function searchable() {
  const store = memory()
  await store.createTable(TABLE)
  return store
}

const conditioned = (SearchConditionExpression: string, values: string[] = ['t']): Partial<SearchVectorsInput> => ({
  IndexName: 'divided',
  SearchConditionExpression,
  ExpressionAttributeValues: Object.fromEntries(values.map((text, i) => [`:v${i}`, { S: text }])),
})

test('the partition attribute of a vector index has the maximum length of a key', async () => {
  const store = await searchable()
  const put = (tenant: string) => store.putItem({ TableName, Item: item('a', [1, 0], { tenant: { S: tenant } }) })
  await expect(put('t'.repeat(2049))).rejects.toMatchObject({
    name: 'ValidationException',
    message:
      'One or more parameter values were invalid: Size of hashkey has exceeded the maximum size limit of2048 bytes',
  })
  await put('t'.repeat(2048))
  expect(await found(store, conditioned('tenant = :v0', ['t'.repeat(2048)]))).toEqual(['a'])
})

describe('search conditions', () => {
  test.each([
    ['tenant = :v0 AND kind > :v0', 'Invalid comparator'],
    ['tenant <> :v0', 'Invalid comparator'],
    ['tenant = kind', 'Invalid comparator'],
    ['tenant = kind OR tenant = :v0', 'Invalid operator'],
    ['NOT tenant = :v0', 'Invalid operator'],
    ['tenant BETWEEN :v0 AND :v0', 'Invalid operator'],
    ['tenant IN (:v0)', 'Invalid operator'],
    ['begins_with(tenant, :v0)', 'Invalid operator'],
  ])('the search condition %s is rejected', async (expression, what) => {
    await expect(found(await searchable(), conditioned(expression))).rejects.toMatchObject({
      name: 'ValidationException',
      message: `Invalid SearchConditionExpression: ${what} used in SearchConditionExpression`,
    })
  })

  test.each<[string, Partial<SearchVectorsInput>, string]>([
    ['is empty', conditioned(''), 'Invalid SearchConditionExpression: The expression can not be empty;'],
    [
      'uses a reserved word',
      conditioned('bucket = :v0'),
      'Invalid SearchConditionExpression: Attribute name is a reserved keyword; reserved keyword: bucket',
    ],
    [
      'uses an undefined value',
      conditioned('tenant = :v1'),
      'Invalid SearchConditionExpression: An expression attribute value used in expression is not defined; attribute ' +
        'value: :v1',
    ],
    [
      'leaves a value unused',
      conditioned('tenant = :v0', ['t', 'u']),
      'Value provided in ExpressionAttributeValues unused in expressions: keys: {:v1}',
    ],
    [
      'requires two values of one attribute',
      conditioned('tenant = :v0 AND tenant = :v1', ['t', 'u']),
      'Invalid SearchConditionExpression: SearchConditionExpression must only contain one condition per attribute',
    ],
    [
      'repeats a condition',
      conditioned('tenant = :v0 AND kind = :v0 AND (tenant = :v0)', ['t']),
      'Invalid SearchConditionExpression: SearchConditionExpression must only contain one condition per attribute',
    ],
    [
      'has a nested path',
      conditioned('tenant = :v0 AND kind.deeper = :v0'),
      'Invalid SearchConditionExpression: SearchConditionExpression cannot have conditions on nested attributes',
    ],
    [
      'uses an empty key',
      conditioned('tenant = :v0', ['']),
      'One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty ' +
        'string value. Key: tenant',
    ],
    [
      'lacks the partition attribute',
      conditioned('kind = :v0'),
      'SearchConditionExpression must be provided when SearchSchema has a HASH key',
    ],
    [
      'is missing although values exist',
      { ExpressionAttributeValues: { ':v': { S: 't' } } },
      'ExpressionAttributeValues can only be specified when using expressions: SearchConditionExpression is null',
    ],
  ])('a search condition is rejected if it %s', async (_, given, message) => {
    await expect(found(await searchable(), given)).rejects.toMatchObject({ name: 'ValidationException', message })
  })

  test('a search condition compares numbers by value', async () => {
    const store = memory()
    const AttributeDefinitions = [...defined('pk'), ...['tenant', 'kind'].map(numeric)]
    await store.createTable(
      request({ AttributeDefinitions, VectorIndexes: [nearestBy('divided', TENANT_SEARCH_SCHEMA)] }),
    )
    await store.putItem({ TableName, Item: item('a', [1, 0], { tenant: { N: '1' }, kind: { N: '20' } }) })
    const given = {
      ...conditioned('tenant = :v0 AND kind = :v1'),
      ExpressionAttributeValues: { ':v0': { N: '1.0' }, ':v1': { N: '2E1' } },
    }
    expect(await found(store, given)).toEqual(['a'])
  })
})

const numeric = (AttributeName: string) => ({ AttributeName, AttributeType: 'N' as const })

describe('searches', () => {
  test('a search request is parsed strictly, and errors have a position', async () => {
    const store = await searchable()
    const valid = { TableName: 'T', IndexName: 'vix', SearchVector: [{ N: '1' }], TopK: 1 }
    const refusal = (request: object) => store.searchVectors(request as never).then(String, error => error)
    expect(await refusal({ ...valid, IndexName: null })).toMatchObject({
      name: 'SerializationException',
      message: 'invalid type: null, expected a string at line 1 column 33',
    })
    expect(await refusal({ ...valid, SearchVector: null })).toMatchObject({
      message: 'invalid type: null, expected a sequence at line 1 column 54',
    })
    expect(await refusal({ ...valid, TopK: 3.5 })).toMatchObject({
      message: 'invalid type: floating point `3.5`, expected i32 at line 1 column 72',
    })
    expect(await refusal({ ...valid, SearchVector: {} })).toMatchObject({
      message: 'invalid type: map, expected a sequence at line 1 column 50',
    })
    const { TableName: _, ...unnamed } = valid
    expect(await refusal({ ...unnamed, IndexName: 'ab' })).toMatchObject({
      name: 'ValidationException',
      message: 'missing field `TableName` at line 1 column 54',
    })
  })

  test('null counts as absent for optional members of a search', async () => {
    const store = await searchable()
    expect(await found(store, { ProjectionExpression: null, SearchConditionExpression: null } as never)).toEqual([])
  })

  test('a search reports all violated limits', async () => {
    const store = await searchable()
    await expect(store.searchVectors({ TableName, IndexName: 'ab', SearchVector: [], TopK: 0 })).rejects.toThrow(
      "3 validation errors detected: Value at 'IndexName' failed to satisfy constraint: Member must have length greater " +
        "than or equal to 3; Value at 'SearchVector' failed to satisfy constraint: Member must have length greater than " +
        "or equal to 1; Value at 'TopK' failed to satisfy constraint: Member must have value greater than or equal to 1",
    )
  })

  test('a search returns vectors as the shortest decimals', async () => {
    const store = await searchable()
    const texts = async (...vector: string[]) => {
      await store.putItem({ TableName, Item: item('a', vector) })
      const { SearchResults } = await store.searchVectors({
        ...{ TableName, IndexName: 'some', SearchVector: numbers(1, 0), TopK: 1, ProjectionExpression: 'vector' },
      })
      return SearchResults![0]!.Item!.vector!.L!.map(({ N }) => N)
    }
    expect(await texts('1', '0')).toEqual(['1.0', '0.0'])
    expect(await texts('0.1', '16777217')).toEqual(['0.1', '16777216.0'])
    expect(await texts('-0.333333333333', '1.000000059604644775390625')).toEqual(['-0.33333334', '1.0'])
    expect(await texts('1e-60', '-1e-60')).toEqual(['0.0', '0.0'])
  })
})

test('the size of a table is the billed size of its items, with and without a vector index', async () => {
  const store = memory()
  await store.createTable(request())
  const wide = '12345678901234567890123456789012345678'
  await store.putItem({ TableName, Item: item('a', [wide, wide]) })
  const size = async () => (await store.describeTable({ TableName })).Table!.TableSizeBytes
  const stored = 'pk'.length + 1 + 'vector'.length + 3 + 2 * 21
  expect(await size()).toBe(stored)
  await store.updateTable({ TableName, VectorIndexUpdates: [{ Create: nearestBy('some') }] })
  expect(await size()).toBe(stored - 3 - 2 * 21 + 8)
  await store.putItem({ TableName, Item: item('b', [1, 1]) })
  await store.deleteItem({ TableName, Key: { pk: { S: 'b' } } })
  expect(await size()).toBe(stored - 3 - 2 * 21 + 8)
  await store.updateTable({ TableName, VectorIndexUpdates: [{ Delete: { IndexName: 'some' } }] })
  expect(await size()).toBe(stored)
})

test('vector index bytes are summed over a batch and reported once in a transaction', async () => {
  const store = await searchable()
  const Items = ['a', 'b'].map(pk => item(pk, [1, 0]))
  const { ConsumedCapacity: ofBatch } = await store.batchWriteItem({
    RequestItems: { [TableName]: Items.map(Item => ({ PutRequest: { Item } })) },
    ReturnConsumedCapacity: 'INDEXES',
  })
  expect(ofBatch![0]!.VectorIndexes).toEqual({ some: { VectorWriteRequestBytes: 2048 } })
  const { ConsumedCapacity: ofTransaction } = await store.transactWriteItems({
    TransactItems: [{ Put: { TableName, Item: item('c', [1, 0]) } }],
    ReturnConsumedCapacity: 'INDEXES',
  })
  expect(ofTransaction![0]).toMatchObject({
    CapacityUnits: 2,
    VectorIndexes: { some: { VectorWriteRequestBytes: 1024 } },
  })
})
