import * as sdk from '@aws-sdk/client-dynamodb'
import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  BatchWriteItemCommand,
  CreateBackupCommand,
  CreateGlobalTableCommand,
  CreateTableCommand,
  DeleteBackupCommand,
  DeleteItemCommand,
  DeleteResourcePolicyCommand,
  DeleteTableCommand,
  DescribeBackupCommand,
  DescribeContinuousBackupsCommand,
  DescribeContributorInsightsCommand,
  DescribeEndpointsCommand,
  DescribeExportCommand,
  DescribeGlobalTableCommand,
  DescribeGlobalTableSettingsCommand,
  DescribeImportCommand,
  DescribeLimitsCommand,
  DescribeTableCommand,
  DescribeTableReplicaAutoScalingCommand,
  DescribeTimeToLiveCommand,
  type DynamoDBClient,
  ExecuteStatementCommand,
  ExecuteTransactionCommand,
  ExportTableToPointInTimeCommand,
  GetItemCommand,
  GetResourcePolicyCommand,
  ImportTableCommand,
  ListBackupsCommand,
  ListContributorInsightsCommand,
  ListExportsCommand,
  ListGlobalTablesCommand,
  ListImportsCommand,
  ListTablesCommand,
  ListTagsOfResourceCommand,
  PutItemCommand,
  PutResourcePolicyCommand,
  QueryCommand,
  RestoreTableFromBackupCommand,
  RestoreTableToPointInTimeCommand,
  ScanCommand,
  TagResourceCommand,
  TransactGetItemsCommand,
  TransactWriteItemsCommand,
  UntagResourceCommand,
  UpdateContinuousBackupsCommand,
  UpdateContributorInsightsCommand,
  UpdateGlobalTableCommand,
  UpdateGlobalTableSettingsCommand,
  UpdateItemCommand,
  UpdateTableCommand,
  UpdateTableReplicaAutoScalingCommand,
  UpdateTimeToLiveCommand,
} from '@aws-sdk/client-dynamodb'
import type {
  Administration,
  Backups,
  CallOptions,
  OperationInput,
  Service,
  Transfers,
  Vectors,
} from '../store/port.js'
import { withAbortReason } from './abort-reason.js'
import { withConnectionErrorCode } from './connection-errors.js'

/** The SDK's command class for each operation. */
const COMMANDS = {
  getItem: GetItemCommand,
  putItem: PutItemCommand,
  updateItem: UpdateItemCommand,
  deleteItem: DeleteItemCommand,
  batchGetItem: BatchGetItemCommand,
  batchWriteItem: BatchWriteItemCommand,
  transactGetItems: TransactGetItemsCommand,
  transactWriteItems: TransactWriteItemsCommand,
  query: QueryCommand,
  scan: ScanCommand,
  // SDK versions before 3.1103 do not export these classes; a named import of a missing export fails at load time.
  searchVectors: sdk.SearchVectorsCommand,
  createTable: CreateTableCommand,
  describeTable: DescribeTableCommand,
  updateTable: UpdateTableCommand,
  deleteTable: DeleteTableCommand,
  listTables: ListTablesCommand,
  updateTimeToLive: UpdateTimeToLiveCommand,
  describeTimeToLive: DescribeTimeToLiveCommand,
  executeStatement: ExecuteStatementCommand,
  batchExecuteStatement: BatchExecuteStatementCommand,
  executeTransaction: ExecuteTransactionCommand,
  tagResource: TagResourceCommand,
  untagResource: UntagResourceCommand,
  listTagsOfResource: ListTagsOfResourceCommand,
  putResourcePolicy: PutResourcePolicyCommand,
  getResourcePolicy: GetResourcePolicyCommand,
  deleteResourcePolicy: DeleteResourcePolicyCommand,
  updateContributorInsights: UpdateContributorInsightsCommand,
  describeContributorInsights: DescribeContributorInsightsCommand,
  listContributorInsights: ListContributorInsightsCommand,
  createGlobalTable: CreateGlobalTableCommand,
  updateGlobalTable: UpdateGlobalTableCommand,
  describeGlobalTable: DescribeGlobalTableCommand,
  listGlobalTables: ListGlobalTablesCommand,
  describeGlobalTableSettings: DescribeGlobalTableSettingsCommand,
  updateGlobalTableSettings: UpdateGlobalTableSettingsCommand,
  describeTableReplicaAutoScaling: DescribeTableReplicaAutoScalingCommand,
  updateTableReplicaAutoScaling: UpdateTableReplicaAutoScalingCommand,
  describeLimits: DescribeLimitsCommand,
  describeEndpoints: DescribeEndpointsCommand,
  describeContinuousBackups: DescribeContinuousBackupsCommand,
  updateContinuousBackups: UpdateContinuousBackupsCommand,
  createBackup: CreateBackupCommand,
  describeBackup: DescribeBackupCommand,
  listBackups: ListBackupsCommand,
  deleteBackup: DeleteBackupCommand,
  restoreTableFromBackup: RestoreTableFromBackupCommand,
  restoreTableToPointInTime: RestoreTableToPointInTimeCommand,
  exportTableToPointInTime: ExportTableToPointInTimeCommand,
  describeExport: DescribeExportCommand,
  listExports: ListExportsCommand,
  importTable: ImportTableCommand,
  describeImport: DescribeImportCommand,
  listImports: ListImportsCommand,
} satisfies {
  [Name in keyof (Service & Administration & Backups & Transfers & Vectors)]: new (
    request: OperationInput<Name>,
  ) => object
}

type AnyCommand = new (request: object) => GetItemCommand

/**
 * Sends every operation as a command to the client, with `options` when a call has none. With options present, the
 * client does not use its handler cache. A cached handler of a supplied client may contain retry middleware.
 */
export function createAwsService(
  client: DynamoDBClient,
  defaultOptions?: CallOptions,
): Service & Administration & Backups & Transfers & Partial<Vectors> {
  const operations = Object.entries(COMMANDS).flatMap(([name, command]) => {
    const Command = command as unknown as AnyCommand | undefined
    if (!Command) return []
    const send = (request: object, options = defaultOptions) =>
      withAbortReason(withConnectionErrorCode(client.send(new Command(request), options)), options)
    return [[name, send]]
  })
  return Object.fromEntries(operations) as unknown as Service & Administration & Backups & Transfers
}
