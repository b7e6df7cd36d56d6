import {
  GLOBAL_INDEXES,
  INDEX_INCLUDED_ATTRIBUTES,
  INDEX_KEY_PARTS,
  LOCAL_INDEXES,
  NAME_CHARACTERS_MAX,
  NAME_CHARACTERS_MIN,
  TABLE_INCLUDED_ATTRIBUTES,
} from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { refused, same } from '../expect.js'
import { inOrder, times } from './measures.js'
import { hash, index, PAIR, PROVISIONED, range, SINGLE, texts } from './table-definitions.js'

export const createTableCases = cases('createTable', {
  'the answer describes a table that is being made': async bench => {
    const TableName = bench.ownName()
    const { TableDescription } = await bench.store.createTable({ TableName, ...PROVISIONED })
    const { AttributeDefinitions, KeySchema, TableStatus, ProvisionedThroughput } = TableDescription!
    same(
      { AttributeDefinitions, KeySchema, TableStatus, ProvisionedThroughput },
      {
        AttributeDefinitions: texts('a'),
        KeySchema: [hash('a')],
        TableStatus: 'CREATING',
        ProvisionedThroughput: { NumberOfDecreasesToday: 0, ReadCapacityUnits: 1, WriteCapacityUnits: 1 },
      },
    )
    const { TableName: named, ItemCount, TableSizeBytes, BillingModeSummary } = TableDescription!
    same([named, ItemCount, TableSizeBytes, BillingModeSummary], [TableName, 0, 0, undefined])
    same(TableDescription!.CreationDateTime instanceof Date, true)
  },

  'a table on demand has no capacity of its own': async bench => {
    const { TableDescription } = await bench.store.createTable({ TableName: bench.ownName(), ...SINGLE })
    same(TableDescription!.BillingModeSummary, { BillingMode: 'PAY_PER_REQUEST' })
    same(TableDescription!.ProvisionedThroughput, {
      NumberOfDecreasesToday: 0,
      ReadCapacityUnits: 0,
      WriteCapacityUnits: 0,
    })
  },

  'a table without a billing mode is provisioned': async bench => {
    const { BillingMode, ...definition } = PROVISIONED
    const { TableDescription } = await bench.store.createTable({ TableName: bench.ownName(), ...definition })
    same(TableDescription!.ProvisionedThroughput?.ReadCapacityUnits, 1)
    same(TableDescription!.BillingModeSummary, undefined)
  },

  'the answer describes indexes that are being made': async bench => {
    const { TableDescription } = await bench.store.createTable({
      ...PAIR,
      TableName: bench.ownName(),
      AttributeDefinitions: texts('a', 'b', 'c'),
      LocalSecondaryIndexes: [
        { ...index('local', hash('a'), range('c')), Projection: { ProjectionType: 'KEYS_ONLY' } },
      ],
      GlobalSecondaryIndexes: [
        {
          ...index('global', hash('c')),
          Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['y', 'x'] },
        },
      ],
    })
    const { IndexArn, ...local } = TableDescription!.LocalSecondaryIndexes![0]!
    same(IndexArn, `${TableDescription!.TableArn}/index/local`)
    same(local, {
      IndexName: 'local',
      KeySchema: [hash('a'), range('c')],
      Projection: { ProjectionType: 'KEYS_ONLY' },
      IndexSizeBytes: 0,
      ItemCount: 0,
    })
    const { IndexName, KeySchema, Projection, IndexStatus } = TableDescription!.GlobalSecondaryIndexes![0]!
    same([IndexName, KeySchema, IndexStatus], ['global', [hash('c')], 'CREATING'])
    same([Projection?.ProjectionType, Projection?.NonKeyAttributes?.toSorted()], ['INCLUDE', ['x', 'y']])
  },

  'a new table is empty and can be used once it is active': async bench => {
    const TableName = await bench.ownTable(PAIR)
    same((await bench.store.scan({ TableName, ConsistentRead: true })).Items, [])
    const item = { a: { S: 'a' }, b: { S: 'b' } }
    await bench.put(TableName, item)
    same((await bench.store.scan({ TableName, ConsistentRead: true })).Items, [item])
  },

  'a table that is there already is refused': async bench => {
    const TableName = await bench.table('hash')
    await refused(
      bench.store.createTable({ TableName, ...SINGLE }),
      'ResourceInUseException',
      `Table already exists: ${TableName}`,
    )
  },

  'a request is validated before its table is looked up': async bench => {
    const TableName = await bench.table('hash')
    await refused(
      bench.store.createTable({ TableName, ...SINGLE, KeySchema: [range('a')] }),
      'ValidationException',
      'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
    )
  },

  'a table has as many indexes with as many included attributes as there may be': covering(
    [
      'limit:GLOBAL_INDEXES',
      'limit:LOCAL_INDEXES',
      'limit:INDEX_INCLUDED_ATTRIBUTES',
      'limit:TABLE_INCLUDED_ATTRIBUTES',
    ],
    async bench => {
      const including = TABLE_INCLUDED_ATTRIBUTES / INDEX_INCLUDED_ATTRIBUTES
      const NonKeyAttributes = times(INDEX_INCLUDED_ATTRIBUTES, name => `attribute${name}`)
      const TableName = await bench.ownTable({
        ...PAIR,
        LocalSecondaryIndexes: times(LOCAL_INDEXES, each => index(`local${each}`)),
        GlobalSecondaryIndexes: times(GLOBAL_INDEXES, each => ({
          ...index(`global${each}`, hash('b')),
          Projection: each < including ? { ProjectionType: 'INCLUDE', NonKeyAttributes } : { ProjectionType: 'ALL' },
        })),
      })
      const { Table } = await bench.store.describeTable({ TableName })
      same(
        [Table!.LocalSecondaryIndexes!.length, Table!.GlobalSecondaryIndexes!.length],
        [LOCAL_INDEXES, GLOBAL_INDEXES],
      )
      const included = Table!.GlobalSecondaryIndexes!.flatMap(({ Projection }) => Projection?.NonKeyAttributes ?? [])
      same(included.length, TABLE_INCLUDED_ATTRIBUTES)
    },
  ),

  'a global index has up to four attributes in each part of its key': covering(
    ['limit:INDEX_KEY_PARTS'],
    async bench => {
      const parts = times(INDEX_KEY_PARTS, part => [`h${part}`, `r${part}`]).flat()
      const KeySchema = [
        ...times(INDEX_KEY_PARTS, part => hash(`h${part}`)),
        ...times(INDEX_KEY_PARTS, part => range(`r${part}`)),
      ]
      const TableName = await bench.ownTable({
        ...SINGLE,
        AttributeDefinitions: texts('a', ...parts),
        GlobalSecondaryIndexes: [index('wide', ...KeySchema)],
      })
      const { Table } = await bench.store.describeTable({ TableName })
      same(Table!.GlobalSecondaryIndexes![0]!.KeySchema, KeySchema)
      same(inOrder(Table!.AttributeDefinitions), texts('a', ...parts.toSorted()))
    },
  ),

  'names are as short and as long as they may be': covering(
    ['limit:NAME_CHARACTERS_MIN', 'limit:NAME_CHARACTERS_MAX'],
    async bench => {
      const TableName = bench.ownName().padEnd(NAME_CHARACTERS_MAX, '-._')
      const key = 'k'.repeat(NAME_CHARACTERS_MAX)
      const names = ['i'.repeat(NAME_CHARACTERS_MIN), 'i'.repeat(NAME_CHARACTERS_MAX)]
      await bench.store.createTable({
        ...SINGLE,
        TableName,
        AttributeDefinitions: texts(key),
        KeySchema: [hash(key)],
        GlobalSecondaryIndexes: names.map(name => index(name, hash(key))),
      })
      await bench.active(TableName)
      const { Table } = await bench.store.describeTable({ TableName })
      await bench.store.deleteTable({ TableName })
      same([Table!.TableName, Table!.KeySchema], [TableName, [hash(key)]])
      same(Table!.GlobalSecondaryIndexes!.map(({ IndexName }) => IndexName!).toSorted(), names.toSorted())
    },
  ),
})
