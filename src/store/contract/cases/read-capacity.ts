import type { AttributeValue, Item } from '../../../dynamodb/attribute-value.js'
import { READ_UNIT_BYTES } from '../../../dynamodb/limits.js'
import type { QueryRequest, ScanRequest } from '../../../dynamodb/operations/reads.js'
import type { CreateTableRequest } from '../../../dynamodb/operations/tables.js'
import { itemBytes } from '../../../dynamodb/size.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import { definitionOf, type SharedTable } from '../tables.js'
import { fixture, number, Partition, query, scan, settles, text } from './reading.js'

/** A row whose item is of so many bytes with this partition key, by its filler. */
function row(pk: AttributeValue, attributes: Item, sizeBytes: number): Item {
  const rest = itemBytes({ pk, ...attributes, filler: text('') })
  return { pk, ...attributes, filler: text('x'.repeat(sizeBytes - rest)) }
}

interface Sized {
  readonly partition: Partition
  readonly group: AttributeValue
}

/** Items of these sizes with sort keys from `a` on, in all indexes of the table. */
async function sized(bench: Bench, ...sizesBytes: number[]): Promise<Sized> {
  const partition = await Partition.of(bench, 'composite', [])
  const group = text(bench.unique('group'))
  for (const [i, sizeBytes] of sizesBytes.entries()) {
    const sort = text(String.fromCharCode(97 + i))
    const attributes = { sk: sort, group, rank: number(i), local: sort, kept: text('k') }
    await bench.put(partition.TableName, row(partition.pk, attributes, sizeBytes))
  }
  return { partition, group }
}

const small = fixture(bench => sized(bench, 3000, 3000, 3000))
const large = fixture(bench => sized(bench, 9000, 9000, 9000))

async function total(partition: Partition, more: Partial<QueryRequest> = {}, given = {}): Promise<unknown> {
  const request = { ReturnConsumedCapacity: 'TOTAL', ...more } as const
  const { ConsumedCapacity } = await partition.query('pk = :pk', given, request)
  const { CapacityUnits, ...rest } = ConsumedCapacity!
  same(rest, { TableName: partition.TableName })
  return CapacityUnits
}

function consumed(TableName: string, table: number, indexes?: object): object {
  const parts = Object.values(indexes ?? {}).flatMap(index => Object.values(index as Record<string, number>))
  const CapacityUnits = parts.reduce((sum: number, units: number) => sum + units, table)
  const detail = Object.entries(indexes ?? {}).map(([kind, by]) => [
    kind,
    Object.fromEntries(Object.entries(by as object).map(([name, units]) => [name, { CapacityUnits: units }])),
  ])
  return { TableName, CapacityUnits, Table: { CapacityUnits: table }, ...Object.fromEntries(detail) }
}

const EVENTUALLY = { ConsistentRead: false }
const INDEXES = { ReturnConsumedCapacity: 'INDEXES' } as const

const ofTables = cases('query', {
  'a query costs a unit for each 4 KB that it reads in all, and half of that without strong consistency': covering(
    ['limit:READ_UNIT_BYTES'],
    async bench => {
      const { partition: full } = await sized(bench, READ_UNIT_BYTES / 2, READ_UNIT_BYTES / 2)
      same([await total(full), await total(full, EVENTUALLY)], [1, 0.5])
      const { partition: over } = await sized(bench, READ_UNIT_BYTES / 2, READ_UNIT_BYTES / 2 + 1)
      same([await total(over), await total(over, EVENTUALLY)], [2, 1])
    },
  ),

  'a query that finds nothing costs the least that a read can': async bench => {
    const partition = await Partition.of(bench, 'composite', [])
    same([await total(partition), await total(partition, EVENTUALLY)], [1, 0.5])
  },

  'each page is rounded up by itself': async bench => {
    const { partition } = await small(bench)
    same([await total(partition), await total(partition, EVENTUALLY)], [3, 1.5])
    same(await total(partition, { ...EVENTUALLY, Limit: 1 }), 0.5)
    const { pk } = partition
    same(await total(partition, { ...EVENTUALLY, Limit: 1, ExclusiveStartKey: { pk, sk: text('a') } }), 0.5)
    same(await total(partition, { ...EVENTUALLY, ExclusiveStartKey: { pk, sk: text('a') } }), 1)
  },

  'what a filter, a projection or a count leaves out is paid for all the same': async bench => {
    const { partition } = await small(bench)
    same(await total(partition, { FilterExpression: 'attribute_exists(nothing)' }), 3)
    same(await total(partition, { ProjectionExpression: 'sk' }), 3)
    same(await total(partition, { Select: 'COUNT' }), 3)
  },

  'a condition on the sort key is paid for by what it finds': async bench => {
    const { partition } = await small(bench)
    const request = { ReturnConsumedCapacity: 'TOTAL' } as const
    const answer = await partition.query('pk = :pk AND sk > :a', { ':a': text('b') }, request)
    same(answer.ConsumedCapacity, { TableName: partition.TableName, CapacityUnits: 1 })
  },

  'the answer has no consumed capacity unless it is asked for': async bench => {
    const { partition } = await small(bench)
    same((await partition.query('pk = :pk')).ConsumedCapacity, undefined)
    same((await partition.query('pk = :pk', {}, { ReturnConsumedCapacity: 'NONE' })).ConsumedCapacity, undefined)
  },

  'INDEXES tells of a table that it took all': async bench => {
    const { partition } = await small(bench)
    const { ConsumedCapacity } = await partition.query('pk = :pk', {}, INDEXES)
    same(ConsumedCapacity, consumed(partition.TableName, 3))
  },
})

const ofIndexes = cases('query', {
  'a query of a global index is paid for by the index, for what the index has': async bench => {
    const { partition, group } = await large(bench)
    const { TableName } = partition
    const capacity = async (IndexName: string, more: Partial<QueryRequest> = {}) => {
      const request = {
        TableName,
        IndexName,
        KeyConditionExpression: '#g = :g',
        ExpressionAttributeNames: { '#g': 'group' },
        ExpressionAttributeValues: { ':g': group },
      }
      const { Count, ConsumedCapacity } = await query(bench.store, { ...request, ...INDEXES, ...more })
      return [Count, ConsumedCapacity]
    }
    const half = (index: string) => consumed(TableName, 0, { GlobalSecondaryIndexes: { [index]: 0.5 } })
    await settles(bench, () => capacity('byGroup'), [3, half('byGroup')])
    await settles(bench, () => capacity('groupOnly'), [3, half('groupOnly')])
    const inAll = () => capacity('byGroup', { ReturnConsumedCapacity: 'TOTAL' })
    await settles(bench, inAll, [3, { TableName, CapacityUnits: 0.5 }])
  },

  'a query of a global index of whole items is paid for by their size': async bench => {
    const { partition } = await small(bench)
    const { TableName, pk } = partition
    const read = async () =>
      (
        await query(bench.store, {
          TableName,
          IndexName: 'inverted',
          KeyConditionExpression: 'sk = :a AND pk = :pk',
          ExpressionAttributeValues: { ':a': text('a'), ':pk': pk },
          ...INDEXES,
        })
      ).ConsumedCapacity
    await settles(bench, read, consumed(TableName, 0, { GlobalSecondaryIndexes: { inverted: 0.5 } }))
  },

  'a query of a local index is paid for by the index, and can be strongly consistent': async bench => {
    const { partition } = await large(bench)
    const { TableName } = partition
    const capacity = async (more: Partial<QueryRequest>) =>
      (await partition.query('pk = :pk', {}, { ...INDEXES, ...more })).ConsumedCapacity
    const local = (index: string, units: number) =>
      consumed(TableName, 0, { LocalSecondaryIndexes: { [index]: units } })
    same(await capacity({ IndexName: 'byRank' }), local('byRank', 1))
    same(await capacity({ IndexName: 'byRank', ...EVENTUALLY }), local('byRank', 0.5))
    same(await capacity({ IndexName: 'byLocal' }), local('byLocal', 7))
    same(await capacity({ IndexName: 'byLocal', ...EVENTUALLY }), local('byLocal', 3.5))
  },

  'what a local index fetches from the table costs a read of each whole item': async bench => {
    const fetched = async ({ partition }: Sized, more: Partial<QueryRequest> = {}) => {
      const request = { IndexName: 'byRank', ProjectionExpression: 'sk, kept', ...INDEXES, ...more }
      return (await partition.query('pk = :pk', {}, request)).ConsumedCapacity
    }
    const both = (of: Sized, table: number, index: number) =>
      consumed(of.partition.TableName, table, { LocalSecondaryIndexes: { byRank: index } })
    const few = await small(bench)
    same(await fetched(few), both(few, 3, 1))
    same(await fetched(few, EVENTUALLY), both(few, 1.5, 0.5))
    const many = await large(bench)
    same(await fetched(many), both(many, 9, 1))
    same(await fetched(many, EVENTUALLY), both(many, 4.5, 0.5))
    const { partition } = many
    same(await total(partition, { IndexName: 'byRank', Select: 'ALL_ATTRIBUTES', ...EVENTUALLY }), 5)
    same(await total(partition, { IndexName: 'byRank', ProjectionExpression: 'sk', ...EVENTUALLY }), 0.5)
  },

  'a query of an index that finds nothing costs the least that a read can': async bench => {
    const partition = await Partition.of(bench, 'composite', [])
    const { ConsumedCapacity } = await partition.query('pk = :pk', {}, { IndexName: 'byRank', ...INDEXES })
    same(ConsumedCapacity, consumed(partition.TableName, 0, { LocalSecondaryIndexes: { byRank: 1 } }))
  },
})

/**
 * A table like a shared one, with capacity of its own, which is one partition on AWS. A scan of a table on demand, with
 * one small item, was seen to cost 4 units there: each of its four partitions is paid for.
 */
function provisioned(kind: SharedTable): Omit<CreateTableRequest, 'TableName'> {
  const { TableName: _, GlobalSecondaryIndexes, ...definition } = definitionOf(kind, '')
  const ProvisionedThroughput = { ReadCapacityUnits: 100, WriteCapacityUnits: 100 }
  const table = { ...definition, BillingMode: 'PROVISIONED', ProvisionedThroughput } as const
  if (!GlobalSecondaryIndexes) return table
  return {
    ...table,
    GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(index => ({ ...index, ProvisionedThroughput })),
  }
}

/** A table of its own with five items of 3,000 bytes, two of them in its global index of groups. */
const scannedItems = fixture(async bench => {
  const TableName = await bench.ownTable(provisioned('composite'))
  for (const pk of ['a', 'b', 'c', 'd', 'e']) {
    const grouped = pk < 'c' ? { group: text('g') } : { rank: number(1) }
    await bench.put(TableName, row(text(pk), { sk: text('s'), ...grouped }, 3000))
  }
  return TableName
})

const ofScans = cases('scan', {
  'a scan costs a unit for each 4 KB that it reads in all, whatever a filter leaves': async bench => {
    const TableName = await scannedItems(bench)
    const units = async (more: Partial<ScanRequest> = {}) => {
      const request = { TableName, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL', ...more } as const
      const { CapacityUnits, ...rest } = (await scan(bench.store, request)).ConsumedCapacity!
      same(rest, { TableName })
      return CapacityUnits
    }
    same([await units(), await units(EVENTUALLY)], [4, 2])
    same(await units({ FilterExpression: 'attribute_exists(nothing)' }), 4)
    same(await units({ ProjectionExpression: 'sk' }), 4)
    same(await units({ Select: 'COUNT', Limit: 2 }), 2)
  },

  'a scan of an index is paid for by the index': async bench => {
    const TableName = await scannedItems(bench)
    const capacity = async (IndexName: string, more: Partial<ScanRequest> = {}) =>
      (await scan(bench.store, { TableName, IndexName, ...INDEXES, ...more })).ConsumedCapacity
    const global = (index: string, units: number) =>
      consumed(TableName, 0, { GlobalSecondaryIndexes: { [index]: units } })
    await settles(bench, () => capacity('inverted'), global('inverted', 2))
    await settles(bench, () => capacity('groupOnly'), global('groupOnly', 0.5))
    const strongly = { ConsistentRead: true }
    same(await capacity('byRank', strongly), consumed(TableName, 0, { LocalSecondaryIndexes: { byRank: 1 } }))
  },

  'a scan of an empty table costs the least that a read can': async bench => {
    const TableName = await bench.ownTable(provisioned('hash'))
    same((await scan(bench.store, { TableName, ...INDEXES })).ConsumedCapacity, consumed(TableName, 0.5))
  },
})

/** The price of queries and scans, to the unit. */
export const readCapacityCases = [...ofTables, ...ofIndexes, ...ofScans]
