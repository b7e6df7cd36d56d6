// In the order of the rooms: what is declared stands near what it is made of, and a bundle of it packs smaller.

export type { AttributeType, AttributeValue, Item, Key } from './dynamodb/attribute-value.js'
export type { CancellationReason, ServiceException, ThrottlingReason } from './dynamodb/exception.js'
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
  AttributeDefinition,
  GlobalSecondaryIndex,
  GlobalSecondaryIndexDescription,
  KeySchemaElement,
  LocalSecondaryIndex,
  LocalSecondaryIndexDescription,
  Projection,
} from './dynamodb/operations/indexes.js'
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
export type {
  ChangeRecord,
  DescribeStreamAnswer,
  DescribeStreamRequest,
  GetRecordsAnswer,
  GetRecordsRequest,
  GetShardIteratorAnswer,
  GetShardIteratorRequest,
  ListStreamsAnswer,
  ListStreamsRequest,
  Shard,
  StreamDescription,
  StreamRecord,
  StreamSummary,
} from './dynamodb/operations/streams.js'
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
export type {
  GlobalSecondaryIndexUpdate,
  UpdateTableAnswer,
  UpdateTableRequest,
} from './dynamodb/operations/update-table.js'
export type { Attribute } from './schema/attribute.js'
export { bigint } from './schema/attributes/bigint.js'
export { binary } from './schema/attributes/binary.js'
export { boolean } from './schema/attributes/boolean.js'
export { type Counter, counter } from './schema/attributes/counter.js'
export { date } from './schema/attributes/date.js'
export { day, yearMonth } from './schema/attributes/day.js'
export { type Decimal, decimal } from './schema/attributes/decimal.js'
export { type Embedded, embedded } from './schema/attributes/embedded.js'
export { fixedText } from './schema/attributes/fixed-text.js'
export { integer } from './schema/attributes/integer.js'
export { type Json, json } from './schema/attributes/json.js'
export { list } from './schema/attributes/list.js'
export { map } from './schema/attributes/map.js'
export { number } from './schema/attributes/number.js'
export { oneOf } from './schema/attributes/one-of.js'
export { set } from './schema/attributes/set.js'
export { string } from './schema/attributes/string.js'
export { created, updated } from './schema/attributes/timestamps.js'
export { ulid } from './schema/attributes/ulid.js'
export { type EdgeType, edge } from './schema/edge.js'
export { type ErrorDetails, GraphError } from './schema/error.js'
export { type AnyType, type Graph, type GraphOptions, graph } from './schema/graph.js'
export { type NodeOptions, type NodeType, node } from './schema/node.js'
export type { EdgeOptions } from './schema/types/edge-options.js'
export type { Fault } from './schema/types/fault.js'
export type { AnyNode, IdOf as NodeId, NodeGiven, NodePatch, NodeRow } from './schema/types/identity.js'
export type { AnyEdge, EdgeGiven, EdgeKey, EdgePatch, EdgeRow } from './schema/types/neighbours.js'

// What it is kept in.

export type { BackoffOptions, Clock } from './store/backoff.js'
export type { TableUsage, Units, Usage } from './store/meter.js'
export { type Metered, metered } from './store/metered.js'
export type { Answer, CallOptions, Operation, Request, Service, Store, Streams } from './store/port.js'
export { type RetryingOptions, retrying } from './store/retrying.js'
export { type Around, type Send, type Wrapped, wrap } from './store/wrap.js'

// What patches say.

export {
  add,
  append,
  exclude,
  include,
  type Operation as PatchOperation,
  prepend,
  remove,
  within,
} from './schema/operations.js'

// And what is done with it.

export type { Caps, Ended, Listener, Traced, TraceScope } from './graph/context.js'
export { etagOf } from './graph/etags.js'
export { type OpenOptions, open } from './graph/open.js'
export type {
  Call,
  Consumed,
  EdgeWrite,
  Explanation,
  ReadItem,
  Removal,
  Renewed,
  Report,
  RunOptions,
  Single,
  Write,
} from './graph/types/call.js'
export type { Condition, Subject, Test } from './graph/types/condition.js'
export type { EdgeHandleOf } from './graph/types/edge-handle.js'
export type { NodeHandleOf } from './graph/types/node-handle.js'
export type { Closing, Handles, Opened, OpenedOf, Session, Tenants } from './graph/types/opened.js'
export type { EdgeQuery, Joined, Page, Path, Query, Rows, Scan } from './graph/types/query.js'
export type {
  CommonOptions,
  NeighborOptions,
  Route,
  RouteOptions,
  Searches,
  WeightedRouteOptions,
} from './graph/types/searches.js'
export type {
  BudgetOptions,
  GraphPath,
  PartialResult,
  Ranked,
  RankedNode,
  RepeatOptions,
  Subtree,
  Traversal,
  TraversalCall,
  TraversalExplanation,
  TreeNode,
} from './graph/types/traversal.js'
export type { GivenIndex, GivenKeys, Physical, PhysicalOptions } from './layout/given.js'
export { type Layout, layout } from './layout/layout.js'
export type { ExplainedStep } from './plan/explain.js'
export type { Plan, Price, Step as PlanStep } from './plan/plan.js'
export { computed } from './schema/transformed/computed.js'
export { type EncryptedOptions, encrypted } from './schema/transformed/encrypted.js'
export { type Mapping, mapped } from './schema/transformed/mapped.js'
export { Secret } from './schema/transformed/secret.js'
export type { Degree, Degrees, Estimate, ExplainedWave } from './traverse/explain.js'
export type { Similarity } from './traverse/neighbors.js'
export type { Aggregate } from './traverse/results/aggregate.js'
export type { DepthCount } from './traverse/results/reached.js'
export type { LeftOut } from './traverse/spending.js'
export type { Traversal as TraversalData, TraversalStep } from './traverse/traversal.js'
