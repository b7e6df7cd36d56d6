import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { request } from '../tables.js'

const ORDERS = { TableName: 'Orders' }
const StreamArn = 'arn:aws:kinesis:us-east-1:123456789012:stream/orders'

async function withTable() {
  const store = memory()
  const { TableDescription } = await store.createTable(request())
  return { store, TableArn: TableDescription!.TableArn! }
}

// The service's words as seen in us-west-2 in October 2026.
describe('what a table here cannot have is told as of one that has none', () => {
  it('destinations in Kinesis', async () => {
    const { store, TableArn } = await withTable()
    const none = { ...ORDERS, KinesisDataStreamDestinations: [] }
    expect(await store.describeKinesisStreamingDestination(ORDERS)).toEqual(none)
    expect(await store.describeKinesisStreamingDestination({ TableName: TableArn })).toEqual(none)
    // Whoever enables one is told that nothing would come of it.
    await expect(store.enableKinesisStreamingDestination({ ...ORDERS, StreamArn })).rejects.toMatchObject({
      name: 'ValidationException',
      message: `This engine has no Kinesis data streams and would deliver nothing to ${StreamArn}`,
    })
    expect(await store.describeKinesisStreamingDestination(ORDERS)).toEqual(none)
  })

  it('a table that is being created has not even none', async () => {
    const store = memory({ transitionMs: 60_000 })
    await store.createTable(request())
    const refused = {
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Orders not found',
    }
    await expect(store.describeKinesisStreamingDestination(ORDERS)).rejects.toMatchObject(refused)
    await expect(store.enableKinesisStreamingDestination({ ...ORDERS, StreamArn })).rejects.toMatchObject(refused)
    await expect(store.disableKinesisStreamingDestination({ ...ORDERS, StreamArn })).rejects.toMatchObject(refused)
  })

  it('replicas, in the old operations on global tables and in the new', async () => {
    const { store, TableArn } = await withTable()
    for (const GlobalTableName of ['Orders', 'Missing'])
      await expect(store.describeGlobalTable({ GlobalTableName })).rejects.toMatchObject({
        name: 'GlobalTableNotFoundException',
        message: `Global table not found: Global table with name: '${GlobalTableName}' does not exist.`,
      })
    expect(await store.listGlobalTables({ RegionName: 'us-east-1', Limit: 1 })).toEqual({ GlobalTables: [] })
    for (const TableName of ['Orders', TableArn])
      await expect(store.describeTableReplicaAutoScaling({ TableName })).rejects.toMatchObject({
        name: 'ResourceNotFoundException',
        message: "Global table with name: 'Orders' does not exist.",
      })
  })

  it('imports and exports, of all tables and of one, also of one that is not there', async () => {
    const { store, TableArn } = await withTable()
    for (const of of [{}, { TableArn }, { TableArn: `${TableArn}Missing` }]) {
      expect(await store.listExports({ ...of, MaxResults: 25 })).toEqual({ ExportSummaries: [] })
      expect(await store.listImports({ ...of, PageSize: 25 })).toEqual({ ImportSummaryList: [] })
    }
  })
})
