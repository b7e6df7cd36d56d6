import { batchGetItem, batchWriteItem } from './batches.js'
import { deleteItem, getItem, putItem, updateItem } from './items.js'
import { query, scan } from './reads.js'
import { createTable, deleteTable, describeTable, listTables } from './tables.js'
import { describeTimeToLive, updateTimeToLive } from './time-to-live.js'
import { transactGetItems, transactWriteItems } from './transactions.js'

/** What a request of each operation may contain, as the service checks it. */
export const MODEL = {
  GetItem: getItem,
  PutItem: putItem,
  UpdateItem: updateItem,
  DeleteItem: deleteItem,
  BatchGetItem: batchGetItem,
  BatchWriteItem: batchWriteItem,
  TransactGetItems: transactGetItems,
  TransactWriteItems: transactWriteItems,
  Query: query,
  Scan: scan,
  CreateTable: createTable,
  DescribeTable: describeTable,
  DeleteTable: deleteTable,
  ListTables: listTables,
  UpdateTimeToLive: updateTimeToLive,
  DescribeTimeToLive: describeTimeToLive,
} as const

export type OperationName = keyof typeof MODEL

export const OPERATION_NAMES = Object.keys(MODEL) as OperationName[]
