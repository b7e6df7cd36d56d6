import type {
  BatchGetItemAnswer,
  BatchGetItemRequest,
  BatchWriteItemAnswer,
  BatchWriteItemRequest,
} from '../dynamodb/operations/batches.js'
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

export interface CallOptions {
  /** Never undefined when given: the AWS SDK's options are declared so, and its client is to be a store as it is. */
  abortSignal?: AbortSignal
}

/** DynamoDB's operations by their own names and shapes. The AWS SDK's aggregated client `DynamoDB` is one as it is. */
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
  deleteTable(request: DeleteTableRequest, options?: CallOptions): Promise<DeleteTableAnswer>
  listTables(request: ListTablesRequest, options?: CallOptions): Promise<ListTablesAnswer>
  updateTimeToLive(request: UpdateTimeToLiveRequest, options?: CallOptions): Promise<UpdateTimeToLiveAnswer>
  describeTimeToLive(request: DescribeTimeToLiveRequest, options?: CallOptions): Promise<DescribeTimeToLiveAnswer>
}

export type Operation = keyof Store
export type Request<Name extends Operation> = Parameters<Store[Name]>[0]
export type Answer<Name extends Operation> = Store[Name] extends (...call: never) => Promise<infer A> ? A : never
