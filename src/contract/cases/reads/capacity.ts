import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { READ_UNIT_BYTES } from '../../../dynamodb/limits.js'
import type { CreateTableInput, QueryInput, ScanInput } from '../../../dynamodb/operation-types.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import { expectEqual } from '../../assertions.js'
import { type SharedTable, sharedTableDefinition } from '../../bench-tables.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import {
  expectEventually,
  numericValue,
  runQuery,
  runScan,
  sharedFixture,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

/** A row with a filler, so that its item has this size under this partition key. */
function rowOfSize(pk: AttributeValue, attributes: Item, sizeBytes: number): Item {
  const rest = countItemBytes({ pk, ...attributes, filler: stringValue('') })
  return { pk, ...attributes, filler: stringValue('x'.repeat(sizeBytes - rest)) }
}

interface SizedPartition {
  readonly partition: TestPartition
  readonly group: AttributeValue
}

/** Puts items of these sizes, with sort keys from `a`, into all indexes of the table. */
async function createSizedPartition(bench: TestBench, ...sizesBytes: number[]): Promise<SizedPartition> {
  const partition = await TestPartition.of(bench, 'composite', [])
  const group = stringValue(bench.unique('group'))
  for (const [i, sizeBytes] of sizesBytes.entries()) {
    const sort = stringValue(String.fromCharCode(97 + i))
    const attributes = { sk: sort, group, rank: numericValue(i), local: sort, kept: stringValue('k') }
    await bench.put(partition.TableName, rowOfSize(partition.pk, attributes, sizeBytes))
  }
  return { partition, group }
}

const smallItems = sharedFixture(bench => createSizedPartition(bench, 3000, 3000, 3000))
const largeItems = sharedFixture(bench => createSizedPartition(bench, 9000, 9000, 9000))

async function totalCapacity(partition: TestPartition, more: Partial<QueryInput> = {}, given = {}): Promise<unknown> {
  const request = { ReturnConsumedCapacity: 'TOTAL', ...more } as const
  const { ConsumedCapacity } = await partition.query('pk = :pk', given, request)
  const { CapacityUnits, ...rest } = ConsumedCapacity!
  expectEqual(rest, { TableName: partition.TableName })
  return CapacityUnits
}

function expectedCapacity(TableName: string, table: number, indexes?: object): object {
  const parts = Object.values(indexes ?? {}).flatMap(index => Object.values(index as Record<string, number>))
  const CapacityUnits = parts.reduce((sum: number, units: number) => sum + units, table)
  const detail = Object.entries(indexes ?? {}).map(([kind, by]) => [
    kind,
    Object.fromEntries(Object.entries(by as object).map(([name, units]) => [name, { CapacityUnits: units }])),
  ])
  return { TableName, CapacityUnits, Table: { CapacityUnits: table }, ...Object.fromEntries(detail) }
}

const EVENTUALLY_CONSISTENT = { ConsistentRead: false }
const INDEXES = { ReturnConsumedCapacity: 'INDEXES' } as const

const ofTables = defineCases('query', {
  'a query costs one unit for each 4 KB of all read items, and half of that without strong consistency': withCoverage(
    ['limit:READ_UNIT_BYTES'],
    async bench => {
      const { partition: full } = await createSizedPartition(bench, READ_UNIT_BYTES / 2, READ_UNIT_BYTES / 2)
      expectEqual([await totalCapacity(full), await totalCapacity(full, EVENTUALLY_CONSISTENT)], [1, 0.5])
      const { partition: over } = await createSizedPartition(bench, READ_UNIT_BYTES / 2, READ_UNIT_BYTES / 2 + 1)
      expectEqual([await totalCapacity(over), await totalCapacity(over, EVENTUALLY_CONSISTENT)], [2, 1])
    },
  ),

  'a query that finds nothing costs the minimum of a read': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [])
    expectEqual([await totalCapacity(partition), await totalCapacity(partition, EVENTUALLY_CONSISTENT)], [1, 0.5])
  },

  'each page is rounded up separately': async bench => {
    const { partition } = await smallItems(bench)
    expectEqual([await totalCapacity(partition), await totalCapacity(partition, EVENTUALLY_CONSISTENT)], [3, 1.5])
    expectEqual(await totalCapacity(partition, { ...EVENTUALLY_CONSISTENT, Limit: 1 }), 0.5)
    const { pk } = partition
    expectEqual(
      await totalCapacity(partition, {
        ...EVENTUALLY_CONSISTENT,
        Limit: 1,
        ExclusiveStartKey: { pk, sk: stringValue('a') },
      }),
      0.5,
    )
    expectEqual(
      await totalCapacity(partition, { ...EVENTUALLY_CONSISTENT, ExclusiveStartKey: { pk, sk: stringValue('a') } }),
      1,
    )
  },

  'a filter, a projection or a count does not reduce the cost': async bench => {
    const { partition } = await smallItems(bench)
    expectEqual(await totalCapacity(partition, { FilterExpression: 'attribute_exists(nothing)' }), 3)
    expectEqual(await totalCapacity(partition, { ProjectionExpression: 'sk' }), 3)
    expectEqual(await totalCapacity(partition, { Select: 'COUNT' }), 3)
  },

  'a condition on the sort key is billed by the items that match': async bench => {
    const { partition } = await smallItems(bench)
    const request = { ReturnConsumedCapacity: 'TOTAL' } as const
    const answer = await partition.query('pk = :pk AND sk > :a', { ':a': stringValue('b') }, request)
    expectEqual(answer.ConsumedCapacity, { TableName: partition.TableName, CapacityUnits: 1 })
  },

  'the response reports no consumed capacity by default': async bench => {
    const { partition } = await smallItems(bench)
    expectEqual((await partition.query('pk = :pk')).ConsumedCapacity, undefined)
    expectEqual((await partition.query('pk = :pk', {}, { ReturnConsumedCapacity: 'NONE' })).ConsumedCapacity, undefined)
  },

  'INDEXES attributes all units to the table for a table read': async bench => {
    const { partition } = await smallItems(bench)
    const { ConsumedCapacity } = await partition.query('pk = :pk', {}, INDEXES)
    expectEqual(ConsumedCapacity, expectedCapacity(partition.TableName, 3))
  },
})

const ofIndexes = defineCases('query', {
  'a query of a global index is billed to the index by the projected size': async bench => {
    const { partition, group } = await largeItems(bench)
    const { TableName } = partition
    const capacity = async (IndexName: string, more: Partial<QueryInput> = {}) => {
      const request = {
        TableName,
        IndexName,
        KeyConditionExpression: '#g = :g',
        ExpressionAttributeNames: { '#g': 'group' },
        ExpressionAttributeValues: { ':g': group },
      }
      const { Count, ConsumedCapacity } = await runQuery(bench.store, { ...request, ...INDEXES, ...more })
      return [Count, ConsumedCapacity]
    }
    const half = (index: string) => expectedCapacity(TableName, 0, { GlobalSecondaryIndexes: { [index]: 0.5 } })
    await expectEventually(bench, () => capacity('byGroup'), [3, half('byGroup')])
    await expectEventually(bench, () => capacity('groupOnly'), [3, half('groupOnly')])
    const inAll = () => capacity('byGroup', { ReturnConsumedCapacity: 'TOTAL' })
    await expectEventually(bench, inAll, [3, { TableName, CapacityUnits: 0.5 }])
  },

  'a query of a global index with whole items is billed by their size': async bench => {
    const { partition } = await smallItems(bench)
    const { TableName, pk } = partition
    const read = async () =>
      (
        await runQuery(bench.store, {
          TableName,
          IndexName: 'inverted',
          KeyConditionExpression: 'sk = :a AND pk = :pk',
          ExpressionAttributeValues: { ':a': stringValue('a'), ':pk': pk },
          ...INDEXES,
        })
      ).ConsumedCapacity
    await expectEventually(bench, read, expectedCapacity(TableName, 0, { GlobalSecondaryIndexes: { inverted: 0.5 } }))
  },

  'a query of a local index is billed to the index, and can be strongly consistent': async bench => {
    const { partition } = await largeItems(bench)
    const { TableName } = partition
    const capacity = async (more: Partial<QueryInput>) =>
      (await partition.query('pk = :pk', {}, { ...INDEXES, ...more })).ConsumedCapacity
    const local = (index: string, units: number) =>
      expectedCapacity(TableName, 0, { LocalSecondaryIndexes: { [index]: units } })
    expectEqual(await capacity({ IndexName: 'byRank' }), local('byRank', 1))
    expectEqual(await capacity({ IndexName: 'byRank', ...EVENTUALLY_CONSISTENT }), local('byRank', 0.5))
    expectEqual(await capacity({ IndexName: 'byLocal' }), local('byLocal', 7))
    expectEqual(await capacity({ IndexName: 'byLocal', ...EVENTUALLY_CONSISTENT }), local('byLocal', 3.5))
  },

  'each item that a local index fetches from the table costs a read of the whole item': async bench => {
    const fetched = async ({ partition }: SizedPartition, more: Partial<QueryInput> = {}) => {
      const request = { IndexName: 'byRank', ProjectionExpression: 'sk, kept', ...INDEXES, ...more }
      return (await partition.query('pk = :pk', {}, request)).ConsumedCapacity
    }
    const both = (of: SizedPartition, table: number, index: number) =>
      expectedCapacity(of.partition.TableName, table, { LocalSecondaryIndexes: { byRank: index } })
    const few = await smallItems(bench)
    expectEqual(await fetched(few), both(few, 3, 1))
    expectEqual(await fetched(few, EVENTUALLY_CONSISTENT), both(few, 1.5, 0.5))
    const many = await largeItems(bench)
    expectEqual(await fetched(many), both(many, 9, 1))
    expectEqual(await fetched(many, EVENTUALLY_CONSISTENT), both(many, 4.5, 0.5))
    const { partition } = many
    expectEqual(
      await totalCapacity(partition, { IndexName: 'byRank', Select: 'ALL_ATTRIBUTES', ...EVENTUALLY_CONSISTENT }),
      5,
    )
    expectEqual(
      await totalCapacity(partition, { IndexName: 'byRank', ProjectionExpression: 'sk', ...EVENTUALLY_CONSISTENT }),
      0.5,
    )
  },

  'a query of an index that finds nothing costs the minimum of a read': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [])
    const { ConsumedCapacity } = await partition.query('pk = :pk', {}, { IndexName: 'byRank', ...INDEXES })
    expectEqual(ConsumedCapacity, expectedCapacity(partition.TableName, 0, { LocalSecondaryIndexes: { byRank: 1 } }))
  },
})

/**
 * A provisioned copy of a shared table, which is one partition on AWS. A scan of an on-demand table with one small item
 * was seen to cost 4 units there: the table has four partitions, and each costs a minimum.
 */
function provisionedDefinition(kind: SharedTable): Omit<CreateTableInput, 'TableName'> {
  const { TableName: _, GlobalSecondaryIndexes, ...definition } = sharedTableDefinition(kind, '')
  const ProvisionedThroughput = { ReadCapacityUnits: 100, WriteCapacityUnits: 100 }
  const table = { ...definition, BillingMode: 'PROVISIONED', ProvisionedThroughput } as const
  if (!GlobalSecondaryIndexes) return table
  return {
    ...table,
    GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(index => ({ ...index, ProvisionedThroughput })),
  }
}

/** A separate table with five items of 3,000 bytes, two of them in its global index of groups. */
const scannedItems = sharedFixture(async bench => {
  const TableName = await bench.createOwnTable(provisionedDefinition('composite'))
  for (const pk of ['a', 'b', 'c', 'd', 'e']) {
    const grouped = pk < 'c' ? { group: stringValue('g') } : { rank: numericValue(1) }
    await bench.put(TableName, rowOfSize(stringValue(pk), { sk: stringValue('s'), ...grouped }, 3000))
  }
  return TableName
})

const ofScans = defineCases('scan', {
  'a scan costs one unit for each 4 KB of all read items, independent of a filter': async bench => {
    const TableName = await scannedItems(bench)
    const units = async (more: Partial<ScanInput> = {}) => {
      const request = { TableName, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL', ...more } as const
      const { CapacityUnits, ...rest } = (await runScan(bench.store, request)).ConsumedCapacity!
      expectEqual(rest, { TableName })
      return CapacityUnits
    }
    expectEqual([await units(), await units(EVENTUALLY_CONSISTENT)], [4, 2])
    expectEqual(await units({ FilterExpression: 'attribute_exists(nothing)' }), 4)
    expectEqual(await units({ ProjectionExpression: 'sk' }), 4)
    expectEqual(await units({ Select: 'COUNT', Limit: 2 }), 2)
  },

  'a scan of an index is billed to the index': async bench => {
    const TableName = await scannedItems(bench)
    const capacity = async (IndexName: string, more: Partial<ScanInput> = {}) =>
      (await runScan(bench.store, { TableName, IndexName, ...INDEXES, ...more })).ConsumedCapacity
    const global = (index: string, units: number) =>
      expectedCapacity(TableName, 0, { GlobalSecondaryIndexes: { [index]: units } })
    await expectEventually(bench, () => capacity('inverted'), global('inverted', 2))
    await expectEventually(bench, () => capacity('groupOnly'), global('groupOnly', 0.5))
    const strongly = { ConsistentRead: true }
    expectEqual(
      await capacity('byRank', strongly),
      expectedCapacity(TableName, 0, { LocalSecondaryIndexes: { byRank: 1 } }),
    )
  },

  'a scan of an empty table costs the minimum of a read': async bench => {
    const TableName = await bench.createOwnTable(provisionedDefinition('hash'))
    expectEqual(
      (await runScan(bench.store, { TableName, ...INDEXES })).ConsumedCapacity,
      expectedCapacity(TableName, 0.5),
    )
  },
})

/** Cases of the exact cost of queries and scans. */
export const readCapacityCases = [...ofTables, ...ofIndexes, ...ofScans]
