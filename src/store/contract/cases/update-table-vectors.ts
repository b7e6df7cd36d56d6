import { VECTOR_INDEXES } from '../../../dynamodb/limits.js'
import type { VectorIndex } from '../../../dynamodb/operations/indexes.js'
import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { times } from './measures.js'
import { hash, index, texts } from './table-definitions.js'
import { DIVIDED, finds, item, nearestBy, searched, vector } from './vector-searching.js'

const INVALID = 'One or more parameter values were invalid: '
const redefined = (existing: string, next: string) =>
  `${INVALID}Attributes cannot be redefined. Please check that your attribute has the same type as previously ` +
  `defined. Existing schema: ${existing} New schema: ${next}`
const creating = (...indexes: VectorIndex[]) => ({ VectorIndexUpdates: indexes.map(Create => ({ Create })) })

/** Searched where that can be. */
const newIndexCases = cases('searchVectors', {
  'a new vector index has the items that were there, as far as they belong to it': async bench => {
    const TableName = await searched(
      bench,
      [],
      ...[item('a', [1, 0, 0]), item('b', [1, 1, 0]), item('short', [1, 0])],
      ...[{ a: { S: 'none' } }, { a: { S: 'text' }, vector: { S: 'x' } }, item('t', [0, 1, 0], { tenant: { S: 't' } })],
    )
    const { TableDescription } = await bench.store.updateTable({ TableName, ...creating(nearestBy('some')) })
    same(TableDescription!.TableStatus, 'UPDATING')
    const { IndexStatus, Backfilling } = TableDescription!.VectorIndexes![0]!
    same([IndexStatus, Backfilling], ['CREATING', false])
    await bench.active(TableName)
    await finds(bench, { TableName, IndexName: 'some' }, 'a', 'b', 't')
    const AttributeDefinitions = texts('tenant', 'kind')
    await bench.store.updateTable({ TableName, AttributeDefinitions, ...creating(nearestBy('divided', DIVIDED)) })
    await bench.active(TableName)
    const tenant = { SearchConditionExpression: 'tenant = :t', ExpressionAttributeValues: { ':t': { S: 't' } } }
    await finds(bench, { TableName, IndexName: 'divided', ...tenant }, 't')
  },

  'an item that does not belong to a new vector index can be written otherwise': async bench => {
    const TableName = await searched(bench, [], { a: { S: 'text' }, vector: { S: 'x' } })
    await bench.store.updateTable({ TableName, ...creating(nearestBy('some')) })
    await bench.active(TableName)
    const Key = { a: { S: 'text' } }
    const set = (name: string, value: NonNullable<typeof Key.a | ReturnType<typeof vector>>) =>
      bench.store.updateItem({
        ...{ TableName, Key, UpdateExpression: `SET ${name} = :value` },
        ExpressionAttributeValues: { ':value': value },
      })
    await set('beside', { S: 'y' })
    await finds(bench, { TableName, IndexName: 'some' })
    await set('vector', vector(1, 0, 0))
    await finds(bench, { TableName, IndexName: 'some' }, 'text')
  },
})

const updateCases = cases('updateTable', {
  'a vector index is deleted, and its table stays': async bench => {
    const TableName = await searched(bench, [nearestBy('some')], item('a', [1, 0, 0]))
    await bench.store.updateTable({ TableName, VectorIndexUpdates: [{ Delete: { IndexName: 'some' } }] })
    await bench.eventually(async () =>
      same((await bench.store.describeTable({ TableName })).Table!.VectorIndexes, undefined),
    )
    await bench.put(TableName, { a: { S: 'a' }, vector: { S: 'anything' } })
  },

  'one vector index is made at a time': async bench => {
    const TableName = await searched(bench, [])
    await refused(
      bench.store.updateTable({ TableName, ...creating(nearestBy('one'), nearestBy('two')) }),
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
  },

  'a sixth vector index is refused': covering(['limit:VECTOR_INDEXES'], async bench => {
    const TableName = await searched(
      bench,
      times(VECTOR_INDEXES, each => nearestBy(`some${each}`)),
    )
    await refused(
      bench.store.updateTable({ TableName, ...creating(nearestBy('more')) }),
      'LimitExceededException',
      'Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of 5',
    )
  }),

  'a vector index that cannot be is refused': async bench => {
    const TableName = await searched(bench, [nearestBy('some', DIVIDED)])
    const refuses = (wanted: VectorIndex, message: string) =>
      invalid(bench.store.updateTable({ TableName, ...creating(wanted) }), message)
    await refuses(nearestBy('some'), 'Attempting to create an index which already exists')
    await refuses(
      nearestBy('other', DIVIDED),
      `${INVALID}One element in SearchSchema is not defined in attribute definitions`,
    )
    await refuses(
      nearestBy('other', { VectorAttribute: { AttributeName: 'a' } }),
      redefined('Schema:[SchemaElement: key{a:S:HASH}]', 'VectorIndexSchema:[VectorAttribute: key{a:L:3}]'),
    )
  },

  'a vector that the table has keeps its dimensions, and is no key of a new index': async bench => {
    const TableName = await searched(bench, [nearestBy('some')])
    const refuses = (request: Omit<UpdateTableRequest, 'TableName'>, next: string) =>
      invalid(
        bench.store.updateTable({ TableName, ...request }),
        redefined('VectorIndexSchema:[VectorAttribute: key{vector:L:3}]', next),
      )
    await invalid(
      bench.store.updateTable({ TableName, ...creating(nearestBy('other', { Dimensions: 4 })) }),
      `${INVALID}Conflicting attribute definition for 'vector'. ` +
        'All VectorIndexes on the same vector attribute must use the same dimensions.',
    )
    await refuses(
      {
        AttributeDefinitions: texts('vector'),
        GlobalSecondaryIndexUpdates: [{ Create: index('global', hash('vector')) }],
      },
      'Schema:[SchemaElement: key{vector:S:HASH}]',
    )
    const kinds = nearestBy('other', {
      VectorAttribute: { AttributeName: 'next' },
      SearchSchema: [{ AttributeName: 'vector', SearchSchemaElementType: 'INLINE_FILTER' }],
    })
    await refuses(
      { AttributeDefinitions: texts('vector'), ...creating(kinds) },
      'VectorIndexSchema:[VectorAttribute: key{next:L:3}, SearchSchemaElement: key{vector:S:INLINE_FILTER}]',
    )
  },

  'what searches of a vector index can ask for keeps its type in another index': async bench => {
    const TableName = await searched(bench, [nearestBy('some', DIVIDED)])
    const AttributeDefinitions = [{ AttributeName: 'tenant', AttributeType: 'N' as const }, ...texts('kind')]
    const schema = (type: string) =>
      'VectorIndexSchema:[VectorAttribute: key{vector:L:3}, ' +
      `SearchSchemaElement: key{tenant:${type}:HASH}, SearchSchemaElement: key{kind:S:INLINE_FILTER}]`
    await invalid(
      bench.store.updateTable({ TableName, AttributeDefinitions, ...creating(nearestBy('other', DIVIDED)) }),
      redefined(schema('S'), schema('N')),
    )
    const Create = index('global', hash('tenant'))
    await invalid(
      bench.store.updateTable({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] }),
      redefined(schema('S'), 'Schema:[SchemaElement: key{tenant:N:HASH}]'),
    )
  },

  'a table with vector indexes stays on demand': async bench => {
    const TableName = await searched(bench, [nearestBy('some')])
    const ProvisionedThroughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
    await invalid(
      bench.store.updateTable({ TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput }),
      `${INVALID}Vector indexes are only supported for PAY_PER_REQUEST tables`,
    )
  },
})

export const updateTableVectorCases = [...newIndexCases, ...updateCases]
