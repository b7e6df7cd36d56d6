import { expectEqual, expectValidationError } from '../../assertions.js'
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
  stringValue,
} from '../../fixtures/test-partition.js'
import {
  type LegacyConditions,
  legacyCondition,
  letterRows,
  mixedParameters,
  parameterError,
  queryLegacy,
} from './letter-rows.js'

const UNINDEXED = 'Attempted conditional constraint is not an indexable operation'

const keyConditions = defineCases('query', {
  'KeyConditions select a partition and a range of its sort key': async bench => {
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

  'KeyConditions support both directions and paging': async bench => {
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

  'KeyConditions can be combined with a filter expression and a projection expression': async bench => {
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

  'KeyConditions together with a key condition expression are rejected': async bench => {
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

  'unsupported operators on a key are rejected': async bench => {
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

  'KeyConditions on other attributes than the key are rejected': async bench => {
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

  'KeyConditions with a wrong key type are rejected': async bench => {
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

  'a query without any key condition is rejected': async bench => {
    const { TableName } = await letterRows(bench)
    await expectValidationError(
      bench.store.query({ TableName, QueryFilter: legacyCondition('grade', 'NOT_NULL') }),
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    )
  },
})

const filters = defineCases('query', {
  'QueryFilter filters items after they are read': async bench => {
    const { Count, ScannedCount, Items } = await queryLegacy(
      bench,
      {},
      { QueryFilter: legacyCondition('grade', 'IN', numericValue(0), numericValue(3)) },
    )
    expectEqual([Count, ScannedCount, attributeOfItems({ Items })], [2, 4, ['a', 'c']])
  },

  'every condition of QueryFilter must hold, or at least one under OR': async bench => {
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

  'QueryFilter on the key is rejected': async bench => {
    const key = (name: string) =>
      `QueryFilter can only contain non-primary key attributes: Primary key attribute: ${name}`
    await expectValidationError(queryLegacy(bench, {}, { QueryFilter: legacyCondition('sk', 'NOT_NULL') }), key('sk'))
    await expectValidationError(
      queryLegacy(bench, {}, { QueryFilter: legacyCondition('pk', 'EQ', stringValue('a')) }),
      key('pk'),
    )
  },

  'QueryFilter is validated': async bench => {
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

  'values are validated before operators, and the filter before the key': async bench => {
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
  'ScanFilter filters items and can use keys': async bench => {
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

  'ScanFilter together with a filter expression is rejected': async bench => {
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

  'a filter on an empty attribute name matches nothing': async bench => {
    const { TableName } = await letterRows(bench)
    expectEqual((await bench.store.scan({ TableName, ScanFilter: legacyCondition('', 'NOT_NULL') })).Items, [])
  },

  'ScanFilter is validated': async bench => {
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

/** Cases of legacy conditions of reads. */
export const legacyReadCases = [...keyConditions, ...filters, ...legacyScanCases]
