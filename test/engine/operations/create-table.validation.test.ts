import { describe, expect, test } from 'vitest'
import type { CreateTableInput, KeySchemaElement } from '../../../src/dynamodb/operation-types.js'
import { createTable } from '../../../src/engine/operations/tables/create-table.js'
import { defined, emptyEngine, index, key, keyOf, request } from '../tables.js'

const INVALID = 'One or more parameter values were invalid: '
const NO_DEFINITION = 'Invalid KeySchema: Some index key attribute have no definition'
const NOT_HASH_FIRST = 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'
const SAME_NAME = 'Both the Hash Key and the Range Key element in the KeySchema have the same name'
const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }
const provisioned: Partial<CreateTableInput> = { BillingMode: undefined, ProvisionedThroughput: UNITS }

/** Returns the message of the service for a request. */
function complaint(more: Partial<CreateTableInput>): string {
  try {
    createTable(emptyEngine(), request(more))
  } catch (error) {
    expect(error).toMatchObject({ name: 'ValidationException' })
    return (error as Error).message
  }
  return 'none'
}

/** Returns a request with one global index on a table with the key `pk`. */
function withGlobal(schema: KeySchemaElement[], more: Parameters<typeof index>[2] = {}): Partial<CreateTableInput> {
  const names = new Set(['pk', ...schema.map(element => element.AttributeName!)])
  return { AttributeDefinitions: defined(...names), GlobalSecondaryIndexes: [index('byOther', schema, more)] }
}

/** Returns a request with one local index on a table with the key `pk` and `sk`. */
function withLocal(schema: KeySchemaElement[], more: Parameters<typeof index>[2] = {}): Partial<CreateTableInput> {
  const names = new Set(['pk', 'sk', ...schema.map(element => element.AttributeName!)])
  return {
    AttributeDefinitions: defined(...names),
    KeySchema: key('pk', 'sk'),
    LocalSecondaryIndexes: [index('byOther', schema, more)],
  }
}

describe('throughput in CreateTable', () => {
  test('an on-demand table rejects provisioned capacity', () => {
    expect(complaint({ ProvisionedThroughput: UNITS })).toBe(
      `${INVALID}Neither ReadCapacityUnits nor WriteCapacityUnits can be specified when BillingMode is PAY_PER_REQUEST`,
    )
  })

  test.each(['PROVISIONED', undefined] as const)('a table with billing mode %s requires capacity', BillingMode => {
    expect(complaint({ BillingMode })).toBe(
      `${INVALID}ReadCapacityUnits and WriteCapacityUnits must both be specified when BillingMode is PROVISIONED`,
    )
  })

  test('capacity has a limit, checked for reads first', () => {
    const much = 1_000_000_000_001
    const both = { ReadCapacityUnits: much, WriteCapacityUnits: much }
    expect(complaint({ ...provisioned, ProvisionedThroughput: both })).toBe(
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds',
    )
    expect(complaint({ ...provisioned, ProvisionedThroughput: { ...both, ReadCapacityUnits: 1 } })).toBe(
      'Given value 1000000000001 for WriteCapacityUnits is out of bounds',
    )
    expect(complaint({ ...provisioned, ...withGlobal(key('g'), { ProvisionedThroughput: both }) })).toBe(
      'Given value 1000000000001 for ReadCapacityUnits is out of bounds for index byOther',
    )
  })

  test('a global index has capacity exactly if its table has', () => {
    expect(complaint({ ...provisioned, ...withGlobal(key('g')) })).toBe(
      `${INVALID}ProvisionedThroughput is not specified for index: byOther`,
    )
    expect(complaint(withGlobal(key('g'), { ProvisionedThroughput: UNITS }))).toBe(
      `${INVALID}ProvisionedThroughput should not be specified for index: byOther when BillingMode is PAY_PER_REQUEST`,
    )
  })

  test('on-demand limits are rejected for a provisioned table', () => {
    expect(complaint({ ...provisioned, OnDemandThroughput: { MaxWriteRequestUnits: 5 } })).toBe(
      `${INVALID}MaxWriteRequestUnits for OnDemandThroughput cannot be specified when table BillingMode is PROVISIONED.`,
    )
    const ofIndex = { ProvisionedThroughput: UNITS, OnDemandThroughput: { MaxReadRequestUnits: 5 } }
    expect(complaint({ ...provisioned, ...withGlobal(key('g'), ofIndex) })).toBe(
      `${INVALID}MaxReadRequestUnits for OnDemandThroughput for index: byOther cannot be specified when table BillingMode is PROVISIONED.`,
    )
  })

  test.each([0, -1])('an on-demand limit of %i is out of range', units => {
    expect(complaint({ OnDemandThroughput: { MaxReadRequestUnits: units } })).toBe(
      `${INVALID}Requested MaxReadRequestUnits for OnDemandThroughput for table is outside of valid range`,
    )
    expect(complaint(withGlobal(key('g'), { OnDemandThroughput: { MaxWriteRequestUnits: units } }))).toBe(
      `${INVALID}Requested MaxWriteRequestUnits for OnDemandThroughput for index : byOther is outside of valid range`,
    )
  })

  test('warm throughput must not be below the initial throughput', () => {
    const see =
      'See: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/on-demand-capacity-mode.html#on-demand-capacity-mode-initial'
    expect(complaint({ WarmThroughput: { ReadUnitsPerSecond: 11_999 } })).toBe(
      `${INVALID}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than initial throughput for OnDemand. ${see}`,
    )
    expect(complaint(withGlobal(key('g'), { WarmThroughput: { WriteUnitsPerSecond: 3_999 } }))).toBe(
      `${INVALID}Requested WriteUnitsPerSecond for WarmThroughput for index byOther is lower than initial throughput for OnDemand. ${see}`,
    )
    expect(complaint({ ...provisioned, WarmThroughput: { ReadUnitsPerSecond: 4 } })).toBe(
      `${INVALID}Requested ReadUnitsPerSecond for WarmThroughput for table is lower than ReadCapacityUnits of ProvisionedThroughput`,
    )
  })
})

describe('keys and definitions in CreateTable', () => {
  test('a duplicate attribute definition is rejected', () => {
    expect(complaint({ AttributeDefinitions: defined('pk', 'pk') })).toBe('Attribute Name is duplicated: pk')
  })

  test('fewer definitions than keys are rejected', () => {
    expect(complaint({ AttributeDefinitions: [] })).toBe(NO_DEFINITION)
    expect(complaint({ KeySchema: key('pk', 'sk') })).toBe(NO_DEFINITION)
    expect(complaint({ KeySchema: key('pk', 'pk') })).toBe(NO_DEFINITION)
    const three = [index('byThree', keyOf(['a'], ['m', 'n']))]
    expect(complaint({ AttributeDefinitions: defined('pk', 'a'), GlobalSecondaryIndexes: three })).toBe(NO_DEFINITION)
  })

  test('undefined keys are rejected with names in the order of a Java hash table', () => {
    const undefinedKey = `${INVALID}Some index key attributes are not defined in AttributeDefinitions. `
    expect(complaint({ AttributeDefinitions: defined('other') })).toBe(
      `${undefinedKey}Keys: [pk], AttributeDefinitions: [other]`,
    )
    const inIndex = (names: string[], schema: KeySchemaElement[]) =>
      complaint({
        KeySchema: key('PK'),
        AttributeDefinitions: defined(...names),
        GlobalSecondaryIndexes: [index('byOther', schema)],
      })
    expect(inIndex(['PK', 'h', 'a'], keyOf(['h'], ['a', 'zz']))).toBe(
      `${undefinedKey}Keys: [h, zz, a], AttributeDefinitions: [h, a, PK]`,
    )
    expect(inIndex(['PK', 'w', 'x', 'y'], keyOf(['w'], ['x', 'y', 'q']))).toBe(
      `${undefinedKey}Keys: [x, y, q, w], AttributeDefinitions: [x, y, PK, w]`,
    )
    expect(inIndex(['PK', 'a', 'spare'], key('a', 'b'))).toBe(
      `${undefinedKey}Keys: [a, b], AttributeDefinitions: [a, PK, spare]`,
    )
    const local = { ...withLocal(key('pk', 'l')), AttributeDefinitions: defined('pk', 'sk') }
    expect(complaint(local)).toBe(`${undefinedKey}Keys: [l, pk], AttributeDefinitions: [sk, pk]`)
  })

  test('unused definitions are rejected', () => {
    expect(complaint({ AttributeDefinitions: defined('pk', 'spare') })).toBe(
      `${INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions`,
    )
    const unused = `${INVALID}Some AttributeDefinitions are not used. `
    expect(
      complaint({
        KeySchema: key('orderId'),
        AttributeDefinitions: defined('orderId', 'customerId', 'status', 'createdAt', 'notUsed'),
        GlobalSecondaryIndexes: [
          index('byCustomer', key('customerId', 'createdAt')),
          index('byStatus', key('status'), { Projection: {} }),
        ],
      }),
    ).toBe(
      `${unused}AttributeDefinitions: [customerId, createdAt, notUsed, orderId, status], keys used: [createdAt, orderId, customerId, status]`,
    )
    expect(complaint({ ...withLocal(key('pk', 'l1')), AttributeDefinitions: defined('pk', 'sk', 'l1', 'spare') })).toBe(
      `${unused}AttributeDefinitions: [sk, pk, l1, spare], keys used: [l1, sk, pk]`,
    )
  })

  test('the order of names is correct after both hash tables have grown', () => {
    const names = Array.from({ length: 14 }, (_, at) => `g${at + 1}`)
    const indexes = [0, 2, 4, 6, 8, 10, 12].map(at => index(`gsi${at}`, key(names[at]!, names[at + 1])))
    const order = 'g11, g10, g13, g12, g1, g2, g14, g3, g4, g5, g6, g7, g8, g9, PK'
    expect(
      complaint({
        KeySchema: key('PK'),
        AttributeDefinitions: defined('PK', ...names, 'u1'),
        GlobalSecondaryIndexes: indexes,
      }),
    ).toBe(
      `${INVALID}Some AttributeDefinitions are not used. AttributeDefinitions: [${order}, u1], keys used: [${order}]`,
    )
  })

  test('the key of a table is HASH, optionally followed by RANGE with another name', () => {
    const two = { AttributeDefinitions: defined('pk', 'sk') }
    expect(complaint({ ...two, KeySchema: key('pk', 'sk').reverse() })).toBe(NOT_HASH_FIRST)
    expect(complaint({ ...two, KeySchema: keyOf([], ['pk', 'sk']) })).toBe(NOT_HASH_FIRST)
    expect(complaint({ KeySchema: undefined })).toBe(NOT_HASH_FIRST)
    expect(complaint({ ...two, KeySchema: keyOf(['pk', 'sk']) })).toBe(
      'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
    )
    expect(complaint({ ...two, KeySchema: key('pk', 'pk') })).toBe(SAME_NAME)
  })
})

describe('local indexes in CreateTable', () => {
  test('an empty list of local indexes is rejected', () => {
    expect(complaint({ LocalSecondaryIndexes: [] })).toBe(`${INVALID}List of LocalSecondaryIndexes is empty`)
  })

  test('local indexes require a table with a sort key', () => {
    const local = { AttributeDefinitions: defined('pk', 'l'), LocalSecondaryIndexes: [index('byL', key('pk', 'l'))] }
    expect(complaint(local)).toBe(
      `${INVALID}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
    )
  })

  test('the key of a local index is the HASH of the table and a RANGE', () => {
    expect(complaint(withLocal(keyOf([], ['pk'])))).toBe(NOT_HASH_FIRST)
    expect(complaint(withLocal(key('pk', 'pk')))).toBe(SAME_NAME)
    expect(complaint(withLocal(keyOf(['pk', 'sk'])))).toBe(
      'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
    )
    expect(complaint(withLocal(key('pk')))).toBe(
      `${INVALID}Index KeySchema does not have a range key for index: byOther`,
    )
    expect(complaint(withLocal(key('other', 'sk'), { Projection: {} }))).toBe(
      `${INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: byOther. index hash key: other, table hash key: pk`,
    )
    expect(complaint(withLocal(key('pk', 'sk')))).toBe('none')
  })

  test('a table has at most five local indexes', () => {
    const indexes = Array.from({ length: 6 }, (_, at) => index(`index${at}`, key('pk', 'sk')))
    const table = { AttributeDefinitions: defined('pk', 'sk'), KeySchema: key('pk', 'sk') }
    expect(complaint({ ...table, LocalSecondaryIndexes: indexes.slice(1) })).toBe('none')
    expect(complaint({ ...table, LocalSecondaryIndexes: indexes })).toBe(
      `${INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5`,
    )
  })
})

describe('global indexes in CreateTable', () => {
  test('an empty list of global indexes is rejected', () => {
    expect(complaint({ GlobalSecondaryIndexes: [] })).toBe(`${INVALID}List of GlobalSecondaryIndexes is empty`)
  })

  test('the key of a global index begins with HASH and has no duplicates', () => {
    expect(complaint(withGlobal(keyOf([], ['g'])))).toBe(NOT_HASH_FIRST)
    expect(complaint(withGlobal(key('g', 'g')))).toBe(SAME_NAME)
    const multiple = 'The KeySchema contains multiple key attributes with the same name'
    expect(complaint(withGlobal(keyOf(['g', 'g'])))).toBe(multiple)
    expect(complaint(withGlobal(keyOf(['g', 'h'], ['g'])))).toBe(multiple)
  })

  test('the key of a global index has up to four HASH and then up to four RANGE attributes', () => {
    expect(complaint(withGlobal(keyOf(['a', 'b', 'c', 'd'], ['e', 'f', 'g', 'h'])))).toBe('none')
    expect(complaint(withGlobal([...key('a', 'b'), ...key('c')]))).toBe(
      `${INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
    )
    expect(complaint(withGlobal(keyOf(['a', 'b', 'c', 'd', 'e'])))).toBe(
      `${INVALID}The KeySchema exceeds the maximum allowed number of HASH key attributes`,
    )
    expect(complaint(withGlobal(keyOf(['a'], ['b', 'c', 'd', 'e', 'f'])))).toBe(
      `${INVALID}The KeySchema exceeds the maximum allowed number of RANGE key attributes`,
    )
  })

  test('a table has at most twenty global indexes', () => {
    const indexes = Array.from({ length: 21 }, (_, at) => index(`index${at}`, key('pk')))
    expect(complaint({ GlobalSecondaryIndexes: indexes.slice(1) })).toBe('none')
    expect(complaint({ GlobalSecondaryIndexes: indexes })).toBe(
      `${INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20`,
    )
  })

  test('indexes of all kinds must have different names', () => {
    const duplicate = `${INVALID}Duplicate index name: byOther`
    const twice = [index('byOther', key('pk')), index('byOther', key('pk'))]
    expect(complaint({ GlobalSecondaryIndexes: twice })).toBe(duplicate)
    expect(complaint({ ...withLocal(key('pk', 'l')), GlobalSecondaryIndexes: [index('byOther', key('pk'))] })).toBe(
      duplicate,
    )
  })
})

describe('projections in CreateTable', () => {
  test.each([withGlobal, withLocal])('included attributes must match the projection type (%o)', withIndex => {
    const schema = key('pk', 'other')
    const projecting = (Projection: object) => complaint(withIndex(schema, { Projection }))
    expect(projecting({})).toBe(`${INVALID}Unknown ProjectionType: null`)
    expect(projecting({ ProjectionType: 'INCLUDE' })).toBe(
      `${INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
    )
    for (const ProjectionType of ['ALL', 'KEYS_ONLY']) {
      expect(projecting({ ProjectionType, NonKeyAttributes: ['a'] })).toBe(
        `${INVALID}ProjectionType is ${ProjectionType}, but NonKeyAttributes is specified`,
      )
    }
    expect(projecting({ ProjectionType: 'INCLUDE', NonKeyAttributes: ['x', 'y', 'x'] })).toBe(
      `${INVALID}Duplicate element in NonKeyAttributes: x`,
    )
    expect(projecting({ ProjectionType: 'INCLUDE', NonKeyAttributes: ['pk', 'x'] })).toBe('none')
  })

  test('indexes include at most a hundred attributes in total, counting repetitions', () => {
    const NonKeyAttributes = Array.from({ length: 20 }, (_, at) => `attribute${at}`)
    const including = (name: string, names: string[]) =>
      index(name, key('pk'), { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: names } })
    const five = [1, 2, 3, 4, 5].map(at => including(`index${at}`, NonKeyAttributes))
    expect(complaint({ GlobalSecondaryIndexes: five })).toBe('none')
    expect(complaint({ GlobalSecondaryIndexes: [...five, including('oneMore', ['attribute0'])] })).toBe(
      `${INVALID}The total count of attributes provided in NonKeyAttributes, summed across all of the secondary indexes, must not exceed 100`,
    )
  })
})
