import { VECTOR_INDEXES } from '../../../dynamodb/limits.js'
import type { UpdateTableInput, VectorIndex } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import { hashKey, indexDefinition, textAttributes } from '../../fixtures/table-definitions.js'
import {
  createVectorTable,
  expectFound,
  TENANT_SEARCH_SCHEMA,
  vectorIndexDefinition,
  vectorItem,
  vectorValue,
} from './vector-table.js'

const INVALID = 'One or more parameter values were invalid: '
const redefinitionMessage = (existing: string, next: string) =>
  `${INVALID}Attributes cannot be redefined. Please check that your attribute has the same type as previously ` +
  `defined. Existing schema: ${existing} New schema: ${next}`
const createIndexUpdates = (...indexes: VectorIndex[]) => ({ VectorIndexUpdates: indexes.map(Create => ({ Create })) })

/** These cases run as `searchVectors`, so that stores without searches skip them. */
const newIndexCases = defineCases('searchVectors', {
  'a new vector index contains the existing items with a valid vector': async bench => {
    const TableName = await createVectorTable(
      bench,
      [],
      ...[vectorItem('a', [1, 0, 0]), vectorItem('b', [1, 1, 0]), vectorItem('short', [1, 0])],
      ...[
        { a: { S: 'none' } },
        { a: { S: 'text' }, vector: { S: 'x' } },
        vectorItem('t', [0, 1, 0], { tenant: { S: 't' } }),
      ],
    )
    const { TableDescription } = await bench.store.updateTable({
      TableName,
      ...createIndexUpdates(vectorIndexDefinition('some')),
    })
    expectEqual(TableDescription!.TableStatus, 'UPDATING')
    const { IndexStatus, Backfilling } = TableDescription!.VectorIndexes![0]!
    expectEqual([IndexStatus, Backfilling], ['CREATING', false])
    await bench.waitUntilActive(TableName)
    await expectFound(bench, { TableName, IndexName: 'some' }, 'a', 'b', 't')
    const AttributeDefinitions = textAttributes('tenant', 'kind')
    await bench.store.updateTable({
      TableName,
      AttributeDefinitions,
      ...createIndexUpdates(vectorIndexDefinition('divided', TENANT_SEARCH_SCHEMA)),
    })
    await bench.waitUntilActive(TableName)
    const tenant = { SearchConditionExpression: 'tenant = :t', ExpressionAttributeValues: { ':t': { S: 't' } } }
    await expectFound(bench, { TableName, IndexName: 'divided', ...tenant }, 't')
  },

  'an item that is invalid for a new vector index can be changed': async bench => {
    const TableName = await createVectorTable(bench, [], { a: { S: 'text' }, vector: { S: 'x' } })
    await bench.store.updateTable({ TableName, ...createIndexUpdates(vectorIndexDefinition('some')) })
    await bench.waitUntilActive(TableName)
    const Key = { a: { S: 'text' } }
    const set = (name: string, value: NonNullable<typeof Key.a | ReturnType<typeof vectorValue>>) =>
      bench.store.updateItem({
        ...{ TableName, Key, UpdateExpression: `SET ${name} = :value` },
        ExpressionAttributeValues: { ':value': value },
      })
    await set('beside', { S: 'y' })
    await expectFound(bench, { TableName, IndexName: 'some' })
    await set('vector', vectorValue(1, 0, 0))
    await expectFound(bench, { TableName, IndexName: 'some' }, 'text')
  },
})

const updateCases = defineCases('updateTable', {
  'deleting a vector index keeps its table': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')], vectorItem('a', [1, 0, 0]))
    await bench.store.updateTable({ TableName, VectorIndexUpdates: [{ Delete: { IndexName: 'some' } }] })
    await bench.eventually(async () =>
      expectEqual((await bench.store.describeTable({ TableName })).Table!.VectorIndexes, undefined),
    )
    await bench.put(TableName, { a: { S: 'a' }, vector: { S: 'anything' } })
  },

  'only one vector index can be created at a time': async bench => {
    const TableName = await createVectorTable(bench, [])
    await expectRejection(
      bench.store.updateTable({
        TableName,
        ...createIndexUpdates(vectorIndexDefinition('one'), vectorIndexDefinition('two')),
      }),
      'LimitExceededException',
      'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
    )
  },

  'a sixth vector index is rejected': withCoverage(['limit:VECTOR_INDEXES'], async bench => {
    const TableName = await createVectorTable(
      bench,
      createMany(VECTOR_INDEXES, each => vectorIndexDefinition(`some${each}`)),
    )
    await expectRejection(
      bench.store.updateTable({ TableName, ...createIndexUpdates(vectorIndexDefinition('more')) }),
      'LimitExceededException',
      'Subscriber limit exceeded: Number of vector secondary indexes exceeds per-table limit of 5',
    )
  }),

  'an invalid vector index is rejected': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some', TENANT_SEARCH_SCHEMA)])
    const refuses = (wanted: VectorIndex, message: string) =>
      expectValidationError(bench.store.updateTable({ TableName, ...createIndexUpdates(wanted) }), message)
    await refuses(vectorIndexDefinition('some'), 'Attempting to create an index which already exists')
    await refuses(
      vectorIndexDefinition('other', TENANT_SEARCH_SCHEMA),
      `${INVALID}One element in SearchSchema is not defined in attribute definitions`,
    )
    await refuses(
      vectorIndexDefinition('other', { VectorAttribute: { AttributeName: 'a' } }),
      redefinitionMessage('Schema:[SchemaElement: key{a:S:HASH}]', 'VectorIndexSchema:[VectorAttribute: key{a:L:3}]'),
    )
  },

  'an existing vector keeps its dimensions and cannot be a key of a new index': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
    const refuses = (request: Omit<UpdateTableInput, 'TableName'>, next: string) =>
      expectValidationError(
        bench.store.updateTable({ TableName, ...request }),
        redefinitionMessage('VectorIndexSchema:[VectorAttribute: key{vector:L:3}]', next),
      )
    await expectValidationError(
      bench.store.updateTable({ TableName, ...createIndexUpdates(vectorIndexDefinition('other', { Dimensions: 4 })) }),
      `${INVALID}Conflicting attribute definition for 'vector'. ` +
        'All VectorIndexes on the same vector attribute must use the same dimensions.',
    )
    await refuses(
      {
        AttributeDefinitions: textAttributes('vector'),
        GlobalSecondaryIndexUpdates: [{ Create: indexDefinition('global', hashKey('vector')) }],
      },
      'Schema:[SchemaElement: key{vector:S:HASH}]',
    )
    const kinds = vectorIndexDefinition('other', {
      VectorAttribute: { AttributeName: 'next' },
      SearchSchema: [{ AttributeName: 'vector', SearchSchemaElementType: 'INLINE_FILTER' }],
    })
    await refuses(
      { AttributeDefinitions: textAttributes('vector'), ...createIndexUpdates(kinds) },
      'VectorIndexSchema:[VectorAttribute: key{next:L:3}, SearchSchemaElement: key{vector:S:INLINE_FILTER}]',
    )
  },

  'a filter attribute of a vector index keeps its type in another index': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some', TENANT_SEARCH_SCHEMA)])
    const AttributeDefinitions = [{ AttributeName: 'tenant', AttributeType: 'N' as const }, ...textAttributes('kind')]
    const schema = (type: string) =>
      'VectorIndexSchema:[VectorAttribute: key{vector:L:3}, ' +
      `SearchSchemaElement: key{tenant:${type}:HASH}, SearchSchemaElement: key{kind:S:INLINE_FILTER}]`
    await expectValidationError(
      bench.store.updateTable({
        TableName,
        AttributeDefinitions,
        ...createIndexUpdates(vectorIndexDefinition('other', TENANT_SEARCH_SCHEMA)),
      }),
      redefinitionMessage(schema('S'), schema('N')),
    )
    const Create = indexDefinition('global', hashKey('tenant'))
    await expectValidationError(
      bench.store.updateTable({ TableName, AttributeDefinitions, GlobalSecondaryIndexUpdates: [{ Create }] }),
      redefinitionMessage(schema('S'), 'Schema:[SchemaElement: key{tenant:N:HASH}]'),
    )
  },

  'a table with vector indexes cannot leave on-demand mode': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
    const ProvisionedThroughput = { ReadCapacityUnits: 1, WriteCapacityUnits: 1 }
    await expectValidationError(
      bench.store.updateTable({ TableName, BillingMode: 'PROVISIONED', ProvisionedThroughput }),
      `${INVALID}Vector indexes are only supported for PAY_PER_REQUEST tables`,
    )
  },
})

export const updateTableVectorCases = [...newIndexCases, ...updateCases]
