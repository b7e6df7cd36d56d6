import {
  ON_DEMAND_INITIAL_READ_UNITS,
  ON_DEMAND_INITIAL_WRITE_UNITS,
  TABLE_NAME_OR_ARN_CHARACTERS,
} from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { sortItems } from '../../fixtures/sized-items.js'
import {
  COMPOSITE_KEY_TABLE,
  hashKey,
  indexDefinition,
  PROVISIONED_TABLE,
  rangeKey,
  SIMPLE_KEY_TABLE,
  textAttributes,
} from '../../fixtures/table-definitions.js'

export const describeTableCases = defineCases('describeTable', {
  'a table description has the settings of its creation': async bench => {
    const TableName = await bench.createOwnTable({
      ...COMPOSITE_KEY_TABLE,
      AttributeDefinitions: textAttributes('b', 'a'),
    })
    const { Table } = await bench.store.describeTable({ TableName })
    const { AttributeDefinitions, KeySchema, TableStatus, ItemCount, TableSizeBytes } = Table!
    expectEqual([Table!.TableName, TableStatus, ItemCount, TableSizeBytes], [TableName, 'ACTIVE', 0, 0])
    expectEqual(sortItems(AttributeDefinitions), textAttributes('a', 'b'))
    expectEqual(KeySchema, [hashKey('a'), rangeKey('b')])
    expectEqual(Table!.DeletionProtectionEnabled, false)
    const { LocalSecondaryIndexes, GlobalSecondaryIndexes, StreamSpecification, SSEDescription } = Table!
    expectEqual(
      [LocalSecondaryIndexes, GlobalSecondaryIndexes, StreamSpecification, SSEDescription],
      [undefined, undefined, undefined, undefined],
    )
  },

  'a table has its own identifier, ARN and creation date': async bench => {
    const { Table } = await bench.store.describeTable({ TableName: await bench.sharedTable('hash') })
    expectEqual(/^arn:aws:dynamodb:[a-z0-9-]+:\d{12}:table\/(.+)$/.exec(Table!.TableArn!)?.[1], Table!.TableName)
    expectEqual(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(Table!.TableId!), true)
    expectEqual(Math.abs(Table!.CreationDateTime!.getTime() - Date.now()) < 24 * 3600 * 1000, true)
  },

  'an on-demand table describes its mode, the start of the mode and its warm throughput': withCoverage(
    ['limit:ON_DEMAND_INITIAL_READ_UNITS', 'limit:ON_DEMAND_INITIAL_WRITE_UNITS'],
    async bench => {
      const { Table } = await bench.store.describeTable({ TableName: await bench.createOwnTable(SIMPLE_KEY_TABLE) })
      expectEqual(Table!.BillingModeSummary!.BillingMode, 'PAY_PER_REQUEST')
      expectEqual(Table!.BillingModeSummary!.LastUpdateToPayPerRequestDateTime instanceof Date, true)
      expectEqual(Table!.ProvisionedThroughput, {
        NumberOfDecreasesToday: 0,
        ReadCapacityUnits: 0,
        WriteCapacityUnits: 0,
      })
      expectEqual(Table!.WarmThroughput, {
        ReadUnitsPerSecond: ON_DEMAND_INITIAL_READ_UNITS,
        WriteUnitsPerSecond: ON_DEMAND_INITIAL_WRITE_UNITS,
        Status: 'ACTIVE',
      })
    },
  ),

  'a provisioned table describes its capacity and that of its indexes': async bench => {
    const ProvisionedThroughput = { ReadCapacityUnits: 2, WriteCapacityUnits: 3 }
    const { Table } = await bench.store.describeTable({
      TableName: await bench.createOwnTable({
        ...PROVISIONED_TABLE,
        GlobalSecondaryIndexes: [{ ...indexDefinition('some', hashKey('a')), ProvisionedThroughput }],
      }),
    })
    const { ReadCapacityUnits, WriteCapacityUnits } = Table!.ProvisionedThroughput!
    expectEqual([ReadCapacityUnits, WriteCapacityUnits, Table!.BillingModeSummary], [1, 1, undefined])
    const some = Table!.GlobalSecondaryIndexes![0]!
    expectEqual(some.ProvisionedThroughput, { NumberOfDecreasesToday: 0, ...ProvisionedThroughput })
  },

  'index descriptions have the settings of their creation': async bench => {
    const TableName = await bench.sharedTable('composite')
    const { Table } = await bench.store.describeTable({ TableName })
    const byName = <T extends { IndexName?: string | undefined }>(indexes: T[] = []) =>
      indexes.toSorted((one, other) => (one.IndexName! < other.IndexName! ? -1 : 1))
    const [byLocal, byRank] = byName(Table!.LocalSecondaryIndexes)
    const key = (...parts: string[]) => [hashKey(parts[0]!), ...parts.slice(1).map(rangeKey)]
    expectEqual(
      [byLocal!.IndexName, byLocal!.KeySchema, byLocal!.Projection],
      ['byLocal', key('pk', 'local'), { ProjectionType: 'ALL' }],
    )
    expectEqual([byRank!.KeySchema, byRank!.Projection], [key('pk', 'rank'), { ProjectionType: 'KEYS_ONLY' }])
    expectEqual(byRank!.IndexArn, `${Table!.TableArn}/index/byRank`)
    const globals = byName(Table!.GlobalSecondaryIndexes)
    expectEqual(
      globals.map(({ IndexName, KeySchema, Projection, IndexStatus }) => [
        IndexName,
        KeySchema,
        Projection,
        IndexStatus,
      ]),
      [
        ['byGroup', key('group', 'rank'), { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] }, 'ACTIVE'],
        ['groupOnly', key('group'), { ProjectionType: 'KEYS_ONLY' }, 'ACTIVE'],
        ['inverted', key('sk', 'pk'), { ProjectionType: 'ALL' }, 'ACTIVE'],
      ],
    )
  },

  'settings are described unchanged': async bench => {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' as const }
    const OnDemandThroughput = { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 5 }
    const TableClass = 'STANDARD_INFREQUENT_ACCESS'
    const { Table } = await bench.store.describeTable({
      TableName: await bench.createOwnTable({
        ...SIMPLE_KEY_TABLE,
        ...{ StreamSpecification, OnDemandThroughput, TableClass, SSESpecification: { Enabled: true } },
      }),
    })
    expectEqual(Table!.StreamSpecification, StreamSpecification)
    expectEqual(Table!.LatestStreamArn, `${Table!.TableArn}/stream/${Table!.LatestStreamLabel}`)
    expectEqual(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}$/.test(Table!.LatestStreamLabel!), true)
    expectEqual(Table!.OnDemandThroughput, OnDemandThroughput)
    expectEqual(Table!.TableClassSummary?.TableClass, TableClass)
    expectEqual([Table!.SSEDescription?.Status, Table!.SSEDescription?.SSEType], ['ENABLED', 'KMS'])
    expectEqual(/^arn:aws:kms:/.test(Table!.SSEDescription!.KMSMasterKeyArn!), true)
  },

  'a table is found by its ARN': async bench => {
    const TableName = await bench.sharedTable('hash')
    const { Table } = await bench.store.describeTable({ TableName })
    const byArn = await bench.store.describeTable({ TableName: Table!.TableArn! })
    expectEqual(byArn.Table, Table)
  },

  'a missing table is named in the error': async bench => {
    const TableName = bench.newTableName()
    await expectRejection(
      bench.store.describeTable({ TableName }),
      'ResourceNotFoundException',
      `Requested resource not found: Table: ${TableName} not found`,
    )
  },

  'an ARN of more than 1024 characters is rejected': withCoverage(
    ['limit:TABLE_NAME_OR_ARN_CHARACTERS'],
    async bench => {
      const arn = 'arn:aws:dynamodb:us-east-1:000000000000:table/'.padEnd(TABLE_NAME_OR_ARN_CHARACTERS + 1, 'a')
      await expectValidationError(
        bench.store.describeTable({ TableName: arn }),
        `1 validation error detected: Value '${arn}' at 'tableName' failed to satisfy constraint: Member must have ` +
          'length less than or equal to 1024',
      )
    },
  ),
})
