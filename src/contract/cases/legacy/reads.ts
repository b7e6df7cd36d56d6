import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import type { ComparisonOperator, Condition } from '../../../dynamodb/operations/conditions.js'
import type { QueryInput } from '../../../dynamodb/operations/reads.js'
import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { pickAttributes, sharedIndexedItems } from '../../fixtures/indexed-items.js'
import {
  attributeOfItems,
  expectEventually,
  LONG_NAME,
  LONG_NAME_MESSAGE,
  numericValue,
  readAllItems,
  runQuery,
  runScan,
  sharedFixture,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

type LegacyConditions = Record<string, Condition>

const legacyCondition = (
  name: string,
  operator: ComparisonOperator,
  ...values: AttributeValue[]
): LegacyConditions => ({
  [name]: { ComparisonOperator: operator, ...(values.length > 0 && { AttributeValueList: values }) },
})

const letterRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'composite',
    ['a', 'ab', 'b', 'c'].map((sort, i) => ({
      sk: stringValue(sort),
      grade: numericValue(i),
      note: stringValue(`n${sort}`),
    })),
  ),
)

/** A query of the letters by conditions from before expressions. */
async function queryLegacy(bench: TestBench, sort: LegacyConditions = {}, more: Partial<QueryInput> = {}) {
  const { TableName, pk, store } = await letterRows(bench)
  const KeyConditions = { ...legacyCondition('pk', 'EQ', pk), ...sort }
  return runQuery(store, { TableName, KeyConditions, ConsistentRead: true, ...more })
}

const parameterError = (detail: string) => `One or more parameter values were invalid: ${detail}`
const UNINDEXED = 'Attempted conditional constraint is not an indexable operation'
const mixedParameters = (old: string, expressions: string) =>
  'Can not use both expression and non-expression parameters in the same request: ' +
  `Non-expression parameters: {${old}} Expression parameters: {${expressions}}`

const keyConditions = defineCases('query', {
  'KeyConditions find a partition, and in it what the sort key is asked for': async bench => {
    const sorts = async (...given: Parameters<typeof legacyCondition>) =>
      attributeOfItems(await queryLegacy(bench, legacyCondition(...given)))
    expectEqual(attributeOfItems(await queryLegacy(bench)), ['a', 'ab', 'b', 'c'])
    expectEqual(await sorts('sk', 'EQ', stringValue('ab')), ['ab'])
    expectEqual(await sorts('sk', 'LT', stringValue('b')), ['a', 'ab'])
    expectEqual(await sorts('sk', 'LE', stringValue('b')), ['a', 'ab', 'b'])
    expectEqual(await sorts('sk', 'GT', stringValue('b')), ['c'])
    expectEqual(await sorts('sk', 'GE', stringValue('b')), ['b', 'c'])
    expectEqual(await sorts('sk', 'BETWEEN', stringValue('ab'), stringValue('b')), ['ab', 'b'])
    expectEqual(await sorts('sk', 'BEGINS_WITH', stringValue('a')), ['a', 'ab'])
  },

  'KeyConditions are read in either direction, page by page': async bench => {
    expectEqual(attributeOfItems(await queryLegacy(bench, {}, { ScanIndexForward: false, Limit: 2 })), ['c', 'b'])
    const items = await readAllItems(start => queryLegacy(bench, {}, { Limit: 1, ...start }))
    expectEqual(items, (await letterRows(bench)).items)
  },

  'KeyConditions find the entries of an index': async bench => {
    const { partition, group, items } = await sharedIndexedItems(bench)
    const request = {
      TableName: partition.TableName,
      IndexName: 'byGroup',
      KeyConditions: { ...legacyCondition('group', 'EQ', group), ...legacyCondition('rank', 'GE', numericValue(2)) },
    }
    const expected = [items.c, items.a].map(item => pickAttributes(item, 'pk', 'sk'))
    const found = async () =>
      (await runQuery(bench.store, request)).Items!.map(item => pickAttributes(item, 'pk', 'sk'))
    await expectEventually(bench, found, expected)
  },

  'KeyConditions go with a filter and a projection that are expressions': async bench => {
    const { Items, ScannedCount } = await queryLegacy(
      bench,
      {},
      {
        FilterExpression: 'grade > :one',
        ProjectionExpression: 'note',
        ExpressionAttributeValues: { ':one': numericValue(1) },
      },
    )
    expectEqual([Items, ScannedCount], [[{ note: stringValue('nb') }, { note: stringValue('nc') }], 4])
  },

  'KeyConditions do not go together with a key condition that is an expression': async bench => {
    const { pk } = await letterRows(bench)
    const more = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }
    await expectValidationError(
      queryLegacy(bench, {}, more),
      mixedParameters('KeyConditions', 'KeyConditionExpression'),
    )
    await expectValidationError(
      queryLegacy(bench, {}, { ...more, AttributesToGet: ['sk'], QueryFilter: legacyCondition('grade', 'NOT_NULL') }),
      mixedParameters('AttributesToGet, QueryFilter, KeyConditions', 'KeyConditionExpression'),
    )
  },

  'a key is not found by every operator': async bench => {
    for (const operator of ['NE', 'CONTAINS', 'NOT_CONTAINS', 'IN'] as const)
      await expectValidationError(queryLegacy(bench, legacyCondition('sk', operator, stringValue('a'))), UNINDEXED)
    for (const operator of ['NULL', 'NOT_NULL'] as const)
      await expectValidationError(queryLegacy(bench, legacyCondition('sk', operator)), UNINDEXED)
    await expectValidationError(queryLegacy(bench, legacyCondition('pk', 'IN', stringValue('a'))), UNINDEXED)
    await expectValidationError(
      queryLegacy(bench, legacyCondition('pk', 'GT', stringValue('a'))),
      'Query key condition not supported',
    )
  },

  'KeyConditions are on the key, and on nothing else': async bench => {
    await expectValidationError(
      queryLegacy(bench, legacyCondition('grade', 'EQ', numericValue(1))),
      'Query condition missed key schema element: sk',
    )
    await expectValidationError(
      queryLegacy(bench, {
        ...legacyCondition('sk', 'EQ', stringValue('a')),
        ...legacyCondition('grade', 'EQ', numericValue(1)),
      }),
      'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
    )
    const { TableName } = await letterRows(bench)
    await expectValidationError(
      bench.store.query({ TableName, KeyConditions: legacyCondition('sk', 'EQ', stringValue('a')) }),
      'Query condition missed key schema element: pk',
    )
    await expectValidationError(
      bench.store.query({ TableName, KeyConditions: {} }),
      'Conditions must be at least length 1',
    )
  },

  'KeyConditions have the types of the key': async bench => {
    const wrong = parameterError('Condition parameter type does not match schema type')
    await expectValidationError(queryLegacy(bench, legacyCondition('sk', 'EQ', numericValue(1))), wrong)
    await expectValidationError(queryLegacy(bench, legacyCondition('sk', 'EQ', { BOOL: true })), wrong)
    await expectValidationError(
      queryLegacy(bench, legacyCondition('sk', 'LT', { BOOL: true })),
      parameterError('ComparisonOperator LT is not valid for BOOL AttributeValue type'),
    )
    await expectValidationError(
      queryLegacy(bench, legacyCondition('sk', 'BETWEEN', stringValue('b'), stringValue('a'))),
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    )
    await expectValidationError(
      queryLegacy(bench, legacyCondition('sk', 'EQ', stringValue('a'), stringValue('b'))),
      parameterError('Invalid number of argument(s) for the EQ ComparisonOperator'),
    )
  },

  'a query without any key condition is refused': async bench => {
    const { TableName } = await letterRows(bench)
    await expectValidationError(
      bench.store.query({ TableName, QueryFilter: legacyCondition('grade', 'NOT_NULL') }),
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    )
  },
})

const filters = defineCases('query', {
  'QueryFilter leaves out items after they are read': async bench => {
    const { Count, ScannedCount, Items } = await queryLegacy(
      bench,
      {},
      { QueryFilter: legacyCondition('grade', 'IN', numericValue(0), numericValue(3)) },
    )
    expectEqual([Count, ScannedCount, attributeOfItems({ Items })], [2, 4, ['a', 'c']])
  },

  'the conditions of QueryFilter all hold, or any under OR': async bench => {
    const QueryFilter = {
      ...legacyCondition('grade', 'GT', numericValue(2)),
      ...legacyCondition('note', 'CONTAINS', stringValue('b')),
    }
    expectEqual(attributeOfItems(await queryLegacy(bench, {}, { QueryFilter })), [])
    expectEqual(attributeOfItems(await queryLegacy(bench, {}, { QueryFilter, ConditionalOperator: 'AND' })), [])
    expectEqual(attributeOfItems(await queryLegacy(bench, {}, { QueryFilter, ConditionalOperator: 'OR' })), [
      'ab',
      'b',
      'c',
    ])
  },

  'QueryFilter is not on the key': async bench => {
    const key = (name: string) =>
      `QueryFilter can only contain non-primary key attributes: Primary key attribute: ${name}`
    await expectValidationError(queryLegacy(bench, {}, { QueryFilter: legacyCondition('sk', 'NOT_NULL') }), key('sk'))
    await expectValidationError(
      queryLegacy(bench, {}, { QueryFilter: legacyCondition('pk', 'EQ', stringValue('a')) }),
      key('pk'),
    )
  },

  'what QueryFilter is given is checked': async bench => {
    const filtered = (QueryFilter: LegacyConditions) => queryLegacy(bench, {}, { QueryFilter })
    await expectValidationError(
      filtered(legacyCondition('a', 'EQ')),
      parameterError('Invalid number of argument(s) for the EQ ComparisonOperator'),
    )
    await expectValidationError(
      filtered(legacyCondition('a', 'CONTAINS', { SS: ['x'] })),
      parameterError('ComparisonOperator CONTAINS is not valid for SS AttributeValue type'),
    )
    await expectValidationError(
      filtered(legacyCondition('a', 'EQ', { N: 'x' })),
      'The parameter cannot be converted to a numeric value: x',
    )
    await expectValidationError(
      queryLegacy(bench, {}, { ConditionalOperator: 'OR', QueryFilter: legacyCondition('a', 'NOT_NULL') }),
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    )
    await expectValidationError(
      queryLegacy(bench, {}, { ConditionalOperator: 'OR' }),
      'ConditionalOperator cannot be used without Filter or Expected',
    )
  },

  'values are told of before what operators take, and the filter before the key': async bench => {
    const count = (operator: string) =>
      parameterError(`Invalid number of argument(s) for the ${operator} ComparisonOperator`)
    await expectValidationError(
      queryLegacy(bench, legacyCondition('sk', 'BETWEEN', stringValue('a')), {
        QueryFilter: { ...legacyCondition('a', 'EQ'), ...legacyCondition('b', 'EQ', { N: 'x' }) },
      }),
      'The parameter cannot be converted to a numeric value: x',
    )
    await expectValidationError(
      queryLegacy(bench, legacyCondition('sk', 'BETWEEN', stringValue('a')), {
        QueryFilter: legacyCondition('a', 'EQ'),
      }),
      count('EQ'),
    )
  },
})

const legacyScanCases = defineCases('scan', {
  'ScanFilter leaves out items, and may be on keys': async bench => {
    const { TableName, pk, items } = await letterRows(bench)
    const found = (more: object) =>
      readAllItems(start => runScan(bench.store, { TableName, ConsistentRead: true, ...more, ...start }))
    const mine = legacyCondition('pk', 'EQ', pk)
    expectEqual(await found({ ScanFilter: mine }), items)
    expectEqual(
      await found({ ScanFilter: { ...mine, ...legacyCondition('grade', 'LT', numericValue(2)) } }),
      items.slice(0, 2),
    )
    expectEqual(await found({ ScanFilter: { ...mine, ...legacyCondition('missing', 'NOT_NULL') } }), [])
  },

  'ScanFilter does not go together with a filter that is an expression': async bench => {
    const { TableName } = await letterRows(bench)
    await expectValidationError(
      bench.store.scan({
        TableName,
        ScanFilter: legacyCondition('a', 'NOT_NULL'),
        ConditionalOperator: 'OR',
        AttributesToGet: ['a'],
        FilterExpression: 'attribute_exists(a)',
      }),
      mixedParameters('AttributesToGet, ScanFilter, ConditionalOperator', 'FilterExpression'),
    )
  },

  'a filter may ask for an attribute without a name, which none has': async bench => {
    const { TableName } = await letterRows(bench)
    expectEqual((await bench.store.scan({ TableName, ScanFilter: legacyCondition('', 'NOT_NULL') })).Items, [])
  },

  'what ScanFilter is given is checked': async bench => {
    const { TableName } = await letterRows(bench)
    await expectValidationError(
      bench.store.scan({ TableName, ScanFilter: legacyCondition('a', 'NULL', stringValue('x')) }),
      parameterError('Invalid number of argument(s) for the NULL ComparisonOperator'),
    )
    await expectValidationError(
      bench.store.scan({ TableName, ScanFilter: legacyCondition(LONG_NAME, 'NULL') }),
      LONG_NAME_MESSAGE,
    )
    await expectValidationError(
      bench.store.scan({ TableName, ScanFilter: {}, ConditionalOperator: 'AND' }),
      'ConditionalOperator cannot be used without Filter or Expected',
    )
    await expectValidationError(
      bench.store.scan({ TableName, AttributesToGet: [''], ConditionalOperator: 'AND' }),
      'Empty attribute name',
    )
  },
})

const DUPLICATE_ATTRIBUTE = parameterError('Duplicate value in attribute name: note')

const legacyProjectionCases = [
  ...defineCases('getItem', {
    'AttributesToGet answers whole attributes, those that are there': async bench => {
      const { TableName, pk, store } = await letterRows(bench)
      const get = (...AttributesToGet: string[]) =>
        store.getItem({ TableName, Key: { pk, sk: stringValue('a') }, AttributesToGet })
      expectEqual((await get('note', 'missing')).Item, { note: stringValue('na') })
      expectEqual((await get('missing')).Item, {})
      await expectValidationError(get('note', 'grade', 'note'), DUPLICATE_ATTRIBUTE)
      await expectValidationError(get(''), 'Empty attribute name')
    },

    'AttributesToGet has names of at most 65535 bytes': async bench => {
      const TableName = await bench.sharedTable('hash')
      const request = { TableName, Key: { pk: stringValue(bench.unique()) } }
      await expectValidationError(bench.store.getItem({ ...request, AttributesToGet: [LONG_NAME] }), LONG_NAME_MESSAGE)
    },

    'AttributesToGet does not go together with a projection that is an expression': async bench => {
      const { TableName, pk, store } = await letterRows(bench)
      const request = {
        TableName,
        Key: { pk, sk: stringValue('a') },
        AttributesToGet: ['note'],
        ProjectionExpression: 'note',
      }
      await expectValidationError(store.getItem(request), mixedParameters('AttributesToGet', 'ProjectionExpression'))
    },
  }),
  ...defineCases('batchGetItem', {
    'AttributesToGet is for the items of its table': async bench => {
      const { TableName, pk, store } = await letterRows(bench)
      const get = (more: object) =>
        store.batchGetItem({ RequestItems: { [TableName]: { Keys: [{ pk, sk: stringValue('a') }], ...more } } })
      expectEqual((await get({ AttributesToGet: ['grade'] })).Responses, { [TableName]: [{ grade: numericValue(0) }] })
      await expectValidationError(get({ AttributesToGet: ['note', 'note'] }), DUPLICATE_ATTRIBUTE)
      await expectValidationError(
        get({ AttributesToGet: ['note'], ProjectionExpression: 'note' }),
        mixedParameters('AttributesToGet', 'ProjectionExpression'),
      )
    },
  }),
  ...defineCases('query', {
    'AttributesToGet answers whole attributes of what a query finds': async bench => {
      const { Items } = await queryLegacy(bench, legacyCondition('sk', 'EQ', stringValue('a')), {
        AttributesToGet: ['note'],
      })
      expectEqual(Items, [{ note: stringValue('na') }])
      await expectValidationError(queryLegacy(bench, {}, { AttributesToGet: ['note', 'note'] }), DUPLICATE_ATTRIBUTE)
    },

    'AttributesToGet goes with SPECIFIC_ATTRIBUTES alone': async bench => {
      const select = (Select: NonNullable<QueryInput['Select']>) =>
        queryLegacy(bench, legacyCondition('sk', 'EQ', stringValue('a')), { AttributesToGet: ['note'], Select })
      const refusal = (wanted: string) => `Cannot specify the AttributesToGet when choosing to get ${wanted}`
      expectEqual((await select('SPECIFIC_ATTRIBUTES')).Items, [{ note: stringValue('na') }])
      await expectInvalidRequest(select('COUNT'), refusal('only the Count'))
      await expectInvalidRequest(select('ALL_ATTRIBUTES'), refusal('ALL_ATTRIBUTES'))
    },

    'AttributesToGet of a global index names only what the index has': async bench => {
      const { partition, group } = await sharedIndexedItems(bench)
      const request = {
        TableName: partition.TableName,
        IndexName: 'byGroup',
        KeyConditions: legacyCondition('group', 'EQ', group),
        AttributesToGet: ['sk', 'extra'],
      }
      await expectValidationError(
        bench.store.query(request),
        parameterError('Global secondary index byGroup does not project [extra]'),
      )
    },
  }),
  ...defineCases('scan', {
    'AttributesToGet answers whole attributes of what a scan finds': async bench => {
      const { TableName, pk } = await letterRows(bench)
      const request = {
        TableName,
        ScanFilter: legacyCondition('pk', 'EQ', pk),
        AttributesToGet: ['sk'],
        ConsistentRead: true,
      }
      const items = await readAllItems(start => runScan(bench.store, { ...request, ...start }))
      expectEqual(
        items,
        ['a', 'ab', 'b', 'c'].map(sort => ({ sk: stringValue(sort) })),
      )
    },
  }),
]

/** Reads by parameters from before expressions. */
export const legacyReadCases = [...keyConditions, ...filters, ...legacyScanCases, ...legacyProjectionCases]
