import type {
  DescribeEndpointsAnswer,
  DescribeEndpointsRequest,
  DescribeLimitsAnswer,
  DescribeLimitsRequest,
} from '../dynamodb/operations/account.js'
import type {
  CreateBackupAnswer,
  CreateBackupRequest,
  DeleteBackupAnswer,
  DeleteBackupRequest,
  DescribeBackupAnswer,
  DescribeBackupRequest,
  ListBackupsAnswer,
  ListBackupsRequest,
  RestoreTableFromBackupAnswer,
  RestoreTableFromBackupRequest,
  RestoreTableToPointInTimeAnswer,
  RestoreTableToPointInTimeRequest,
} from '../dynamodb/operations/backups.js'
import type {
  BatchGetItemAnswer,
  BatchGetItemRequest,
  BatchWriteItemAnswer,
  BatchWriteItemRequest,
} from '../dynamodb/operations/batches.js'
import type {
  DescribeContinuousBackupsAnswer,
  DescribeContinuousBackupsRequest,
  UpdateContinuousBackupsAnswer,
  UpdateContinuousBackupsRequest,
} from '../dynamodb/operations/continuous-backups.js'
import type {
  DescribeContributorInsightsAnswer,
  DescribeContributorInsightsRequest,
  ListContributorInsightsAnswer,
  ListContributorInsightsRequest,
  UpdateContributorInsightsAnswer,
  UpdateContributorInsightsRequest,
} from '../dynamodb/operations/contributor-insights.js'
import type {
  DescribeGlobalTableSettingsAnswer,
  DescribeGlobalTableSettingsRequest,
  UpdateGlobalTableSettingsAnswer,
  UpdateGlobalTableSettingsRequest,
} from '../dynamodb/operations/global-table-settings.js'
import type {
  CreateGlobalTableAnswer,
  CreateGlobalTableRequest,
  DescribeGlobalTableAnswer,
  DescribeGlobalTableRequest,
  DescribeTableReplicaAutoScalingAnswer,
  DescribeTableReplicaAutoScalingRequest,
  ListGlobalTablesAnswer,
  ListGlobalTablesRequest,
  UpdateGlobalTableAnswer,
  UpdateGlobalTableRequest,
  UpdateTableReplicaAutoScalingAnswer,
  UpdateTableReplicaAutoScalingRequest,
} from '../dynamodb/operations/global-tables.js'
import type {
  DeleteItemAnswer,
  DeleteItemRequest,
  GetItemAnswer,
  GetItemRequest,
  PutItemAnswer,
  PutItemRequest,
  UpdateItemAnswer,
  UpdateItemRequest,
} from '../dynamodb/operations/items.js'
import type { QueryAnswer, QueryRequest, ScanAnswer, ScanRequest } from '../dynamodb/operations/reads.js'
import type {
  DeleteResourcePolicyAnswer,
  DeleteResourcePolicyRequest,
  GetResourcePolicyAnswer,
  GetResourcePolicyRequest,
  PutResourcePolicyAnswer,
  PutResourcePolicyRequest,
} from '../dynamodb/operations/resource-policies.js'
import type {
  BatchExecuteStatementAnswer,
  BatchExecuteStatementRequest,
  ExecuteStatementAnswer,
  ExecuteStatementRequest,
  ExecuteTransactionAnswer,
  ExecuteTransactionRequest,
} from '../dynamodb/operations/statements.js'
import type {
  DescribeStreamAnswer,
  DescribeStreamRequest,
  GetRecordsAnswer,
  GetRecordsRequest,
  GetShardIteratorAnswer,
  GetShardIteratorRequest,
  ListStreamsAnswer,
  ListStreamsRequest,
} from '../dynamodb/operations/streams.js'
import type {
  CreateTableAnswer,
  CreateTableRequest,
  DeleteTableAnswer,
  DeleteTableRequest,
  DescribeTableAnswer,
  DescribeTableRequest,
  ListTablesAnswer,
  ListTablesRequest,
} from '../dynamodb/operations/tables.js'
import type {
  ListTagsOfResourceAnswer,
  ListTagsOfResourceRequest,
  TagResourceAnswer,
  TagResourceRequest,
  UntagResourceAnswer,
  UntagResourceRequest,
} from '../dynamodb/operations/tags.js'
import type {
  DescribeTimeToLiveAnswer,
  DescribeTimeToLiveRequest,
  UpdateTimeToLiveAnswer,
  UpdateTimeToLiveRequest,
} from '../dynamodb/operations/time-to-live.js'
import type {
  TransactGetItemsAnswer,
  TransactGetItemsRequest,
  TransactWriteItemsAnswer,
  TransactWriteItemsRequest,
} from '../dynamodb/operations/transactions.js'
import type { UpdateTableAnswer, UpdateTableRequest } from '../dynamodb/operations/update-table.js'
import type { SearchVectorsAnswer, SearchVectorsRequest } from '../dynamodb/operations/vectors.js'
import type { AbortSignalLike } from './abort-signal.js'

/** What a call may be given beside its request. */
export interface CallOptions {
  /** Never undefined when given: the AWS SDK's options are declared so, and its client is to be a store as it is. */
  abortSignal?: AbortSignalLike
  /** The region that the caller knows the store by, to be shown in ARNs and stream records. A client of AWS has its own. */
  region?: string
}

/**
 * What a graph needs of DynamoDB, by its own names and shapes. The AWS SDK's aggregated client `DynamoDB` is one as it
 * is.
 */
export interface Store {
  getItem(request: GetItemRequest, options?: CallOptions): Promise<GetItemAnswer>
  putItem(request: PutItemRequest, options?: CallOptions): Promise<PutItemAnswer>
  updateItem(request: UpdateItemRequest, options?: CallOptions): Promise<UpdateItemAnswer>
  deleteItem(request: DeleteItemRequest, options?: CallOptions): Promise<DeleteItemAnswer>
  batchGetItem(request: BatchGetItemRequest, options?: CallOptions): Promise<BatchGetItemAnswer>
  batchWriteItem(request: BatchWriteItemRequest, options?: CallOptions): Promise<BatchWriteItemAnswer>
  transactGetItems(request: TransactGetItemsRequest, options?: CallOptions): Promise<TransactGetItemsAnswer>
  transactWriteItems(request: TransactWriteItemsRequest, options?: CallOptions): Promise<TransactWriteItemsAnswer>
  query(request: QueryRequest, options?: CallOptions): Promise<QueryAnswer>
  scan(request: ScanRequest, options?: CallOptions): Promise<ScanAnswer>
  createTable(request: CreateTableRequest, options?: CallOptions): Promise<CreateTableAnswer>
  describeTable(request: DescribeTableRequest, options?: CallOptions): Promise<DescribeTableAnswer>
  updateTable(request: UpdateTableRequest, options?: CallOptions): Promise<UpdateTableAnswer>
  deleteTable(request: DeleteTableRequest, options?: CallOptions): Promise<DeleteTableAnswer>
  listTables(request: ListTablesRequest, options?: CallOptions): Promise<ListTablesAnswer>
  updateTimeToLive(request: UpdateTimeToLiveRequest, options?: CallOptions): Promise<UpdateTimeToLiveAnswer>
  describeTimeToLive(request: DescribeTimeToLiveRequest, options?: CallOptions): Promise<DescribeTimeToLiveAnswer>
}

/** All of DynamoDB that the engine answers. The AWS SDK's `DynamoDB` is one as it is. */
export interface Service extends Store {
  executeStatement(request: ExecuteStatementRequest, options?: CallOptions): Promise<ExecuteStatementAnswer>
  batchExecuteStatement(
    request: BatchExecuteStatementRequest,
    options?: CallOptions,
  ): Promise<BatchExecuteStatementAnswer>
  executeTransaction(request: ExecuteTransactionRequest, options?: CallOptions): Promise<ExecuteTransactionAnswer>
  tagResource(request: TagResourceRequest, options?: CallOptions): Promise<TagResourceAnswer>
  untagResource(request: UntagResourceRequest, options?: CallOptions): Promise<UntagResourceAnswer>
  listTagsOfResource(request: ListTagsOfResourceRequest, options?: CallOptions): Promise<ListTagsOfResourceAnswer>
  describeLimits(request: DescribeLimitsRequest, options?: CallOptions): Promise<DescribeLimitsAnswer>
  describeEndpoints(request: DescribeEndpointsRequest, options?: CallOptions): Promise<DescribeEndpointsAnswer>
  describeContinuousBackups(
    request: DescribeContinuousBackupsRequest,
    options?: CallOptions,
  ): Promise<DescribeContinuousBackupsAnswer>
  updateContinuousBackups(
    request: UpdateContinuousBackupsRequest,
    options?: CallOptions,
  ): Promise<UpdateContinuousBackupsAnswer>
}

/** DynamoDB Streams, a service of its own. The AWS SDK's aggregated client `DynamoDBStreams` is one as it is. */
export interface Streams {
  listStreams(request: ListStreamsRequest, options?: CallOptions): Promise<ListStreamsAnswer>
  describeStream(request: DescribeStreamRequest, options?: CallOptions): Promise<DescribeStreamAnswer>
  getShardIterator(request: GetShardIteratorRequest, options?: CallOptions): Promise<GetShardIteratorAnswer>
  getRecords(request: GetRecordsRequest, options?: CallOptions): Promise<GetRecordsAnswer>
}

/** What is kept beside tables and is of no use to a graph. The AWS SDK's `DynamoDB` is such a store too. */
export interface Administration {
  putResourcePolicy(request: PutResourcePolicyRequest, options?: CallOptions): Promise<PutResourcePolicyAnswer>
  getResourcePolicy(request: GetResourcePolicyRequest, options?: CallOptions): Promise<GetResourcePolicyAnswer>
  deleteResourcePolicy(request: DeleteResourcePolicyRequest, options?: CallOptions): Promise<DeleteResourcePolicyAnswer>
  updateContributorInsights(
    request: UpdateContributorInsightsRequest,
    options?: CallOptions,
  ): Promise<UpdateContributorInsightsAnswer>
  describeContributorInsights(
    request: DescribeContributorInsightsRequest,
    options?: CallOptions,
  ): Promise<DescribeContributorInsightsAnswer>
  listContributorInsights(
    request: ListContributorInsightsRequest,
    options?: CallOptions,
  ): Promise<ListContributorInsightsAnswer>
  createGlobalTable(request: CreateGlobalTableRequest, options?: CallOptions): Promise<CreateGlobalTableAnswer>
  updateGlobalTable(request: UpdateGlobalTableRequest, options?: CallOptions): Promise<UpdateGlobalTableAnswer>
  describeGlobalTable(request: DescribeGlobalTableRequest, options?: CallOptions): Promise<DescribeGlobalTableAnswer>
  listGlobalTables(request: ListGlobalTablesRequest, options?: CallOptions): Promise<ListGlobalTablesAnswer>
  describeGlobalTableSettings(
    request: DescribeGlobalTableSettingsRequest,
    options?: CallOptions,
  ): Promise<DescribeGlobalTableSettingsAnswer>
  updateGlobalTableSettings(
    request: UpdateGlobalTableSettingsRequest,
    options?: CallOptions,
  ): Promise<UpdateGlobalTableSettingsAnswer>
  describeTableReplicaAutoScaling(
    request: DescribeTableReplicaAutoScalingRequest,
    options?: CallOptions,
  ): Promise<DescribeTableReplicaAutoScalingAnswer>
  updateTableReplicaAutoScaling(
    request: UpdateTableReplicaAutoScalingRequest,
    options?: CallOptions,
  ): Promise<UpdateTableReplicaAutoScalingAnswer>
}

/** The name of an operation of a store, as DynamoDB has it. */
export type Operation = keyof Store

/** Backups of tables, and restores. The AWS SDK's `DynamoDB` is such a store too; DynamoDB Local has none of it. */
export interface Backups {
  createBackup(request: CreateBackupRequest, options?: CallOptions): Promise<CreateBackupAnswer>
  describeBackup(request: DescribeBackupRequest, options?: CallOptions): Promise<DescribeBackupAnswer>
  listBackups(request: ListBackupsRequest, options?: CallOptions): Promise<ListBackupsAnswer>
  deleteBackup(request: DeleteBackupRequest, options?: CallOptions): Promise<DeleteBackupAnswer>
  restoreTableFromBackup(
    request: RestoreTableFromBackupRequest,
    options?: CallOptions,
  ): Promise<RestoreTableFromBackupAnswer>
  restoreTableToPointInTime(
    request: RestoreTableToPointInTimeRequest,
    options?: CallOptions,
  ): Promise<RestoreTableToPointInTimeAnswer>
}

/** Searches of vectors. The AWS SDK's `DynamoDB` is such a store too, since 3.1103. */
export interface Vectors {
  searchVectors(request: SearchVectorsRequest, options?: CallOptions): Promise<SearchVectorsAnswer>
}

/** All that there is. */
export type Every = Service & Streams & Vectors & Administration & Backups
export type ServiceOperation = keyof Every
/** What an operation is given. */
export type Request<Name extends ServiceOperation> = Parameters<Every[Name]>[0]
/** What an operation answers with. */
export type Answer<Name extends ServiceOperation> = Every[Name] extends (...call: never) => Promise<infer A> ? A : never
