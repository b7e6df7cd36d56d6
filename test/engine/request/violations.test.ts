import { describe, expect, test } from 'vitest'
import { failed, message, missing, refusal, together } from './refusal.js'

const PATTERN = 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+'
const atLeast = (length: number) => `Member must have length greater than or equal to ${length}`
const atMost = (length: number) => `Member must have length less than or equal to ${length}`
const CAPACITY = failed('hi', 'returnConsumedCapacity', 'Member must satisfy enum value set: [INDEXES, TOTAL, NONE]')
const OLDER_RETURN_VALUES = failed(
  'hi',
  'returnValues',
  'Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]',
)
const key = { pk: { S: 'a' } }
const hash = { AttributeName: 'pk', KeyType: 'HASH' }

describe('violations of the model', () => {
  test('violations cause a ValidationException', () => {
    expect(refusal('GetItem', {})?.name).toBe('ValidationException')
  })

  test('violations are reported together in the order of the service', () => {
    expect(message('GetItem', { ReturnConsumedCapacity: 'hi', AttributesToGet: [] })).toBe(
      together(failed('[]', 'attributesToGet', atLeast(1)), CAPACITY, missing('key'), missing('tableName')),
    )
    expect(message('UpdateItem', { ReturnValues: 'hi' })).toBe(
      together(missing('tableName'), OLDER_RETURN_VALUES, missing('key')),
    )
    expect(message('Scan', { Select: 'hi', TotalSegments: 0, Segment: -1, Limit: 0, ScanFilter: { a: {} } })).toBe(
      together(
        failed(
          'hi',
          'select',
          'Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]',
        ),
        failed('0', 'totalSegments', 'Member must have value greater than or equal to 1'),
        missing('tableName'),
        missing('scanFilter.a.member.comparisonOperator'),
        failed('-1', 'segment', 'Member must have value greater than or equal to 0'),
        failed('0', 'limit', 'Member must have value greater than or equal to 1'),
      ),
    )
    // Observed in eu-west-2 and us-east-1, October 2026.
    const index = (IndexName: string) => ({ IndexName, KeySchema: [hash], Projection: {} })
    const indexes = { LocalSecondaryIndexes: [index('aa')], GlobalSecondaryIndexes: [index('zz')] }
    expect(message('CreateTable', { TableName: 'abc', AttributeDefinitions: [], KeySchema: [hash], ...indexes })).toBe(
      together(
        failed('zz', 'globalSecondaryIndexes.1.member.indexName', atLeast(3)),
        failed('aa', 'localSecondaryIndexes.1.member.indexName', atLeast(3)),
      ),
    )
  })

  test('violations of ConditionalOperator follow those of ReturnValues and precede a missing key', () => {
    const join = failed('hi', 'conditionalOperator', 'Member must satisfy enum value set: [OR, AND]')
    const request = { TableName: 'abc', ConditionalOperator: 'hi', Expected: { a: {}, b: {} } }
    for (const operation of ['UpdateItem', 'DeleteItem'] as const) {
      expect(message(operation, request)).toBe(together(join, missing('key')))
      expect(message(operation, { ...request, ReturnValues: 'hi' })).toBe(
        together(OLDER_RETURN_VALUES, join, missing('key')),
      )
    }
  })

  test("violations of an update's ReturnValues are reported alone unless a member is missing", () => {
    const request = { TableName: 'abc', Key: key, ReturnConsumedCapacity: 'hi', ReturnValues: 'hi' }
    const values =
      'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]'
    expect(message('UpdateItem', request)).toBe(together(values))
    expect(message('DeleteItem', request)).toBe(together(CAPACITY, values))
    expect(message('UpdateItem', { ...request, Key: undefined })).toBe(
      together(CAPACITY, OLDER_RETURN_VALUES, missing('key')),
    )
  })

  test('violations of an update are reported one at a time, some without a prefix', () => {
    const request = { TableName: 'abc', Key: key, ReturnConsumedCapacity: 'hi' }
    expect(message('UpdateItem', request)).toBe(CAPACITY)
    const metrics = { ...request, ReturnItemCollectionMetrics: 'hi' }
    const METRICS = failed('hi', 'returnItemCollectionMetrics', 'Member must satisfy enum value set: [SIZE, NONE]')
    expect(message('UpdateItem', metrics)).toBe(together(METRICS))
    expect(message('UpdateItem', { ...metrics, ReturnValuesOnConditionCheckFailure: 'hi' })).toBe(
      failed('hi', 'returnValuesOnConditionCheckFailure', 'Member must satisfy enum value set: [ALL_OLD, NONE]'),
    )
  })

  test('violations of a delete include unsupported ReturnValues', () => {
    const request = { TableName: 'abc', Key: key, ReturnConsumedCapacity: 'hi', ReturnValues: 'ALL_NEW' }
    expect(message('DeleteItem', request)).toBe(together(CAPACITY, 'ReturnValues can only be ALL_OLD or NONE'))
    expect(message('DeleteItem', { ...request, ReturnConsumedCapacity: 'NONE' })).toBeUndefined()
    expect(message('DeleteItem', { ...request, ReturnConsumedCapacity: 'NONE', Key: undefined })).toBe(
      together(missing('key')),
    )
  })

  test('the older validator reports violations when a number changes with normalization', () => {
    const request = { TableName: '', Limit: 0.5, Select: 'hi' }
    expect(message('Query', request)).toMatch(/^3 validation errors detected: Value 'hi' at 'select' .* Value '0' at /)
    expect(message('Scan', { TableName: 'abc', Limit: -(2 ** 31) - 1 })).toBe(
      together(failed('-2147483648', 'limit', 'Member must have value greater than or equal to 1')),
    )
  })

  test('the older validator reports all violations when a value is not supported by the current one', () => {
    const values = { ':v': { S: 'a', N: '1' } }
    const request = { TableName: '', Key: key, ReturnValues: 'hi', ExpressionAttributeValues: values }
    expect(message('DeleteItem', request)).toBe(together(failed('', 'tableName', atLeast(1)), OLDER_RETURN_VALUES))
  })

  test('violations that only the current validator finds are in alphabetical order', () => {
    const bare = (member: string, constraint: string) =>
      `Value at '${member}' failed to satisfy constraint: ${constraint}`
    expect(message('Query', { TableName: '', Limit: 0, Select: 'hi' })).toBe(
      together(bare('Limit', 'Member must have value greater than or equal to 1'), bare('TableName', atLeast(1))),
    )
  })

  test('at most ten violations are listed', () => {
    const request = {
      TableName: 'abc',
      AttributeDefinitions: [],
      KeySchema: [{}, {}],
      LocalSecondaryIndexes: [{}, {}, {}],
    }
    expect(message('CreateTable', request)).toMatch(/^10 validation errors detected: /)
  })

  test('violations name their position in nested lists and maps', () => {
    expect(
      message('CreateTable', { TableName: 'abc', AttributeDefinitions: [{}], KeySchema: [{ KeyType: 'x' }] }),
    ).toBe(
      together(
        missing('attributeDefinitions.1.member.attributeType'),
        missing('attributeDefinitions.1.member.attributeName'),
        missing('keySchema.1.member.attributeName'),
        failed('x', 'keySchema.1.member.keyType', 'Member must satisfy enum value set: [HASH, RANGE]'),
      ),
    )
    expect(message('BatchWriteItem', { RequestItems: { abc: [{ PutRequest: {}, DeleteRequest: {} }] } })).toBe(
      together(
        missing('requestItems.abc.member.1.member.deleteRequest.key'),
        missing('requestItems.abc.member.1.member.putRequest.item'),
      ),
    )
    const put = { TableName: 'abc', Item: key }
    expect(message('TransactWriteItems', { TransactItems: [{ Put: put }, {}, { Put: { TableName: 'abc' } }] })).toBe(
      together(missing('transactItems.3.member.put.item')),
    )
    expect(message('CreateTable', { ...table, SSESpecification: { KMSMasterKeyId: '' } })).toBe(
      together(failed('', 'sSESpecification.kMSMasterKeyId', atLeast(1))),
    )
  })

  test('violations of a number show the integer that the service reads', () => {
    expect(message('ListTables', { Limit: 0.5 })).toBe(
      together(failed('0', 'limit', 'Member must have value greater than or equal to 1')),
    )
    expect(message('ListTables', { Limit: 101 })).toBe(
      together(failed('101', 'limit', 'Member must have value less than or equal to 100')),
    )
  })
})

const table = {
  TableName: 'abc',
  AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
}

describe('table names in data operations', () => {
  test('a missing table name has the usual message', () => {
    expect(message('PutItem', { Item: {} })).toBe(together(missing('tableName')))
  })

  test('an empty table name is reported alone', () => {
    expect(message('PutItem', { TableName: '', Item: {}, ReturnValues: 'hi' })).toBe(
      together(`Value at 'TableName' failed to satisfy constraint: ${atLeast(1)}`),
    )
  })

  test('other invalid table names are reported first, once, together with other violations', () => {
    const short = failed('a!', 'tableName', atLeast(3))
    expect(message('PutItem', { TableName: 'a!', Item: {} })).toBe(together(short))
    const long = 'a'.repeat(256)
    expect(message('GetItem', { TableName: long, Key: {} })).toBe(together(failed(long, 'tableName', atMost(255))))
    expect(message('GetItem', { TableName: 'a!', Key: {}, ReturnConsumedCapacity: 'hi' })).toBe(
      together(short, CAPACITY),
    )
    expect(message('Query', { TableName: 'a!', ReturnConsumedCapacity: 'hi', Select: 'hi' })).toBe(
      together(short, CAPACITY),
    )
    expect(message('UpdateItem', { TableName: 'ab' })).toBe(together(missing('key')))
  })

  test('an update reports an invalid table name alone, pattern before length', () => {
    expect(message('UpdateItem', { TableName: 'a!', Key: key, ReturnValues: 'hi' })).toBe(
      together(failed('a!', 'tableName', PATTERN), failed('a!', 'tableName', atLeast(3))),
    )
  })

  test('a table name can be an ARN', () => {
    const arn = `arn:aws:dynamodb:us-east-1:123456789012:table/${'a'.repeat(255)}`
    expect(refusal('GetItem', { TableName: arn, Key: key })).toBeUndefined()
    expect(refusal('DescribeTable', { TableName: arn })).toBeUndefined()
    expect(refusal('BatchGetItem', { RequestItems: { [arn]: { Keys: [key] } } })).toBeUndefined()
  })

  test('a table name in a transaction is reported with its action', () => {
    const items = [{ Put: { TableName: 'bad!name', Item: key } }, { Delete: { TableName: 'bad!two', Key: key } }]
    expect(message('TransactWriteItems', { TransactItems: items })).toBe(
      together(
        failed('bad!name', 'transactItems.1.member.put.tableName', PATTERN),
        failed('bad!two', 'transactItems.2.member.delete.tableName', PATTERN),
      ),
    )
    expect(message('TransactWriteItems', { TransactItems: items, ReturnConsumedCapacity: 'hi' })).toBe(
      together(CAPACITY),
    )
  })
})

describe('table names in control plane operations', () => {
  test('a missing table name has its own message', () => {
    for (const operation of [
      'CreateTable',
      'DescribeTable',
      'DeleteTable',
      'UpdateTimeToLive',
      'DescribeTimeToLive',
    ] as const)
      expect(message(operation, {})).toBe("The parameter 'TableName' is required but was not present in the request")
  })

  test('a table name is checked first, length before pattern', () => {
    expect(message('DescribeTable', { TableName: '' })).toBe(
      together(failed('', 'tableName', atLeast(3)), failed('', 'tableName', PATTERN)),
    )
    expect(message('CreateTable', { ...table, TableName: 'ab', KeySchema: [] })).toBe(
      together(failed('ab', 'tableName', atLeast(3))),
    )
  })
})

describe('special cases of the service', () => {
  test('Query reports its Limit as spelled and alone, unless the request is incomplete', () => {
    const bare = "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1"
    expect(message('Query', { TableName: 'abc', Limit: 0, Select: 'hi' })).toBe(together(bare))
    expect(message('Query', { Limit: 0 })).toBe(
      together(missing('tableName'), failed('0', 'limit', 'Member must have value greater than or equal to 1')),
    )
  })

  test('BatchGetItem reports its Keys as spelled, before everything else', () => {
    const keys = (count: number) => ({ Keys: Array.from({ length: count }, () => key) })
    const words = (n: string) => together(`Value at 'RequestItems.abc.member.Keys' failed to satisfy constraint: ${n}`)
    expect(message('BatchGetItem', { RequestItems: { abc: keys(0) }, ReturnConsumedCapacity: 'hi' })).toBe(
      words(atLeast(1)),
    )
    expect(message('BatchGetItem', { RequestItems: { abc: keys(101) } })).toBe(words(atMost(100)))
  })

  test('BatchGetItem reports no or too many tables as spelled', () => {
    const words = (n: string) => together(`Value at 'RequestItems' failed to satisfy constraint: ${n}`)
    const tables = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`table${i}`, { Keys: [key] }]))
    expect(message('BatchGetItem', { RequestItems: {} })).toBe(words(atLeast(1)))
    expect(message('BatchGetItem', { RequestItems: {}, ReturnConsumedCapacity: 'hi' })).toBe(words(atLeast(1)))
    expect(message('BatchGetItem', { RequestItems: tables })).toBe(words(atMost(100)))
    expect(message('BatchGetItem', {})).toBe(together(missing('requestItems')))
  })

  test('BatchWriteItem has its own message for a batch without a table', () => {
    expect(message('BatchWriteItem', { RequestItems: {} })).toBe(
      'The requestItems parameter is required for BatchWriteItem',
    )
    expect(message('BatchWriteItem', {})).toBe(together(missing('requestItems')))
  })

  const KEYS = `Map keys must satisfy constraint: [${atMost(255)}, ${atLeast(3)}, ${PATTERN}]`
  const VALUES = `Map value must satisfy constraint: [${atMost(25)}, ${atLeast(1)}]`
  const value = (text: string) =>
    `AttributeValue(s=${text}, n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null)`

  test('BatchGetItem shows its request as JSON with sorted names', () => {
    const items = {
      'bad!name': { ProjectionExpression: 'pk', Keys: [key], ConsistentRead: true },
      Table: { Keys: [{ pk: { B: new Uint8Array([1, 2, 3]) } }, { pk: { B: Buffer.from('b') } }] },
    }
    expect(message('BatchGetItem', { RequestItems: items, ReturnConsumedCapacity: 'hi' })).toBe(
      together(
        failed(
          '{"Table":{"Keys":[{"pk":{"B":"AQID"}},{"pk":{"B":"Yg=="}}]},"bad!name":{"ConsistentRead":true,"Keys":[{"pk":{"S":"a"}}],"ProjectionExpression":"pk"}}',
          'requestItems',
          KEYS,
        ),
        CAPACITY,
      ),
    )
  })

  test('BatchWriteItem shows its request as Java prints it', () => {
    expect(message('BatchWriteItem', { RequestItems: { 'bad!name': [] } })).toBe(
      together(failed('{bad!name=[]}', 'requestItems', VALUES)),
    )
    expect(message('BatchWriteItem', { RequestItems: { 'bad!name': [{ PutRequest: { Item: key } }] } })).toBe(
      together(
        failed(
          `{bad!name=[WriteRequest(putRequest=PutRequest(item={pk=${value('a')}}, workloadProfileName=null), deleteRequest=null)]}`,
          'requestItems',
          KEYS,
        ),
      ),
    )
    expect(message('BatchWriteItem', { RequestItems: { ab: [{ DeleteRequest: { Key: key } }] } })).toContain(
      `{ab=[WriteRequest(putRequest=null, deleteRequest=DeleteRequest(key={pk=${value('a')}}, workloadProfileName=null))]}`,
    )
  })

  test('a key schema that is too long is shown and named without its index', () => {
    const schema = ['pk', 'sk', 'extra'].map((name, i) => ({ AttributeName: name, KeyType: i ? 'RANGE' : 'HASH' }))
    const expected = together(
      failed(
        '[KeySchemaElement(attributeName=pk, keyType=HASH), KeySchemaElement(attributeName=sk, keyType=RANGE), KeySchemaElement(attributeName=extra, keyType=RANGE)]',
        'keySchema',
        atMost(2),
      ),
    )
    const index = { IndexName: 'abc', KeySchema: schema, Projection: { ProjectionType: 'ALL' } }
    expect(message('CreateTable', { ...table, KeySchema: schema })).toBe(expected)
    expect(message('CreateTable', { ...table, LocalSecondaryIndexes: [index] })).toBe(expected)
    expect(refusal('CreateTable', { ...table, GlobalSecondaryIndexes: [index] })).toBeUndefined()
  })

  test('too many actions are shown as Java prints them, with map entries in the order of hashes', () => {
    const item = {
      pk: { S: 'p' },
      b: { BOOL: true },
      l: { L: [{ N: '1' }] },
      m: { M: {} },
      ss: { SS: ['a'] },
      nul: { NULL: true },
      bin: { B: new Uint8Array(3) },
    }
    const items = Array.from({ length: 101 }, () => ({ Put: { TableName: 'abc', Item: item } }))
    const text = message('TransactWriteItems', { TransactItems: items })!
    expect(text).toMatch(
      /^1 validation error detected: Value '\[TransactWriteItem\(conditionCheck=null, put=Put\(item=\{ss=/,
    )
    expect(text).toContain('b=java.nio.HeapByteBuffer[pos=0 lim=3 cap=3]')
    const names = [...text.slice(0, text.indexOf(', tableName=')).matchAll(/[{ ](\w+)=AttributeValue\(/g)].map(
      match => match[1],
    )
    expect(names).toEqual(['ss', 'b', 'nul', 'bin', 'pk', 'l', 'm'])
    expect(text).toMatch(
      /tableName=abc, conditionExpression=null, expressionAttributeNames=null, expressionAttributeValues=null, returnValuesOnConditionCheckFailure=null, workloadProfileName=null\), delete=null, update=null\)\]' at 'transactItems' failed to satisfy constraint: Member must have length less than or equal to 100$/,
    )
  })

  test('the shown value has a maximum length', () => {
    const item = Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`a${i}`, { N: '1' }]))
    const text = message('BatchWriteItem', { RequestItems: { 'a!': [{ PutRequest: { Item: item } }] } })!
    expect(text.length).toBeLessThan(1_200_000)
    expect(text).toContain("...' at 'requestItems'")
  })

  test('a circular value is shown truncated', () => {
    const value: { M: Record<string, unknown> } = { M: {} }
    value.M.a = value
    value.M.b = value
    const Put = { TableName: 'abc', Item: { pk: value } }
    const many = message('TransactWriteItems', { TransactItems: Array(101).fill({ Put }) })
    expect(many).toMatch(/at 'transactItems' failed to satisfy constraint: Member must have length less than or equal/)
    const misnamed = message('BatchGetItem', { RequestItems: { 'a!': { Keys: [{ pk: value }] } } })
    expect(misnamed).toMatch(/^1 validation error detected: Value '\{"a!":\{"Keys":\[\{"pk":\{"M":\{"a":\{"M":/)
  })
})
