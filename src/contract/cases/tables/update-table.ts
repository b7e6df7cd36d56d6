import { ON_DEMAND_INITIAL_READ_UNITS, ON_DEMAND_INITIAL_WRITE_UNITS } from '../../../dynamodb/limits.js'
import type { TableDescription, UpdateTableInput } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import {
  hashKey,
  indexDefinition,
  PROVISIONED_TABLE,
  SIMPLE_KEY_TABLE,
  textAttributes,
  withGlobalIndexes,
} from '../../fixtures/table-definitions.js'
import type { TestBench } from '../../test-bench.js'

const throughputOf = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({
  ReadCapacityUnits,
  WriteCapacityUnits,
})

/** Returns the response to an update, and the table after it. */
export async function updateTableAndDescribe(
  bench: TestBench,
  TableName: string,
  more: Omit<UpdateTableInput, 'TableName'>,
): Promise<{ answer: TableDescription; table: TableDescription }> {
  const { TableDescription } = await bench.store.updateTable({ TableName, ...more })
  await bench.waitUntilActive(TableName)
  const { Table } = await bench.store.describeTable({ TableName })
  return { answer: TableDescription!, table: Table! }
}

export const updateTableCases = defineCases('updateTable', {
  'increased capacity applies once the table is active, and the response has the old capacity': async bench => {
    const TableName = await bench.createOwnTable(PROVISIONED_TABLE)
    const { answer, table } = await updateTableAndDescribe(bench, TableName, {
      ProvisionedThroughput: throughputOf(3, 2),
    })
    expectEqual([answer.TableStatus, answer.ProvisionedThroughput!.ReadCapacityUnits], ['UPDATING', 1])
    const { ReadCapacityUnits, WriteCapacityUnits, LastIncreaseDateTime } = table.ProvisionedThroughput!
    expectEqual([table.TableStatus, ReadCapacityUnits, WriteCapacityUnits], ['ACTIVE', 3, 2])
    expectEqual(LastIncreaseDateTime instanceof Date, true)
  },

  'a decrease of capacity is counted, and warm throughput stays': async bench => {
    const TableName = await bench.createOwnTable({ ...PROVISIONED_TABLE, ProvisionedThroughput: throughputOf(3, 3) })
    const { answer, table } = await updateTableAndDescribe(bench, TableName, {
      ProvisionedThroughput: throughputOf(2, 1),
    })
    expectEqual(answer.ProvisionedThroughput!.NumberOfDecreasesToday, 0)
    const { NumberOfDecreasesToday, LastDecreaseDateTime } = table.ProvisionedThroughput!
    expectEqual([NumberOfDecreasesToday, LastDecreaseDateTime instanceof Date], [1, true])
    expectEqual([table.WarmThroughput!.ReadUnitsPerSecond, table.WarmThroughput!.WriteUnitsPerSecond], [3, 3])
  },

  'a provisioned table switches to on-demand mode together with its indexes': async bench => {
    const TableName = await bench.createOwnTable({
      ...PROVISIONED_TABLE,
      GlobalSecondaryIndexes: [{ ...indexDefinition('some', hashKey('a')), ProvisionedThroughput: throughputOf(1, 1) }],
    })
    const { answer, table } = await updateTableAndDescribe(bench, TableName, { BillingMode: 'PAY_PER_REQUEST' })
    expectEqual([answer.TableStatus, answer.BillingModeSummary], ['UPDATING', { BillingMode: 'PAY_PER_REQUEST' }])
    expectEqual(table.BillingModeSummary!.LastUpdateToPayPerRequestDateTime instanceof Date, true)
    const { ReadCapacityUnits, WriteCapacityUnits } = table.ProvisionedThroughput!
    expectEqual([ReadCapacityUnits, WriteCapacityUnits], [0, 0])
    const { ReadUnitsPerSecond, WriteUnitsPerSecond } = table.WarmThroughput!
    expectEqual(
      [ReadUnitsPerSecond, WriteUnitsPerSecond],
      [ON_DEMAND_INITIAL_READ_UNITS, ON_DEMAND_INITIAL_WRITE_UNITS],
    )
    expectEqual(table.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!.ReadCapacityUnits, 0)
  },

  'an on-demand table switches to provisioned mode with capacity for each index': async bench => {
    const TableName = await bench.createOwnTable(withGlobalIndexes(indexDefinition('some')))
    const { table } = await updateTableAndDescribe(bench, TableName, {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: throughputOf(2, 3),
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'some', ProvisionedThroughput: throughputOf(4, 5) } }],
    })
    expectEqual(table.BillingModeSummary!.BillingMode, 'PROVISIONED')
    expectEqual(
      [table.ProvisionedThroughput!.ReadCapacityUnits, table.ProvisionedThroughput!.WriteCapacityUnits],
      [2, 3],
    )
    const { ReadCapacityUnits, WriteCapacityUnits } = table.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!
    expectEqual([ReadCapacityUnits, WriteCapacityUnits], [4, 5])
  },

  'an unchanged mode is accepted': async bench => {
    const { table } = await updateTableAndDescribe(bench, await bench.createOwnTable(SIMPLE_KEY_TABLE), {
      BillingMode: 'PAY_PER_REQUEST',
    })
    expectEqual(table.BillingModeSummary!.BillingMode, 'PAY_PER_REQUEST')
  },

  'on-demand maximums are set one by one, and -1 removes one': async bench => {
    const TableName = await bench.createOwnTable({
      ...SIMPLE_KEY_TABLE,
      OnDemandThroughput: { MaxReadRequestUnits: 10 },
    })
    const set = await updateTableAndDescribe(bench, TableName, { OnDemandThroughput: { MaxWriteRequestUnits: 5 } })
    expectEqual(
      [set.answer.TableStatus, set.table.OnDemandThroughput],
      ['ACTIVE', { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 5 }],
    )
    await bench.store.updateTable({ TableName, OnDemandThroughput: { MaxReadRequestUnits: -1 } })
    await bench.eventually(async () => {
      const { Table } = await bench.store.describeTable({ TableName })
      expectEqual(Table!.OnDemandThroughput, { MaxWriteRequestUnits: 5 })
    })
  },

  'deletion protection is enabled and disabled': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { answer } = await updateTableAndDescribe(bench, TableName, { DeletionProtectionEnabled: true })
    expectEqual([answer.TableStatus, answer.DeletionProtectionEnabled], ['ACTIVE', true])
    await expectRejection(bench.store.deleteTable({ TableName }), 'ValidationException')
    // The service accepts this change every 15 seconds.
    await bench.eventually(() => bench.store.updateTable({ TableName, DeletionProtectionEnabled: false }))
    expectEqual((await bench.store.deleteTable({ TableName })).TableDescription!.TableStatus, 'DELETING')
  },

  'a table class applies once the table is active': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { answer, table } = await updateTableAndDescribe(bench, TableName, {
      TableClass: 'STANDARD_INFREQUENT_ACCESS',
    })
    expectEqual([answer.TableStatus, answer.TableClassSummary], ['UPDATING', undefined])
    expectEqual(table.TableClassSummary!.TableClass, 'STANDARD_INFREQUENT_ACCESS')
  },

  'encryption with a key of KMS is described': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { table } = await updateTableAndDescribe(bench, TableName, {
      SSESpecification: { Enabled: true, SSEType: 'KMS' },
    })
    expectEqual(table.SSEDescription!.SSEType, 'KMS')
    expectEqual(/^arn:aws:kms:/.test(table.SSEDescription!.KMSMasterKeyArn!), true)
  },

  'a stream is enabled and disabled, and each stream has its own label': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
    const first = await updateTableAndDescribe(bench, TableName, { StreamSpecification })
    expectEqual([first.answer.TableStatus, first.table.StreamSpecification], ['UPDATING', StreamSpecification])
    expectEqual(first.table.LatestStreamArn, `${first.table.TableArn}/stream/${first.table.LatestStreamLabel}`)
    const without = await updateTableAndDescribe(bench, TableName, { StreamSpecification: { StreamEnabled: false } })
    expectEqual(
      [without.table.StreamSpecification, without.table.LatestStreamLabel],
      [undefined, first.table.LatestStreamLabel],
    )
    const second = await updateTableAndDescribe(bench, TableName, { StreamSpecification })
    expectEqual(second.table.LatestStreamLabel! > first.table.LatestStreamLabel!, true)
  },

  'attribute definitions that no key uses are omitted': async bench => {
    const TableName = await bench.createOwnTable(SIMPLE_KEY_TABLE)
    const { table } = await updateTableAndDescribe(bench, TableName, {
      AttributeDefinitions: textAttributes('a', 'other'),
      TableClass: 'STANDARD_INFREQUENT_ACCESS',
    })
    expectEqual(table.AttributeDefinitions, textAttributes('a'))
  },

  'the table can be named by its ARN': async bench => {
    const TableName = await bench.createOwnTable(PROVISIONED_TABLE)
    const { Table } = await bench.store.describeTable({ TableName })
    const { table } = await updateTableAndDescribe(bench, Table!.TableArn!, {
      ProvisionedThroughput: throughputOf(2, 2),
    })
    expectEqual([table.TableName, table.ProvisionedThroughput!.ReadCapacityUnits], [TableName, 2])
  },
})
