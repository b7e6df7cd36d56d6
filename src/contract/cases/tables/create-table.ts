import {
  GLOBAL_INDEXES,
  INDEX_INCLUDED_ATTRIBUTES,
  INDEX_KEY_PARTS,
  LOCAL_INDEXES,
  NAME_CHARACTERS_MAX,
  NAME_CHARACTERS_MIN,
  TABLE_INCLUDED_ATTRIBUTES,
} from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany, sortItems } from '../../fixtures/sized-items.js'
import {
  COMPOSITE_KEY_TABLE,
  hashKey,
  indexDefinition,
  PROVISIONED_TABLE,
  rangeKey,
  SIMPLE_KEY_TABLE,
  textAttributes,
} from '../../fixtures/table-definitions.js'

export const createTableCases = defineCases('createTable', {
  'the response describes a table in creation': async bench => {
    const TableName = bench.newTableName()
    const { TableDescription } = await bench.store.createTable({ TableName, ...PROVISIONED_TABLE })
    const { AttributeDefinitions, KeySchema, TableStatus, ProvisionedThroughput } = TableDescription!
    expectEqual(
      { AttributeDefinitions, KeySchema, TableStatus, ProvisionedThroughput },
      {
        AttributeDefinitions: textAttributes('a'),
        KeySchema: [hashKey('a')],
        TableStatus: 'CREATING',
        ProvisionedThroughput: { NumberOfDecreasesToday: 0, ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      },
    )
    const { TableName: named, ItemCount, TableSizeBytes, BillingModeSummary } = TableDescription!
    expectEqual([named, ItemCount, TableSizeBytes, BillingModeSummary], [TableName, 0, 0, undefined])
    expectEqual(TableDescription!.CreationDateTime instanceof Date, true)
  },

  'an on-demand table has no provisioned capacity': async bench => {
    const { TableDescription } = await bench.store.createTable({ TableName: bench.newTableName(), ...SIMPLE_KEY_TABLE })
    expectEqual(TableDescription!.BillingModeSummary, { BillingMode: 'PAY_PER_REQUEST' })
    expectEqual(TableDescription!.ProvisionedThroughput, {
      NumberOfDecreasesToday: 0,
      ReadCapacityUnits: 0,
      WriteCapacityUnits: 0,
    })
  },

  'a table without a billing mode is provisioned': async bench => {
    const { BillingMode, ...definition } = PROVISIONED_TABLE
    const { TableDescription } = await bench.store.createTable({ TableName: bench.newTableName(), ...definition })
    expectEqual(TableDescription!.ProvisionedThroughput?.ReadCapacityUnits, 1)
    expectEqual(TableDescription!.BillingModeSummary, undefined)
  },

  'the response describes indexes in creation': async bench => {
    const { TableDescription } = await bench.store.createTable({
      ...COMPOSITE_KEY_TABLE,
      TableName: bench.newTableName(),
      AttributeDefinitions: textAttributes('a', 'b', 'c'),
      LocalSecondaryIndexes: [
        { ...indexDefinition('local', hashKey('a'), rangeKey('c')), Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
      GlobalSecondaryIndexes: [
        {
          ...indexDefinition('global', hashKey('c')),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['y', 'x'] },
        },
      ],
    })
    const { IndexArn, ...local } = TableDescription!.LocalSecondaryIndexes![0]!
    expectEqual(IndexArn, `${TableDescription!.TableArn}/index/local`)
    expectEqual(local, {
      IndexName: 'local',
      KeySchema: [hashKey('a'), rangeKey('c')],
      Projection: { ProjectionType: 'KEYS_ONLY' },
      IndexSizeBytes: 0,
      ItemCount: 0,
    })
    const { IndexName, KeySchema, Projection, IndexStatus } = TableDescription!.GlobalSecondaryIndexes![0]!
    expectEqual([IndexName, KeySchema, IndexStatus], ['global', [hashKey('c')], 'CREATING'])
    expectEqual([Projection?.ProjectionType, Projection?.NonKeyAttributes?.toSorted()], ['INCLUDE', ['x', 'y']])
  },

  'a new table is empty and can be used once it is active': async bench => {
    const TableName = await bench.createOwnTable(COMPOSITE_KEY_TABLE)
    expectEqual((await bench.store.scan({ TableName, ConsistentRead: true })).Items, [])
    const item = { a: { S: 'a' }, b: { S: 'b' } }
    await bench.put(TableName, item)
    expectEqual((await bench.store.scan({ TableName, ConsistentRead: true })).Items, [item])
  },

  'an existing table is rejected': async bench => {
    const TableName = await bench.sharedTable('hash')
    await expectRejection(
      bench.store.createTable({ TableName, ...SIMPLE_KEY_TABLE }),
      'ResourceInUseException',
      `Table already exists: ${TableName}`,
    )
  },

  'a request is validated before its table is looked up': async bench => {
    const TableName = await bench.sharedTable('hash')
    await expectRejection(
      bench.store.createTable({ TableName, ...SIMPLE_KEY_TABLE, KeySchema: [rangeKey('a')] }),
      'ValidationException',
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    )
  },

  'a table can have the maximum number of indexes and included attributes': withCoverage(
    [
      'limit:GLOBAL_INDEXES',
      'limit:LOCAL_INDEXES',
      'limit:INDEX_INCLUDED_ATTRIBUTES',
      'limit:TABLE_INCLUDED_ATTRIBUTES',
    ],
    async bench => {
      const including = TABLE_INCLUDED_ATTRIBUTES / INDEX_INCLUDED_ATTRIBUTES
      const NonKeyAttributes = createMany(INDEX_INCLUDED_ATTRIBUTES, name => `attribute${name}`)
      const TableName = await bench.createOwnTable({
        ...COMPOSITE_KEY_TABLE,
        LocalSecondaryIndexes: createMany(LOCAL_INDEXES, each => indexDefinition(`local${each}`)),
        GlobalSecondaryIndexes: createMany(GLOBAL_INDEXES, each => ({
          ...indexDefinition(`global${each}`, hashKey('b')),
          Projection: each < including ? { ProjectionType: 'INCLUDE', NonKeyAttributes } : { ProjectionType: 'ALL' },
        })),
      })
      const { Table } = await bench.store.describeTable({ TableName })
      expectEqual(
        [Table!.LocalSecondaryIndexes!.length, Table!.GlobalSecondaryIndexes!.length],
        [LOCAL_INDEXES, GLOBAL_INDEXES],
      )
      const included = Table!.GlobalSecondaryIndexes!.flatMap(({ Projection }) => Projection?.NonKeyAttributes ?? [])
      expectEqual(included.length, TABLE_INCLUDED_ATTRIBUTES)
    },
  ),

  'a global index has up to four attributes in each part of its key': withCoverage(
    ['limit:INDEX_KEY_PARTS'],
    async bench => {
      const parts = createMany(INDEX_KEY_PARTS, part => [`h${part}`, `r${part}`]).flat()
      const KeySchema = [
        ...createMany(INDEX_KEY_PARTS, part => hashKey(`h${part}`)),
        ...createMany(INDEX_KEY_PARTS, part => rangeKey(`r${part}`)),
      ]
      const TableName = await bench.createOwnTable({
        ...SIMPLE_KEY_TABLE,
        AttributeDefinitions: textAttributes('a', ...parts),
        GlobalSecondaryIndexes: [indexDefinition('wide', ...KeySchema)],
      })
      const { Table } = await bench.store.describeTable({ TableName })
      expectEqual(Table!.GlobalSecondaryIndexes![0]!.KeySchema, KeySchema)
      expectEqual(sortItems(Table!.AttributeDefinitions), textAttributes('a', ...parts.toSorted()))
    },
  ),

  'names can have the minimum and the maximum length': withCoverage(
    ['limit:NAME_CHARACTERS_MIN', 'limit:NAME_CHARACTERS_MAX'],
    async bench => {
      const TableName = bench.newTableName().padEnd(NAME_CHARACTERS_MAX, '-._')
      const key = 'k'.repeat(NAME_CHARACTERS_MAX)
      const names = ['i'.repeat(NAME_CHARACTERS_MIN), 'i'.repeat(NAME_CHARACTERS_MAX)]
      await bench.store.createTable({
        ...SIMPLE_KEY_TABLE,
        TableName,
        AttributeDefinitions: textAttributes(key),
        KeySchema: [hashKey(key)],
        GlobalSecondaryIndexes: names.map(name => indexDefinition(name, hashKey(key))),
      })
      await bench.waitUntilActive(TableName)
      const { Table } = await bench.store.describeTable({ TableName })
      await bench.store.deleteTable({ TableName })
      expectEqual([Table!.TableName, Table!.KeySchema], [TableName, [hashKey(key)]])
      expectEqual(Table!.GlobalSecondaryIndexes!.map(({ IndexName }) => IndexName!).toSorted(), names.toSorted())
    },
  ),
})
