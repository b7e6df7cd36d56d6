// The declarations of this entry refer to the types of `edgewise/dynamodb`, so the compiler must load that entry too.
export type {} from './dynamodb/index.js'

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
export { type Summary, summary } from './schema/attributes/summary.js'
export { created, updated } from './schema/attributes/timestamps.js'
export { ulid } from './schema/attributes/ulid.js'
export type { Code } from './schema/codes.js'
export { type EdgeType, edge } from './schema/edge/edge.js'
export { type CodeGroup, GraphError } from './schema/error.js'
export type { DetailsByCode, ErrorDetails } from './schema/error-details.js'
export { type AnyType, type Graph, type GraphOptions, graph } from './schema/graph.js'
export { type NodeOptions, type NodeType, node } from './schema/node.js'
export type { EdgeOptions } from './schema/types/edge-options.js'
export type { AnyEdge, EdgeInput, EdgeKey, EdgePatch, EdgeRow } from './schema/types/edge-types.js'
export type { Fault } from './schema/types/fault.js'
export type { AnyNode, NodeId, NodeInput, NodePatch, NodeRow } from './schema/types/node-types.js'

// Stores and their wrappers.

export type { BackoffOptions, Clock } from './store/backoff.js'
export type { TableUsage, Units, Usage } from './store/capacity-usage.js'
export { type MeteredStore, metered } from './store/metered-store.js'
export type { CallOptions, Operation, OperationInput, OperationOutput, Service, Store, Streams } from './store/port.js'
export { type RetryingOptions, retrying } from './store/retry.js'
export { type CallInterceptor, type OperationSender, type WrappedStore, wrap } from './store/wrap.js'

// Operations of patches.

export {
  add,
  append,
  exclude,
  include,
  type PatchOperation,
  prepend,
  remove,
  within,
} from './schema/patch-operations.js'

// Opening a graph, its calls and their types.

export { etagOf } from './graph/calls/row-etag.js'
export type { Caps, TraceEnd, TraceEvent, TraceListener, TraceScope } from './graph/context.js'
export { type OpenOptions, open } from './graph/open.js'
export type {
  Call,
  Consumed,
  DeleteCall,
  EdgeWrite,
  Explanation,
  ItemCall,
  ReadItemOptions,
  Report,
  ReturningNew,
  RunOptions,
  Write,
} from './graph/types/call.js'
export type { Condition, Subject, Test } from './graph/types/condition.js'
export type { EdgeHandleOf } from './graph/types/edge-handle.js'
export type { NodeHandleOf } from './graph/types/node-handle.js'
export type { Closable, Handles, Opened, OpenedOf, Session, Tenants } from './graph/types/opened-graph.js'
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
  FigureOf,
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
export { type Layout, layout } from './layout/layout.js'
export type { IndexOptions, KeyOptions, LayoutOptions, PhysicalLayoutOptions } from './layout/options.js'
export type { ExplainedStep } from './plan/explain.js'
export type { Plan, PlanStep, Price } from './plan/plan.js'
export type { PricedPlan, PricedStep } from './plan/price/plan-price.js'
export { computed } from './schema/transformed/computed.js'
export { type EncryptedOptions, encrypted } from './schema/transformed/encrypted.js'
export { type Mapping, mapped } from './schema/transformed/mapped.js'
export { Secret } from './schema/transformed/secret.js'
export type { LeftOut } from './traverse/budget-usage.js'
export type { Similarity } from './traverse/neighbors.js'
export type { Aggregate } from './traverse/results/aggregate.js'
export type { DepthCount } from './traverse/results/nodes-and-paths.js'
export type { TraversalData, TraversalStep } from './traverse/traversal.js'
export type { Degree, Degrees, Estimate, ExplainedWave } from './traverse/wave-estimates.js'
