import { runInNewContext } from 'node:vm'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { serve } from '../../../src/http/index.js'
import { defined, index, key, request } from '../../engine/tables.js'
import { call } from '../raw-requests.js'

const store = memory()
await store.createTable({
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
})
const serving = await serve(store, { port: 0 })
afterAll(() => serving.close())

const SERIALIZATION = 'com.amazon.coral.service#SerializationException'
const put = (item: string) => call(serving.url, 'PutItem', `{"TableName":"things","Item":${item}}`)
const get = async (id: string) => {
  const { text } = await call(serving.url, 'GetItem', { TableName: 'things', Key: { id: { S: id } } })
  return text
}

describe('dates', () => {
  it('dates are sent as seconds, also dates of another realm, as Jest copies them', async () => {
    const CreationDateTime: Date = runInNewContext('new Date(1_500)')
    const described = { ...memory(), describeTable: async () => ({ Table: { CreationDateTime } }) }
    const { url, close } = await serve(described, { port: 0 })
    onTestFinished(close)
    expect((await call(url, 'DescribeTable', { TableName: 'things' })).text).toBe('{"Table":{"CreationDateTime":1.5}}')
  })

  it('dates of another realm are accepted', async () => {
    const restored = store.restoreTableToPointInTime({
      SourceTableName: 'things',
      TargetTableName: 'others',
      RestoreDateTime: runInNewContext('new Date(1_500)'),
    })
    await expect(restored).rejects.toThrow('Point in time recovery is not enabled')
  })
})

describe('bytes', () => {
  it('bytes are received and sent as base64 at every position', async () => {
    const item = '{"id":{"S":"bytes"},"a":{"B":"AAEC/w=="},"b":{"BS":["AQ==","Ag=="]},"c":{"L":[{"M":{"B":{"B":""}}}]}}'
    expect((await put(item)).text).toBe('{}')
    expect(JSON.parse(await get('bytes'))).toEqual({ Item: JSON.parse(item) })
    const kept = await store.getItem({ TableName: 'things', Key: { id: { S: 'bytes' } } })
    expect(kept.Item?.a).toEqual({ B: Uint8Array.of(0, 1, 2, 255) })
  })

  it('bytes are found if their type is written with an escape', async () => {
    await put('{"id":{"S":"escaped"},"a":{"\\u0042":"AAEC"},"b":{"B\\u0053":["AAEC"]}}')
    expect(await get('escaped')).toContain('"a":{"B":"AAEC"},"b":{"BS":["AAEC"]}')
  })

  it.each([
    ['"23456"', 'Base64 encoded length is expected a multiple of 4 bytes but found: 5'],
    ['"=+/="', 'Invalid last non-pad Base64 character dectected'],
    ['"+/+="', 'Invalid last non-pad Base64 character dectected'],
    ['"AA!="', "Invalid Base64 character: '!'"],
    ['"AA-_"', "Invalid Base64 character: '-'"],
    ['5', 'only base-64-encoded strings are convertible to bytes'],
    ['true', 'only base-64-encoded strings are convertible to bytes'],
    ['[]', 'Unrecognized collection type class java.nio.ByteBuffer'],
    ['{}', 'Start of structure or map found where not expected'],
  ])('%s are not bytes', async (given, message) => {
    for (const value of [`{"B":${given}}`, `{"BS":["AQ==",${given}]}`, `{"M":{"x":{"L":[{"B":${given}}]}}}`]) {
      const { status, text } = await put(`{"id":{"S":"wrong"},"a":${value}}`)
      expect({ status, ...JSON.parse(text) }).toEqual({ status: 400, __type: SERIALIZATION, Message: message })
    }
  })

  it('invalid bytes are reported if they are the first error', async () => {
    const first = await put('{"id":{"S":"a"},"a":{"B":7},"b":{"B":"!"}}')
    expect(JSON.parse(first.text).Message).toBe('only base-64-encoded strings are convertible to bytes')
    const second = await put('{"id":{"S":"a"},"a":{"B":"!"},"b":{"B":7}}')
    expect(JSON.parse(second.text).Message).toBe('Base64 encoded length is expected a multiple of 4 bytes but found: 1')
  })

  it('bytes are sent in keys, batches, errors and expressions too', async () => {
    const TableName = 'binary'
    await call(serving.url, 'CreateTable', {
      TableName,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'B' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    })
    const id = { B: 'q80=' }
    const ConditionExpression = 'attribute_not_exists(id)'
    await call(serving.url, 'BatchWriteItem', { RequestItems: { [TableName]: [{ PutRequest: { Item: { id } } }] } })
    const failed = await call(serving.url, 'PutItem', {
      TableName,
      Item: { id },
      ConditionExpression,
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    })
    expect(failed.text).toBe(
      '{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException",' +
        '"message":"The conditional request failed","Item":{"id":{"B":"q80="}}}',
    )
    const cancelled = await call(serving.url, 'TransactWriteItems', {
      TransactItems: [
        { Put: { TableName, Item: { id }, ConditionExpression, ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } },
      ],
    })
    expect(cancelled.text).toBe(
      '{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException",' +
        '"Message":"Transaction cancelled, please refer cancellation reasons for specific reasons ' +
        '[ConditionalCheckFailed]","CancellationReasons":[{"Code":"ConditionalCheckFailed",' +
        '"Message":"The conditional request failed","Item":{"id":{"B":"q80="}}}]}',
    )
    const page = await call(serving.url, 'Scan', {
      TableName,
      FilterExpression: 'id = :id',
      ExpressionAttributeValues: { ':id': id },
      Limit: 1,
    })
    expect(JSON.parse(page.text)).toEqual({
      Items: [{ id }],
      Count: 1,
      ScannedCount: 1,
      LastEvaluatedKey: { id },
    })
  })
})

describe('JSON requests', () => {
  it('an attribute can have the name of a JavaScript prototype', async () => {
    await put('{"id":{"S":"proto"},"__proto__":{"M":{"__proto__":{"B":"AQ=="},"constructor":{"S":"x"}}}}')
    expect(await get('proto')).toContain('"__proto__":{"M":{"__proto__":{"B":"AQ=="},"constructor":{"S":"x"}}}')
    expect(Object.hasOwn(Object.prototype, 'M')).toBe(false)
  })

  it('the last of duplicate JSON members counts', async () => {
    await put('{"id":{"S":"first"},"id":{"S":"second"},"a":{"S":"1","S":"2"}}')
    expect(JSON.parse(await get('second')).Item.a).toEqual({ S: '2' })
    expect(await get('first')).toBe('{}')
  })

  it.each([
    ['{"N":5}', 'NUMBER_VALUE cannot be converted to String'],
    ['{"N":5.5}', 'DECIMAL_VALUE cannot be converted to String'],
    ['{"S":true}', 'TRUE_VALUE cannot be converted to String'],
    ['{"BOOL":0}', 'NUMBER_VALUE cannot be converted to Boolean'],
    ['{"SS":"a"}', 'Unexpected field type'],
    ['"a"', 'Unexpected value type in payload'],
    ['[]', 'Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue'],
  ])('a wrong JSON type is rejected: %s', async (value, message) => {
    const { text } = await put(`{"id":{"S":"a"},"a":${value}}`)
    expect(JSON.parse(text)).toEqual({ __type: SERIALIZATION, Message: message })
  })

  it('lone surrogates in JSON become replacement characters', async () => {
    await put('{"id":{"S":"half"},"a":{"S":"\\ud800x"},"b":{"S":"\\ud83d\\ude00"}}')
    expect(JSON.parse(await get('half')).Item).toEqual({ id: { S: 'half' }, a: { S: '\ufffdx' }, b: { S: '😀' } })
  })

  it('the size of JSON is counted in bytes', async () => {
    await put('{"id":{"S":"long"},"a":{"S":"äöü€😀"}}')
    const { headers, bytes } = await call(serving.url, 'GetItem', { TableName: 'things', Key: { id: { S: 'long' } } })
    expect(headers['content-length']).toBe(`${bytes.length}`)
    expect(JSON.parse(bytes.toString()).Item.a.S).toBe('äöü€😀')
  })

  it.each(['null', '[]', '"text"', '5', 'true'])('a request of %s is a client error', async body => {
    const { status, headers } = await call(serving.url, 'GetItem', body)
    expect(status).toBe(400)
    expect(headers['content-type']).toBe('application/x-amz-json-1.0')
  })

  it.each(['ListTables', 'DescribeEndpoints', 'GetItem', 'ListStreams'])('null is rejected: %s', async operation => {
    const { status, text } = await call(serving.url, operation, 'null')
    expect({ status, text }).toEqual({ status: 400, text: `{"__type":"${SERIALIZATION}"}` })
  })

  it('JSON has dates in seconds', async () => {
    const { text } = await call(serving.url, 'DescribeTable', { TableName: 'things' })
    const { CreationDateTime } = JSON.parse(text).Table
    expect(Math.abs(CreationDateTime - Date.now() / 1000)).toBeLessThan(60)
  })
})

describe('nesting of JSON', () => {
  const nested = (levels: number) => `${'{"M":{"a":'.repeat(levels)}{"S":"x"}${'}}'.repeat(levels)}`
  const NESTING =
    'Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit'

  it('an attribute can nest 31 levels', async () => {
    expect((await put(`{"id":{"S":"deep"},"a":${nested(31)}}`)).text).toBe('{}')
    expect(await get('deep')).toContain(nested(31))
  })

  it('deeply nested lists with bytes take no longer than other requests', async () => {
    const deep = `${'{"L":['.repeat(31)}{"B":"AAEC"}${']}'.repeat(31)}`
    expect((await put(`{"id":{"S":"bottom"},"a":${deep}}`)).text).toBe('{}')
    expect(await get('bottom')).toContain(deep)
  })

  it.each([32, 62, 100, 1000])('an attribute of %i levels is rejected', async levels => {
    const { text } = await put(`{"id":{"S":"deep"},"a":${nested(levels)}}`)
    expect(text).toContain(NESTING)
  })

  it.each([3000, 100_000, 1_000_000])('an attribute of %i levels cannot be parsed', async levels => {
    const { status, text } = await put(`{"id":{"S":"deep"},"a":${nested(levels)}}`)
    expect({ status, text }).toEqual({ status: 400, text: `{"__type":"${SERIALIZATION}"}` })
  })

  it('other members of too many levels cannot be parsed either', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`
      for (const body of [deep, `{"TableName":${deep}}`, `{"Key":${deep}}`, `{"ExpressionAttributeNames":${deep}}`])
        expect((await call(serving.url, 'GetItem', body)).text).toBe(`{"__type":"${SERIALIZATION}"}`)
    }
  })

  it('unknown members cannot be parsed if they nest too deep', async () => {
    const deep = `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`
    for (const [operation, body] of [
      ['UpdateTable', `{"TableName":"nowhere","Nobody":${deep}}`],
      ['DeleteTable', `{"TableName":"nowhere","Nobody":${deep}}`],
      ['TransactWriteItems', `{"TransactItems":[{"Put":{"Nobody":${deep}}}],"ClientRequestToken":"deep"}`],
    ] as const)
      expect((await call(serving.url, operation, body)).status).toBe(400)
  })

  it('siblings do not count as nesting', async () => {
    const list = Array(10_000).fill('{"L":[]}').join()
    expect((await put(`{"id":{"S":"wide"},"a":{"L":[${list}]},"b":{"N":"x"}}`)).text).toContain('ValidationException')
  })

  it('brackets in a string do not count as nesting', async () => {
    const text = '['.repeat(10_000) + '\\"{'.repeat(10_000)
    expect((await put(`{"id":{"S":"text"},"a":{"S":"${text}"},"b":{"N":"x"}}`)).text).toContain('ValidationException')
  })
})

/** Clients in languages with separate integer types would read these as integers. */
describe('units and sizes', () => {
  it('units and sizes are written with a decimal point, as the service does', async () => {
    const TableName = 'collections'
    await store.createTable({
      ...request({ TableName, AttributeDefinitions: defined('id', 'sk', 'other'), KeySchema: key('id', 'sk') }),
      LocalSecondaryIndexes: [index('byOther', key('id', 'other'))],
    })
    const id = { S: 'Units":5,"SizeEstimateRangeGB":[0,1]' }
    const written = await call(serving.url, 'PutItem', {
      TableName,
      Item: { id, sk: { S: 'a' }, other: { S: 'b' } },
      ReturnConsumedCapacity: 'INDEXES',
      ReturnItemCollectionMetrics: 'SIZE',
    })
    expect(written.text).toContain('"CapacityUnits":2.0')
    expect(written.text).toContain('"Table":{"CapacityUnits":1.0}')
    expect(written.text).toContain('{"byOther":{"CapacityUnits":1.0}}')
    expect(written.text).toContain('"SizeEstimateRangeGB":[0.0,1.0]')
    expect(JSON.parse(written.text).ItemCollectionMetrics.ItemCollectionKey).toEqual({ id })
    const read = (ConsistentRead: boolean) =>
      call(serving.url, 'GetItem', {
        TableName,
        Key: { id, sk: { S: 'a' } },
        ConsistentRead,
        ReturnConsumedCapacity: 'TOTAL',
      })
    expect((await read(true)).text).toContain('"CapacityUnits":1.0')
    expect((await read(false)).text).toContain('"CapacityUnits":0.5')
    const both = await call(serving.url, 'TransactGetItems', {
      TransactItems: [{ Get: { TableName, Key: { id, sk: { S: 'a' } } } }],
      ReturnConsumedCapacity: 'TOTAL',
    })
    expect(both.text).toContain('"CapacityUnits":2.0,"ReadCapacityUnits":2.0')
  })
})

describe('the response of a vector search', () => {
  it('a vector search returns numbers with a decimal point, and items unchanged', async () => {
    const vectors = memory()
    const VectorIndexes = ['COSINE' as const, 'DOT_PRODUCT' as const].map(DistanceFunction => ({
      IndexName: DistanceFunction,
      VectorAttribute: { AttributeName: 'vector' },
      Dimensions: 2,
      DistanceFunction,
      Projection: { ProjectionType: 'ALL' as const },
    }))
    await vectors.createTable(request({ VectorIndexes }))
    const endpoint = await serve(vectors, { port: 0 })
    onTestFinished(() => endpoint.close())
    const TableName = 'Orders'
    const put = { TableName, Item: { pk: { S: 'a' }, b: { B: 'AP8=' }, vector: { L: [{ N: '1' }, { N: '0' }] } } }
    const written = await call(endpoint.url, 'PutItem', { ...put, ReturnConsumedCapacity: 'INDEXES' })
    expect(written.text).toContain('"COSINE":{"VectorWriteRequestBytes":1024.0}')
    const search = async (IndexName: string, first: string) => {
      const SearchVector = [{ N: first }, { N: '0' }]
      const asked = { TableName, IndexName, SearchVector, TopK: 1, ReturnConsumedCapacity: 'TOTAL' }
      return (await call(endpoint.url, 'SearchVectors', asked)).text
    }
    const found = (score: string) =>
      `{"SearchResults":[{"Item":{"pk":{"S":"a"},"b":{"B":"AP8="}},"Score":${score}}],` +
      '"ConsumedCapacity":{"VectorSearchRequestBytes":1024.0}}'
    expect(await search('COSINE', '2')).toBe(found('0.0'))
    expect(await search('DOT_PRODUCT', '-3')).toBe(found('-3.0'))
    expect(await search('DOT_PRODUCT', '0.5')).toBe(found('0.5'))
  })

  it('an error of a vector search names its message in lower case if a member is null', async () => {
    const body = '{"TableName":"things","IndexName":null,"SearchVector":[{"N":"1"}],"TopK":1}'
    const { status, text } = await call(serving.url, 'SearchVectors', body)
    expect({ status, ...JSON.parse(text) }).toEqual({
      status: 400,
      __type: SERIALIZATION,
      message: 'invalid type: null, expected a string at line 1 column 38',
    })
  })
})
