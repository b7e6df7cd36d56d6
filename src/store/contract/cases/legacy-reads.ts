import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import type { ComparisonOperator, Condition } from '../../../dynamodb/operations/conditions.js'
import type { QueryRequest } from '../../../dynamodb/operations/reads.js'
import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { invalid, invalidRequest, same } from '../expect.js'
import { indexed, only } from './indexed.js'
import {
  allItems,
  fixture,
  listed,
  NAME_TOO_LONG,
  number,
  Partition,
  query,
  scan,
  settles,
  TOO_LONG,
  text,
} from './reading.js'

type Conditions = Record<string, Condition>

const asks = (name: string, operator: ComparisonOperator, ...values: AttributeValue[]): Conditions => ({
  [name]: { ComparisonOperator: operator, ...(values.length > 0 && { AttributeValueList: values }) },
})

const letters = fixture(bench =>
  Partition.of(
    bench,
    'composite',
    ['a', 'ab', 'b', 'c'].map((sort, i) => ({ sk: text(sort), grade: number(i), note: text(`n${sort}`) })),
  ),
)

/** A query of the letters by conditions from before expressions. */
async function legacy(bench: Bench, sort: Conditions = {}, more: Partial<QueryRequest> = {}) {
  const { TableName, pk, store } = await letters(bench)
  const KeyConditions = { ...asks('pk', 'EQ', pk), ...sort }
  return query(store, { TableName, KeyConditions, ConsistentRead: true, ...more })
}

const parameter = (detail: string) => `One or more parameter values were invalid: ${detail}`
const UNINDEXED = 'Attempted conditional constraint is not an indexable operation'
const mixed = (old: string, expressions: string) =>
  'Can not use both expression and non-expression parameters in the same request: ' +
  `Non-expression parameters: {${old}} Expression parameters: {${expressions}}`

const keyConditions = cases('query', {
  'KeyConditions find a partition, and in it what the sort key is asked for': async bench => {
    const sorts = async (...given: Parameters<typeof asks>) => listed(await legacy(bench, asks(...given)))
    same(listed(await legacy(bench)), ['a', 'ab', 'b', 'c'])
    same(await sorts('sk', 'EQ', text('ab')), ['ab'])
    same(await sorts('sk', 'LT', text('b')), ['a', 'ab'])
    same(await sorts('sk', 'LE', text('b')), ['a', 'ab', 'b'])
    same(await sorts('sk', 'GT', text('b')), ['c'])
    same(await sorts('sk', 'GE', text('b')), ['b', 'c'])
    same(await sorts('sk', 'BETWEEN', text('ab'), text('b')), ['ab', 'b'])
    same(await sorts('sk', 'BEGINS_WITH', text('a')), ['a', 'ab'])
  },

  'KeyConditions are read in either direction, page by page': async bench => {
    same(listed(await legacy(bench, {}, { ScanIndexForward: false, Limit: 2 })), ['c', 'b'])
    const items = await allItems(start => legacy(bench, {}, { Limit: 1, ...start }))
    same(items, (await letters(bench)).items)
  },

  'KeyConditions find the entries of an index': async bench => {
    const { partition, group, items } = await indexed(bench)
    const request = {
      TableName: partition.TableName,
      IndexName: 'byGroup',
      KeyConditions: { ...asks('group', 'EQ', group), ...asks('rank', 'GE', number(2)) },
    }
    const expected = [items.c, items.a].map(item => only(item, 'pk', 'sk'))
    const found = async () => (await query(bench.store, request)).Items!.map(item => only(item, 'pk', 'sk'))
    await settles(bench, found, expected)
  },

  'KeyConditions go with a filter and a projection that are expressions': async bench => {
    const { Items, ScannedCount } = await legacy(
      bench,
      {},
      {
        FilterExpression: 'grade > :one',
        ProjectionExpression: 'note',
        ExpressionAttributeValues: { ':one': number(1) },
      },
    )
    same([Items, ScannedCount], [[{ note: text('nb') }, { note: text('nc') }], 4])
  },

  'KeyConditions do not go together with a key condition that is an expression': async bench => {
    const { pk } = await letters(bench)
    const more = { KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk } }
    await invalid(legacy(bench, {}, more), mixed('KeyConditions', 'KeyConditionExpression'))
    await invalid(
      legacy(bench, {}, { ...more, AttributesToGet: ['sk'], QueryFilter: asks('grade', 'NOT_NULL') }),
      mixed('AttributesToGet, QueryFilter, KeyConditions', 'KeyConditionExpression'),
    )
  },

  'a key is not found by every operator': async bench => {
    for (const operator of ['NE', 'CONTAINS', 'NOT_CONTAINS', 'IN'] as const)
      await invalid(legacy(bench, asks('sk', operator, text('a'))), UNINDEXED)
    for (const operator of ['NULL', 'NOT_NULL'] as const) await invalid(legacy(bench, asks('sk', operator)), UNINDEXED)
    await invalid(legacy(bench, asks('pk', 'IN', text('a'))), UNINDEXED)
    await invalid(legacy(bench, asks('pk', 'GT', text('a'))), 'Query key condition not supported')
  },

  'KeyConditions are on the key, and on nothing else': async bench => {
    await invalid(legacy(bench, asks('grade', 'EQ', number(1))), 'Query condition missed key schema element: sk')
    await invalid(
      legacy(bench, { ...asks('sk', 'EQ', text('a')), ...asks('grade', 'EQ', number(1)) }),
      'The number of query conditions (3) exceeds the number of key attributes defined in the schema (2)',
    )
    const { TableName } = await letters(bench)
    await invalid(
      bench.store.query({ TableName, KeyConditions: asks('sk', 'EQ', text('a')) }),
      'Query condition missed key schema element: pk',
    )
    await invalid(bench.store.query({ TableName, KeyConditions: {} }), 'Conditions must be at least length 1')
  },

  'KeyConditions have the types of the key': async bench => {
    const wrong = parameter('Condition parameter type does not match schema type')
    await invalid(legacy(bench, asks('sk', 'EQ', number(1))), wrong)
    await invalid(legacy(bench, asks('sk', 'EQ', { BOOL: true })), wrong)
    await invalid(
      legacy(bench, asks('sk', 'LT', { BOOL: true })),
      parameter('ComparisonOperator LT is not valid for BOOL AttributeValue type'),
    )
    await invalid(
      legacy(bench, asks('sk', 'BETWEEN', text('b'), text('a'))),
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    )
    await invalid(
      legacy(bench, asks('sk', 'EQ', text('a'), text('b'))),
      parameter('Invalid number of argument(s) for the EQ ComparisonOperator'),
    )
  },

  'a query without any key condition is refused': async bench => {
    const { TableName } = await letters(bench)
    await invalid(
      bench.store.query({ TableName, QueryFilter: asks('grade', 'NOT_NULL') }),
      'Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.',
    )
  },
})

const filters = cases('query', {
  'QueryFilter leaves out items after they are read': async bench => {
    const { Count, ScannedCount, Items } = await legacy(
      bench,
      {},
      { QueryFilter: asks('grade', 'IN', number(0), number(3)) },
    )
    same([Count, ScannedCount, listed({ Items })], [2, 4, ['a', 'c']])
  },

  'the conditions of QueryFilter all hold, or any under OR': async bench => {
    const QueryFilter = { ...asks('grade', 'GT', number(2)), ...asks('note', 'CONTAINS', text('b')) }
    same(listed(await legacy(bench, {}, { QueryFilter })), [])
    same(listed(await legacy(bench, {}, { QueryFilter, ConditionalOperator: 'AND' })), [])
    same(listed(await legacy(bench, {}, { QueryFilter, ConditionalOperator: 'OR' })), ['ab', 'b', 'c'])
  },

  'QueryFilter is not on the key': async bench => {
    const key = (name: string) =>
      `QueryFilter can only contain non-primary key attributes: Primary key attribute: ${name}`
    await invalid(legacy(bench, {}, { QueryFilter: asks('sk', 'NOT_NULL') }), key('sk'))
    await invalid(legacy(bench, {}, { QueryFilter: asks('pk', 'EQ', text('a')) }), key('pk'))
  },

  'what QueryFilter is given is checked': async bench => {
    const filtered = (QueryFilter: Conditions) => legacy(bench, {}, { QueryFilter })
    await invalid(filtered(asks('a', 'EQ')), parameter('Invalid number of argument(s) for the EQ ComparisonOperator'))
    await invalid(
      filtered(asks('a', 'CONTAINS', { SS: ['x'] })),
      parameter('ComparisonOperator CONTAINS is not valid for SS AttributeValue type'),
    )
    await invalid(filtered(asks('a', 'EQ', { N: 'x' })), 'The parameter cannot be converted to a numeric value: x')
    await invalid(
      legacy(bench, {}, { ConditionalOperator: 'OR', QueryFilter: asks('a', 'NOT_NULL') }),
      'ConditionalOperator can only be used when Filter or Expected has two or more elements',
    )
    await invalid(
      legacy(bench, {}, { ConditionalOperator: 'OR' }),
      'ConditionalOperator cannot be used without Filter or Expected',
    )
  },

  'values are told of before what operators take, and the filter before the key': async bench => {
    const count = (operator: string) =>
      parameter(`Invalid number of argument(s) for the ${operator} ComparisonOperator`)
    await invalid(
      legacy(bench, asks('sk', 'BETWEEN', text('a')), {
        QueryFilter: { ...asks('a', 'EQ'), ...asks('b', 'EQ', { N: 'x' }) },
      }),
      'The parameter cannot be converted to a numeric value: x',
    )
    await invalid(legacy(bench, asks('sk', 'BETWEEN', text('a')), { QueryFilter: asks('a', 'EQ') }), count('EQ'))
  },
})

const scanned = cases('scan', {
  'ScanFilter leaves out items, and may be on keys': async bench => {
    const { TableName, pk, items } = await letters(bench)
    const found = (more: object) =>
      allItems(start => scan(bench.store, { TableName, ConsistentRead: true, ...more, ...start }))
    const mine = asks('pk', 'EQ', pk)
    same(await found({ ScanFilter: mine }), items)
    same(await found({ ScanFilter: { ...mine, ...asks('grade', 'LT', number(2)) } }), items.slice(0, 2))
    same(await found({ ScanFilter: { ...mine, ...asks('missing', 'NOT_NULL') } }), [])
  },

  'ScanFilter does not go together with a filter that is an expression': async bench => {
    const { TableName } = await letters(bench)
    await invalid(
      bench.store.scan({
        TableName,
        ScanFilter: asks('a', 'NOT_NULL'),
        ConditionalOperator: 'OR',
        AttributesToGet: ['a'],
        FilterExpression: 'attribute_exists(a)',
      }),
      mixed('AttributesToGet, ScanFilter, ConditionalOperator', 'FilterExpression'),
    )
  },

  'a filter may ask for an attribute without a name, which none has': async bench => {
    const { TableName } = await letters(bench)
    same((await bench.store.scan({ TableName, ScanFilter: asks('', 'NOT_NULL') })).Items, [])
  },

  'what ScanFilter is given is checked': async bench => {
    const { TableName } = await letters(bench)
    await invalid(
      bench.store.scan({ TableName, ScanFilter: asks('a', 'NULL', text('x')) }),
      parameter('Invalid number of argument(s) for the NULL ComparisonOperator'),
    )
    await invalid(bench.store.scan({ TableName, ScanFilter: asks(TOO_LONG, 'NULL') }), NAME_TOO_LONG)
    await invalid(
      bench.store.scan({ TableName, ScanFilter: {}, ConditionalOperator: 'AND' }),
      'ConditionalOperator cannot be used without Filter or Expected',
    )
    await invalid(
      bench.store.scan({ TableName, AttributesToGet: [''], ConditionalOperator: 'AND' }),
      'Empty attribute name',
    )
  },
})

const TWICE = parameter('Duplicate value in attribute name: note')

const projected = [
  ...cases('getItem', {
    'AttributesToGet answers whole attributes, those that are there': async bench => {
      const { TableName, pk, store } = await letters(bench)
      const get = (...AttributesToGet: string[]) =>
        store.getItem({ TableName, Key: { pk, sk: text('a') }, AttributesToGet })
      same((await get('note', 'missing')).Item, { note: text('na') })
      same((await get('missing')).Item, {})
      await invalid(get('note', 'grade', 'note'), TWICE)
      await invalid(get(''), 'Empty attribute name')
    },

    'AttributesToGet has names of at most 65535 bytes': async bench => {
      const TableName = await bench.table('hash')
      const request = { TableName, Key: { pk: text(bench.unique()) } }
      await invalid(bench.store.getItem({ ...request, AttributesToGet: [TOO_LONG] }), NAME_TOO_LONG)
    },

    'AttributesToGet does not go together with a projection that is an expression': async bench => {
      const { TableName, pk, store } = await letters(bench)
      const request = { TableName, Key: { pk, sk: text('a') }, AttributesToGet: ['note'], ProjectionExpression: 'note' }
      await invalid(store.getItem(request), mixed('AttributesToGet', 'ProjectionExpression'))
    },
  }),
  ...cases('batchGetItem', {
    'AttributesToGet is for the items of its table': async bench => {
      const { TableName, pk, store } = await letters(bench)
      const get = (more: object) =>
        store.batchGetItem({ RequestItems: { [TableName]: { Keys: [{ pk, sk: text('a') }], ...more } } })
      same((await get({ AttributesToGet: ['grade'] })).Responses, { [TableName]: [{ grade: number(0) }] })
      await invalid(get({ AttributesToGet: ['note', 'note'] }), TWICE)
      await invalid(
        get({ AttributesToGet: ['note'], ProjectionExpression: 'note' }),
        mixed('AttributesToGet', 'ProjectionExpression'),
      )
    },
  }),
  ...cases('query', {
    'AttributesToGet answers whole attributes of what a query finds': async bench => {
      const { Items } = await legacy(bench, asks('sk', 'EQ', text('a')), { AttributesToGet: ['note'] })
      same(Items, [{ note: text('na') }])
      await invalid(legacy(bench, {}, { AttributesToGet: ['note', 'note'] }), TWICE)
    },

    'AttributesToGet goes with SPECIFIC_ATTRIBUTES alone': async bench => {
      const select = (Select: NonNullable<QueryRequest['Select']>) =>
        legacy(bench, asks('sk', 'EQ', text('a')), { AttributesToGet: ['note'], Select })
      const refusal = (wanted: string) => `Cannot specify the AttributesToGet when choosing to get ${wanted}`
      same((await select('SPECIFIC_ATTRIBUTES')).Items, [{ note: text('na') }])
      await invalidRequest(select('COUNT'), refusal('only the Count'))
      await invalidRequest(select('ALL_ATTRIBUTES'), refusal('ALL_ATTRIBUTES'))
    },

    'AttributesToGet of a global index names only what the index has': async bench => {
      const { partition, group } = await indexed(bench)
      const request = {
        TableName: partition.TableName,
        IndexName: 'byGroup',
        KeyConditions: asks('group', 'EQ', group),
        AttributesToGet: ['sk', 'extra'],
      }
      await invalid(bench.store.query(request), parameter('Global secondary index byGroup does not project [extra]'))
    },
  }),
  ...cases('scan', {
    'AttributesToGet answers whole attributes of what a scan finds': async bench => {
      const { TableName, pk } = await letters(bench)
      const request = { TableName, ScanFilter: asks('pk', 'EQ', pk), AttributesToGet: ['sk'], ConsistentRead: true }
      const items = await allItems(start => scan(bench.store, { ...request, ...start }))
      same(
        items,
        ['a', 'ab', 'b', 'c'].map(sort => ({ sk: text(sort) })),
      )
    },
  }),
]

/** Reads by parameters from before expressions. */
export const legacyReadCases = [...keyConditions, ...filters, ...scanned, ...projected]
