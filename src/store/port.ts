import type {
  BatchExecuteStatementInput,
  BatchExecuteStatementOutput,
  BatchGetItemInput,
  BatchGetItemOutput,
  BatchWriteItemInput,
  BatchWriteItemOutput,
  CreateBackupInput,
  CreateBackupOutput,
  CreateGlobalTableInput,
  CreateGlobalTableOutput,
  CreateTableInput,
  CreateTableOutput,
  DeleteBackupInput,
  DeleteBackupOutput,
  DeleteItemInput,
  DeleteItemOutput,
  DeleteResourcePolicyInput,
  DeleteResourcePolicyOutput,
  DeleteTableInput,
  DeleteTableOutput,
  DescribeBackupInput,
  DescribeBackupOutput,
  DescribeContinuousBackupsInput,
  DescribeContinuousBackupsOutput,
  DescribeContributorInsightsInput,
  DescribeContributorInsightsOutput,
  DescribeEndpointsInput,
  DescribeEndpointsOutput,
  DescribeExportInput,
  DescribeExportOutput,
  DescribeGlobalTableInput,
  DescribeGlobalTableOutput,
  DescribeGlobalTableSettingsInput,
  DescribeGlobalTableSettingsOutput,
  DescribeImportInput,
  DescribeImportOutput,
  DescribeLimitsInput,
  DescribeLimitsOutput,
  DescribeStreamInput,
  DescribeStreamOutput,
  DescribeTableInput,
  DescribeTableOutput,
  DescribeTableReplicaAutoScalingInput,
  DescribeTableReplicaAutoScalingOutput,
  DescribeTimeToLiveInput,
  DescribeTimeToLiveOutput,
  ExecuteStatementInput,
  ExecuteStatementOutput,
  ExecuteTransactionInput,
  ExecuteTransactionOutput,
  ExportTableToPointInTimeInput,
  ExportTableToPointInTimeOutput,
  GetItemInput,
  GetItemOutput,
  GetRecordsInput,
  GetRecordsOutput,
  GetResourcePolicyInput,
  GetResourcePolicyOutput,
  GetShardIteratorInput,
  GetShardIteratorOutput,
  ImportTableInput,
  ImportTableOutput,
  ListBackupsInput,
  ListBackupsOutput,
  ListContributorInsightsInput,
  ListContributorInsightsOutput,
  ListExportsInput,
  ListExportsOutput,
  ListGlobalTablesInput,
  ListGlobalTablesOutput,
  ListImportsInput,
  ListImportsOutput,
  ListStreamsInput,
  ListStreamsOutput,
  ListTablesInput,
  ListTablesOutput,
  ListTagsOfResourceInput,
  ListTagsOfResourceOutput,
  PutItemInput,
  PutItemOutput,
  PutResourcePolicyInput,
  PutResourcePolicyOutput,
  QueryInput,
  QueryOutput,
  RestoreTableFromBackupInput,
  RestoreTableFromBackupOutput,
  RestoreTableToPointInTimeInput,
  RestoreTableToPointInTimeOutput,
  ScanInput,
  ScanOutput,
  SearchVectorsInput,
  SearchVectorsOutput,
  TagResourceInput,
  TagResourceOutput,
  TransactGetItemsInput,
  TransactGetItemsOutput,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
  UntagResourceInput,
  UntagResourceOutput,
  UpdateContinuousBackupsInput,
  UpdateContinuousBackupsOutput,
  UpdateContributorInsightsInput,
  UpdateContributorInsightsOutput,
  UpdateGlobalTableInput,
  UpdateGlobalTableOutput,
  UpdateGlobalTableSettingsInput,
  UpdateGlobalTableSettingsOutput,
  UpdateItemInput,
  UpdateItemOutput,
  UpdateTableInput,
  UpdateTableOutput,
  UpdateTableReplicaAutoScalingInput,
  UpdateTableReplicaAutoScalingOutput,
  UpdateTimeToLiveInput,
  UpdateTimeToLiveOutput,
} from '../dynamodb/operation-types.js'
import type { AbortSignalLike } from './abort-signal.js'

/** The options of a single call. */
export interface CallOptions {
  /**
   * The abort signal. Undefined is not allowed because the AWS SDK declares its options this way, and its client must
   * be assignable to a store.
   */
  abortSignal?: AbortSignalLike
  /** The region that appears in ARNs and stream records, as the caller knows it. A client of AWS has its own region. */
  region?: string
}

/**
 * The DynamoDB operations that a graph needs, under their names and shapes in the API. The AWS SDK's aggregated client
 * `DynamoDB` is assignable.
 */
export interface Store {
  getItem(request: GetItemInput, options?: CallOptions): Promise<GetItemOutput>
  putItem(request: PutItemInput, options?: CallOptions): Promise<PutItemOutput>
  updateItem(request: UpdateItemInput, options?: CallOptions): Promise<UpdateItemOutput>
  deleteItem(request: DeleteItemInput, options?: CallOptions): Promise<DeleteItemOutput>
  batchGetItem(request: BatchGetItemInput, options?: CallOptions): Promise<BatchGetItemOutput>
  batchWriteItem(request: BatchWriteItemInput, options?: CallOptions): Promise<BatchWriteItemOutput>
  transactGetItems(request: TransactGetItemsInput, options?: CallOptions): Promise<TransactGetItemsOutput>
  transactWriteItems(request: TransactWriteItemsInput, options?: CallOptions): Promise<TransactWriteItemsOutput>
  query(request: QueryInput, options?: CallOptions): Promise<QueryOutput>
  scan(request: ScanInput, options?: CallOptions): Promise<ScanOutput>
  createTable(request: CreateTableInput, options?: CallOptions): Promise<CreateTableOutput>
  describeTable(request: DescribeTableInput, options?: CallOptions): Promise<DescribeTableOutput>
  updateTable(request: UpdateTableInput, options?: CallOptions): Promise<UpdateTableOutput>
  deleteTable(request: DeleteTableInput, options?: CallOptions): Promise<DeleteTableOutput>
  listTables(request: ListTablesInput, options?: CallOptions): Promise<ListTablesOutput>
  updateTimeToLive(request: UpdateTimeToLiveInput, options?: CallOptions): Promise<UpdateTimeToLiveOutput>
  describeTimeToLive(request: DescribeTimeToLiveInput, options?: CallOptions): Promise<DescribeTimeToLiveOutput>
}

/** The DynamoDB operations that the engine implements. The AWS SDK's `DynamoDB` is assignable. */
export interface Service extends Store {
  executeStatement(request: ExecuteStatementInput, options?: CallOptions): Promise<ExecuteStatementOutput>
  batchExecuteStatement(
    request: BatchExecuteStatementInput,
    options?: CallOptions,
  ): Promise<BatchExecuteStatementOutput>
  executeTransaction(request: ExecuteTransactionInput, options?: CallOptions): Promise<ExecuteTransactionOutput>
  tagResource(request: TagResourceInput, options?: CallOptions): Promise<TagResourceOutput>
  untagResource(request: UntagResourceInput, options?: CallOptions): Promise<UntagResourceOutput>
  listTagsOfResource(request: ListTagsOfResourceInput, options?: CallOptions): Promise<ListTagsOfResourceOutput>
  describeLimits(request: DescribeLimitsInput, options?: CallOptions): Promise<DescribeLimitsOutput>
  describeEndpoints(request: DescribeEndpointsInput, options?: CallOptions): Promise<DescribeEndpointsOutput>
  describeContinuousBackups(
    request: DescribeContinuousBackupsInput,
    options?: CallOptions,
  ): Promise<DescribeContinuousBackupsOutput>
  updateContinuousBackups(
    request: UpdateContinuousBackupsInput,
    options?: CallOptions,
  ): Promise<UpdateContinuousBackupsOutput>
}

/** DynamoDB Streams, a separate service. The AWS SDK's aggregated client `DynamoDBStreams` is assignable. */
export interface Streams {
  listStreams(request: ListStreamsInput, options?: CallOptions): Promise<ListStreamsOutput>
  describeStream(request: DescribeStreamInput, options?: CallOptions): Promise<DescribeStreamOutput>
  getShardIterator(request: GetShardIteratorInput, options?: CallOptions): Promise<GetShardIteratorOutput>
  getRecords(request: GetRecordsInput, options?: CallOptions): Promise<GetRecordsOutput>
}

/** Operations on data next to tables that a graph does not use. The AWS SDK's `DynamoDB` is assignable. */
export interface Administration {
  putResourcePolicy(request: PutResourcePolicyInput, options?: CallOptions): Promise<PutResourcePolicyOutput>
  getResourcePolicy(request: GetResourcePolicyInput, options?: CallOptions): Promise<GetResourcePolicyOutput>
  deleteResourcePolicy(request: DeleteResourcePolicyInput, options?: CallOptions): Promise<DeleteResourcePolicyOutput>
  updateContributorInsights(
    request: UpdateContributorInsightsInput,
    options?: CallOptions,
  ): Promise<UpdateContributorInsightsOutput>
  describeContributorInsights(
    request: DescribeContributorInsightsInput,
    options?: CallOptions,
  ): Promise<DescribeContributorInsightsOutput>
  listContributorInsights(
    request: ListContributorInsightsInput,
    options?: CallOptions,
  ): Promise<ListContributorInsightsOutput>
  createGlobalTable(request: CreateGlobalTableInput, options?: CallOptions): Promise<CreateGlobalTableOutput>
  updateGlobalTable(request: UpdateGlobalTableInput, options?: CallOptions): Promise<UpdateGlobalTableOutput>
  describeGlobalTable(request: DescribeGlobalTableInput, options?: CallOptions): Promise<DescribeGlobalTableOutput>
  listGlobalTables(request: ListGlobalTablesInput, options?: CallOptions): Promise<ListGlobalTablesOutput>
  describeGlobalTableSettings(
    request: DescribeGlobalTableSettingsInput,
    options?: CallOptions,
  ): Promise<DescribeGlobalTableSettingsOutput>
  updateGlobalTableSettings(
    request: UpdateGlobalTableSettingsInput,
    options?: CallOptions,
  ): Promise<UpdateGlobalTableSettingsOutput>
  describeTableReplicaAutoScaling(
    request: DescribeTableReplicaAutoScalingInput,
    options?: CallOptions,
  ): Promise<DescribeTableReplicaAutoScalingOutput>
  updateTableReplicaAutoScaling(
    request: UpdateTableReplicaAutoScalingInput,
    options?: CallOptions,
  ): Promise<UpdateTableReplicaAutoScalingOutput>
}

/** The name of a store operation, the same as in DynamoDB. */
export type Operation = keyof Store

/**
 * Backups of tables, and restores. The AWS SDK's `DynamoDB` is assignable; DynamoDB Local has none of these operations.
 */
export interface Backups {
  createBackup(request: CreateBackupInput, options?: CallOptions): Promise<CreateBackupOutput>
  describeBackup(request: DescribeBackupInput, options?: CallOptions): Promise<DescribeBackupOutput>
  listBackups(request: ListBackupsInput, options?: CallOptions): Promise<ListBackupsOutput>
  deleteBackup(request: DeleteBackupInput, options?: CallOptions): Promise<DeleteBackupOutput>
  restoreTableFromBackup(
    request: RestoreTableFromBackupInput,
    options?: CallOptions,
  ): Promise<RestoreTableFromBackupOutput>
  restoreTableToPointInTime(
    request: RestoreTableToPointInTimeInput,
    options?: CallOptions,
  ): Promise<RestoreTableToPointInTimeOutput>
}

/** Exports of tables to S3, and imports from S3. The AWS SDK's `DynamoDB` is a store of this type too. */
export interface Transfers {
  exportTableToPointInTime(
    request: ExportTableToPointInTimeInput,
    options?: CallOptions,
  ): Promise<ExportTableToPointInTimeOutput>
  describeExport(request: DescribeExportInput, options?: CallOptions): Promise<DescribeExportOutput>
  listExports(request: ListExportsInput, options?: CallOptions): Promise<ListExportsOutput>
  importTable(request: ImportTableInput, options?: CallOptions): Promise<ImportTableOutput>
  describeImport(request: DescribeImportInput, options?: CallOptions): Promise<DescribeImportOutput>
  listImports(request: ListImportsInput, options?: CallOptions): Promise<ListImportsOutput>
}

/** Vector searches. The AWS SDK's `DynamoDB` is assignable since 3.1103. */
export interface Vectors {
  searchVectors(request: SearchVectorsInput, options?: CallOptions): Promise<SearchVectorsOutput>
}

/** Every operation of DynamoDB and DynamoDB Streams. */
export type CompleteService = Service & Streams & Vectors & Administration & Backups & Transfers
export type ServiceOperation = keyof CompleteService
/** The request of an operation. */
export type OperationInput<Name extends ServiceOperation> = Parameters<CompleteService[Name]>[0]
/** The response of an operation. */
export type OperationOutput<Name extends ServiceOperation> = CompleteService[Name] extends (
  ...call: never
) => Promise<infer A>
  ? A
  : never
