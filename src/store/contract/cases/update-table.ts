import { ON_DEMAND_INITIAL_READ_UNITS, ON_DEMAND_INITIAL_WRITE_UNITS } from '../../../dynamodb/limits.js'
import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import type { Bench } from '../bench.js'
import { cases } from '../case.js'
import { refused, same } from '../expect.js'
import { hash, index, PROVISIONED, SINGLE, texts, withGlobal } from './table-definitions.js'

const units = (ReadCapacityUnits: number, WriteCapacityUnits: number) => ({ ReadCapacityUnits, WriteCapacityUnits })

/** The answer to an update, and the table after it. */
export async function updated(
  bench: Bench,
  TableName: string,
  more: Omit<UpdateTableRequest, 'TableName'>,
): Promise<{ answer: TableDescription; table: TableDescription }> {
  const { TableDescription } = await bench.store.updateTable({ TableName, ...more })
  await bench.active(TableName)
  const { Table } = await bench.store.describeTable({ TableName })
  return { answer: TableDescription!, table: Table! }
}

export const updateTableCases = cases('updateTable', {
  'more capacity is there once the table is active, and the answer has the old': async bench => {
    const TableName = await bench.ownTable(PROVISIONED)
    const { answer, table } = await updated(bench, TableName, { ProvisionedThroughput: units(3, 2) })
    same([answer.TableStatus, answer.ProvisionedThroughput!.ReadCapacityUnits], ['UPDATING', 1])
    const { ReadCapacityUnits, WriteCapacityUnits, LastIncreaseDateTime } = table.ProvisionedThroughput!
    same([table.TableStatus, ReadCapacityUnits, WriteCapacityUnits], ['ACTIVE', 3, 2])
    same(LastIncreaseDateTime instanceof Date, true)
  },

  'less capacity is counted, and what a table was warm for it stays warm for': async bench => {
    const TableName = await bench.ownTable({ ...PROVISIONED, ProvisionedThroughput: units(3, 3) })
    const { answer, table } = await updated(bench, TableName, { ProvisionedThroughput: units(2, 1) })
    same(answer.ProvisionedThroughput!.NumberOfDecreasesToday, 0)
    const { NumberOfDecreasesToday, LastDecreaseDateTime } = table.ProvisionedThroughput!
    same([NumberOfDecreasesToday, LastDecreaseDateTime instanceof Date], [1, true])
    same([table.WarmThroughput!.ReadUnitsPerSecond, table.WarmThroughput!.WriteUnitsPerSecond], [3, 3])
  },

  'a provisioned table goes on demand, and its indexes with it': async bench => {
    const TableName = await bench.ownTable({
      ...PROVISIONED,
      GlobalSecondaryIndexes: [{ ...index('some', hash('a')), ProvisionedThroughput: units(1, 1) }],
    })
    const { answer, table } = await updated(bench, TableName, { BillingMode: 'PAY_PER_REQUEST' })
    same([answer.TableStatus, answer.BillingModeSummary], ['UPDATING', { BillingMode: 'PAY_PER_REQUEST' }])
    same(table.BillingModeSummary!.LastUpdateToPayPerRequestDateTime instanceof Date, true)
    const { ReadCapacityUnits, WriteCapacityUnits } = table.ProvisionedThroughput!
    same([ReadCapacityUnits, WriteCapacityUnits], [0, 0])
    const { ReadUnitsPerSecond, WriteUnitsPerSecond } = table.WarmThroughput!
    same([ReadUnitsPerSecond, WriteUnitsPerSecond], [ON_DEMAND_INITIAL_READ_UNITS, ON_DEMAND_INITIAL_WRITE_UNITS])
    same(table.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!.ReadCapacityUnits, 0)
  },

  'a table on demand gets capacity, and each of its indexes its own': async bench => {
    const TableName = await bench.ownTable(withGlobal(index('some')))
    const { table } = await updated(bench, TableName, {
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: units(2, 3),
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'some', ProvisionedThroughput: units(4, 5) } }],
    })
    same(table.BillingModeSummary!.BillingMode, 'PROVISIONED')
    same([table.ProvisionedThroughput!.ReadCapacityUnits, table.ProvisionedThroughput!.WriteCapacityUnits], [2, 3])
    const { ReadCapacityUnits, WriteCapacityUnits } = table.GlobalSecondaryIndexes![0]!.ProvisionedThroughput!
    same([ReadCapacityUnits, WriteCapacityUnits], [4, 5])
  },

  'a mode that the table has already is taken': async bench => {
    const { table } = await updated(bench, await bench.ownTable(SINGLE), { BillingMode: 'PAY_PER_REQUEST' })
    same(table.BillingModeSummary!.BillingMode, 'PAY_PER_REQUEST')
  },

  'bounds on demand are set one by one, and -1 takes one away': async bench => {
    const TableName = await bench.ownTable({ ...SINGLE, OnDemandThroughput: { MaxReadRequestUnits: 10 } })
    const set = await updated(bench, TableName, { OnDemandThroughput: { MaxWriteRequestUnits: 5 } })
    same(
      [set.answer.TableStatus, set.table.OnDemandThroughput],
      ['ACTIVE', { MaxReadRequestUnits: 10, MaxWriteRequestUnits: 5 }],
    )
    await bench.store.updateTable({ TableName, OnDemandThroughput: { MaxReadRequestUnits: -1 } })
    await bench.eventually(async () => {
      const { Table } = await bench.store.describeTable({ TableName })
      same(Table!.OnDemandThroughput, { MaxWriteRequestUnits: 5 })
    })
  },

  'protection is put on and taken off': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { answer } = await updated(bench, TableName, { DeletionProtectionEnabled: true })
    same([answer.TableStatus, answer.DeletionProtectionEnabled], ['ACTIVE', true])
    await refused(bench.store.deleteTable({ TableName }), 'ValidationException')
    // The service takes such a change every 15 seconds.
    await bench.eventually(() => bench.store.updateTable({ TableName, DeletionProtectionEnabled: false }))
    same((await bench.store.deleteTable({ TableName })).TableDescription!.TableStatus, 'DELETING')
  },

  'a class is there once the table is active': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { answer, table } = await updated(bench, TableName, { TableClass: 'STANDARD_INFREQUENT_ACCESS' })
    same([answer.TableStatus, answer.TableClassSummary], ['UPDATING', undefined])
    same(table.TableClassSummary!.TableClass, 'STANDARD_INFREQUENT_ACCESS')
  },

  'encryption with a key of KMS is described': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { table } = await updated(bench, TableName, { SSESpecification: { Enabled: true, SSEType: 'KMS' } })
    same(table.SSEDescription!.SSEType, 'KMS')
    same(/^arn:aws:kms:/.test(table.SSEDescription!.KMSMasterKeyArn!), true)
  },

  'a stream is enabled and disabled, and each has a label of its own': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const StreamSpecification = { StreamEnabled: true, StreamViewType: 'KEYS_ONLY' as const }
    const first = await updated(bench, TableName, { StreamSpecification })
    same([first.answer.TableStatus, first.table.StreamSpecification], ['UPDATING', StreamSpecification])
    same(first.table.LatestStreamArn, `${first.table.TableArn}/stream/${first.table.LatestStreamLabel}`)
    const without = await updated(bench, TableName, { StreamSpecification: { StreamEnabled: false } })
    same(
      [without.table.StreamSpecification, without.table.LatestStreamLabel],
      [undefined, first.table.LatestStreamLabel],
    )
    const second = await updated(bench, TableName, { StreamSpecification })
    same(second.table.LatestStreamLabel! > first.table.LatestStreamLabel!, true)
  },

  'definitions of attributes that no key has are left out': async bench => {
    const TableName = await bench.ownTable(SINGLE)
    const { table } = await updated(bench, TableName, {
      AttributeDefinitions: texts('a', 'other'),
      TableClass: 'STANDARD_INFREQUENT_ACCESS',
    })
    same(table.AttributeDefinitions, texts('a'))
  },

  'the table may be named by its ARN': async bench => {
    const TableName = await bench.ownTable(PROVISIONED)
    const { Table } = await bench.store.describeTable({ TableName })
    const { table } = await updated(bench, Table!.TableArn!, { ProvisionedThroughput: units(2, 2) })
    same([table.TableName, table.ProvisionedThroughput!.ReadCapacityUnits], [TableName, 2])
  },
})
