import { describeEndpoints, describeLimits } from './account.js'
import {
  createBackup,
  deleteBackup,
  describeBackup,
  listBackups,
  restoreTableFromBackup,
  restoreTableToPointInTime,
} from './backups.js'
import { batchGetItem, batchWriteItem } from './batches.js'
import { describeContinuousBackups, updateContinuousBackups } from './continuous-backups.js'
import {
  describeContributorInsights,
  listContributorInsights,
  updateContributorInsights,
} from './contributor-insights.js'
import { describeExport, exportTableToPointInTime, listExports } from './exports.js'
import { describeGlobalTableSettings, updateGlobalTableSettings } from './global-table-settings.js'
import {
  createGlobalTable,
  describeGlobalTable,
  describeTableReplicaAutoScaling,
  listGlobalTables,
  updateGlobalTable,
  updateTableReplicaAutoScaling,
} from './global-tables.js'
import { describeImport, importTable, listImports } from './imports.js'
import { deleteItem, getItem, putItem, updateItem } from './items.js'
import { query, scan } from './reads.js'
import { deleteResourcePolicy, getResourcePolicy, putResourcePolicy } from './resource-policies.js'
import { batchExecuteStatement, executeStatement, executeTransaction } from './statements.js'
import { describeStream, getRecords, getShardIterator, listStreams } from './streams.js'
import { createTable, deleteTable, describeTable, listTables } from './tables.js'
import { listTagsOfResource, tagResource, untagResource } from './tags.js'
import { describeTimeToLive, updateTimeToLive } from './time-to-live.js'
import { transactGetItems, transactWriteItems } from './transactions.js'
import { updateTable } from './update-table.js'
import { searchVectors } from './vectors.js'

/** The members that a request of each operation may contain, as the service validates them. */
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
  SearchVectors: searchVectors,
  ExecuteStatement: executeStatement,
  BatchExecuteStatement: batchExecuteStatement,
  ExecuteTransaction: executeTransaction,
  CreateTable: createTable,
  DescribeTable: describeTable,
  UpdateTable: updateTable,
  DeleteTable: deleteTable,
  ListTables: listTables,
  UpdateTimeToLive: updateTimeToLive,
  DescribeTimeToLive: describeTimeToLive,
  TagResource: tagResource,
  UntagResource: untagResource,
  ListTagsOfResource: listTagsOfResource,
  PutResourcePolicy: putResourcePolicy,
  GetResourcePolicy: getResourcePolicy,
  DeleteResourcePolicy: deleteResourcePolicy,
  UpdateContributorInsights: updateContributorInsights,
  DescribeContributorInsights: describeContributorInsights,
  ListContributorInsights: listContributorInsights,
  CreateGlobalTable: createGlobalTable,
  UpdateGlobalTable: updateGlobalTable,
  DescribeGlobalTable: describeGlobalTable,
  ListGlobalTables: listGlobalTables,
  DescribeGlobalTableSettings: describeGlobalTableSettings,
  UpdateGlobalTableSettings: updateGlobalTableSettings,
  DescribeTableReplicaAutoScaling: describeTableReplicaAutoScaling,
  UpdateTableReplicaAutoScaling: updateTableReplicaAutoScaling,
  DescribeLimits: describeLimits,
  DescribeEndpoints: describeEndpoints,
  DescribeContinuousBackups: describeContinuousBackups,
  UpdateContinuousBackups: updateContinuousBackups,
  CreateBackup: createBackup,
  DescribeBackup: describeBackup,
  ListBackups: listBackups,
  DeleteBackup: deleteBackup,
  RestoreTableFromBackup: restoreTableFromBackup,
  RestoreTableToPointInTime: restoreTableToPointInTime,
  ExportTableToPointInTime: exportTableToPointInTime,
  DescribeExport: describeExport,
  ListExports: listExports,
  ImportTable: importTable,
  DescribeImport: describeImport,
  ListImports: listImports,
  ListStreams: listStreams,
  DescribeStream: describeStream,
  GetShardIterator: getShardIterator,
  GetRecords: getRecords,
} as const

export type OperationName = keyof typeof MODEL

export const OPERATION_NAMES = Object.keys(MODEL) as OperationName[]
