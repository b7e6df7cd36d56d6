export type { AttributeType, AttributeValue, Item, Key } from './dynamodb/attribute-value.js'
export type { CancellationReason, ServiceException } from './dynamodb/exception.js'
export type {
  BatchGetItemAnswer,
  BatchGetItemRequest,
  BatchWriteItemAnswer,
  BatchWriteItemRequest,
  KeysAndAttributes,
  WriteRequest,
} from './dynamodb/operations/batches.js'
export type { ConsumedCapacity, ItemCollectionMetrics } from './dynamodb/operations/capacity.js'
export type {
  DeleteItemAnswer,
  DeleteItemRequest,
  GetItemAnswer,
  GetItemRequest,
  PutItemAnswer,
  PutItemRequest,
  UpdateItemAnswer,
  UpdateItemRequest,
} from './dynamodb/operations/items.js'
export type { QueryAnswer, QueryRequest, ScanAnswer, ScanRequest } from './dynamodb/operations/reads.js'
export type { TableDescription } from './dynamodb/operations/table-description.js'
export type {
  CreateTableAnswer,
  CreateTableRequest,
  DeleteTableAnswer,
  DeleteTableRequest,
  DescribeTableAnswer,
  DescribeTableRequest,
  ListTablesAnswer,
  ListTablesRequest,
} from './dynamodb/operations/tables.js'
export type {
  DescribeTimeToLiveAnswer,
  DescribeTimeToLiveRequest,
  UpdateTimeToLiveAnswer,
  UpdateTimeToLiveRequest,
} from './dynamodb/operations/time-to-live.js'
export type {
  TransactGetItem,
  TransactGetItemsAnswer,
  TransactGetItemsRequest,
  TransactWriteItem,
  TransactWriteItemsAnswer,
  TransactWriteItemsRequest,
} from './dynamodb/operations/transactions.js'
export type { BackoffOptions, Clock } from './store/backoff.js'
export type { TableUsage, Units, Usage } from './store/meter.js'
export { type Metered, metered } from './store/metered.js'
export type { Answer, CallOptions, Operation, Request, Store } from './store/port.js'
export { type RetryingOptions, retrying } from './store/retrying.js'
export { type Around, type Send, wrap } from './store/wrap.js'
