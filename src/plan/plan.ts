import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { ReadConsistency } from '../dynamodb/capacity.js'
import type { DeferredKeys } from './read/entries.js'
import type { RefusalCode } from './write/refusals.js'
import type { WriteToSend } from './write/request.js'

/**
 * A call as the requests that answer it. A plan is plain data, without functions, so that it can be printed, priced,
 * copied and stored.
 */
export interface Plan {
  readonly steps: readonly PlanStep[]
  readonly answer: AnswerShape
}

/** One request, or one request for each page or chunk. */
export interface PlanStep {
  readonly id: number
  /** The steps whose responses this step needs. A step with an empty list can be sent immediately. */
  readonly after: readonly number[]
  /** Of a write that depends on items, an outline: its items become known when it is priced, or after they are read. */
  readonly request: RequestTemplate
  /** Further pages of a Query or a Scan are read until the last page, or until this many rows are found. */
  readonly pages?: { readonly until: 'end' | number }
  /** The step reads items that another step found: one item, or one batch for each chunk of keys. */
  readonly deferredKeys?: DeferredKeys
  /** Of a read: the expected result, by which it is priced. */
  readonly expected?: ExpectedRead
  /** A write's changes, its receipt, and the complete request when no read precedes it. */
  readonly changes?: readonly PlannedChange[]
  readonly receipt?: Receipt | undefined
  readonly writeRequest?: WriteToSend
  /** Of a batch of writes: the step of each write. */
  readonly batched?: readonly PlanStep[]
  /** The row of an upsert is known to be missing, so the store refuses the request. */
  readonly isRefused?: boolean
  /** Of several writes, the positions of the calls that the step serves; of a batch, one position for each item. */
  readonly calls?: readonly number[]
  /**
   * When the condition of the step fails, the call is retried from step `from` (0 is the first) at least `times`
   * times.
   */
  readonly retry?: { readonly on: 'condition'; readonly from: number; readonly times: number }
  /** Remarks for the reader of the explanation. */
  readonly notes?: readonly string[]
}

/** The number and the size of the items that a read is expected to read. */
export interface ExpectedRead {
  readonly items: number
  readonly itemBytes: number
  readonly consistency: ReadConsistency
}

/** A DynamoDB request by the name of the store's method. Some of its values may be deferred. */
export interface RequestTemplate {
  readonly operation: PlanOperation
  readonly input: TemplateInput
}

export type PlanOperation =
  | 'getItem'
  | 'query'
  | 'scan'
  | 'batchGetItem'
  | 'transactGetItems'
  | 'putItem'
  | 'updateItem'
  | 'deleteItem'
  | 'batchWriteItem'
  | 'transactWriteItems'

/** The members of a request as plain data. A value that depends on an earlier response is a `Deferred`. */
export type TemplateInput = { readonly [member: string]: unknown }

/**
 * A value that is filled in from responses of earlier steps. The member `deferred` distinguishes it from plain data.
 */
export type Deferred =
  /**
   * The distinct keys of the items of a kind that were found, or of the nodes at an end of the edges that were found.
   */
  | {
      readonly deferred: 'keys'
      readonly selection: RowSelection
      readonly kind: string
      readonly end?: string | undefined
    }
  /** The writes that bring all data derived from an item up to date after a change. */
  | { readonly deferred: 'change'; readonly change: PlannedChange }
  /**
   * Keys that are known only from the edges that a step found: nodes with aggregates of the edges, and obsolete
   * mirrors.
   */
  | { readonly deferred: 'dependentKeys'; readonly changes: readonly PlannedChange[] }
  /** The keys of the edges above edges of a tree. Each edge names the next. */
  | {
      readonly deferred: 'ancestors'
      readonly changes: readonly PlannedChange[]
      readonly all: readonly PlannedChange[]
    }
  | DeferredCursor

/** A position inside an encrypted cursor, which is decrypted when the call runs. */
export type DeferredCursor = { readonly deferred: 'cursor' }

/** A change of a node or an edge. The current state is read first. */
export interface PlannedChange {
  readonly type: string
  /**
   * `markDeleting` marks a node that is being deleted, `unmarkDeleting` removes the mark, `requireMark` checks that
   * the mark exists, and `deleteMarked` deletes the marked node. `absent` checks that a node does not exist, `copy`
   * updates the copies on an edge, and `check` writes nothing and adds a condition to the transaction.
   */
  readonly verb:
    | 'create'
    | 'put'
    | 'update'
    | 'delete'
    | 'check'
    | 'markDeleting'
    | 'unmarkDeleting'
    | 'requireMark'
    | 'deleteMarked'
    | 'absent'
    | 'copy'
  /** The slots of the identity. */
  readonly identity: Readonly<Record<string, AttributeValue>>
  /** The key of the row's own item. */
  readonly key: Key
  /** Of a put, all values by slot; of an update, the change of each slot. */
  readonly set: SlotValues
  readonly patch: Readonly<Record<string, ValueChange>>
  readonly etag: string
  /** The current time in seconds since 1970. It identifies expired items that DynamoDB has not removed yet. */
  readonly nowSeconds: number
  readonly condition?: WriteCondition | undefined
  readonly returns?: 'old' | 'new' | undefined
  /** Of a put edge: requires the nodes at both ends to exist. */
  readonly ends?: 'check' | undefined
  /** Of `markDeleting`, the policy for the edges; of the other mark verbs, the mark that the node must have. */
  readonly mark?: string | undefined
  /** Of `markDeleting`: the stored names of aggregates that must be empty. */
  readonly mustBeEmpty?: readonly string[] | undefined
  /** Of a row that was read and is put again: derived values by slot, which must equal the stored values. */
  readonly expectedDerived?: SlotValues | undefined
  /** The slots whose values edgewise generated for this call. */
  readonly generatedSlots?: readonly string[] | undefined
}

/** The node or edge that an item write belongs to, and the position of its call among several. */
export interface WriteSubject {
  readonly type: string
  readonly identity: SlotValues
  readonly call: number
  /** The attribute whose unique value the item reserves. */
  readonly uniqueAttribute?: string | undefined
}

/** An item that records a completed transaction. Its etag is a digest of the requested changes. */
export interface Receipt {
  readonly token: string
  readonly item: Item
  readonly nowSeconds: number
}

export type ValueChange =
  /** Sets a value, adds to it, appends or prepends list elements, or adds or removes set elements. */
  | {
      readonly kind: 'set' | 'add' | 'append' | 'prepend' | 'include' | 'exclude'
      readonly value: AttributeValue
    }
  | { readonly kind: 'remove' }
  /** Changes of map members by declared name, or of list elements by position. */
  | { readonly kind: 'within'; readonly parts: Readonly<Record<string, ValueChange>> }

/**
 * A condition that the caller adds to a write. Its placeholders must not begin with `#w` or `:w`, which the plan
 * uses.
 */
export interface WriteCondition {
  readonly expression: string
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, AttributeValue>>
}

/** The meaning of a failed condition: a concurrent change, nothing to do, already done, or a refusal. */
export type ConditionOutcome = 'retry' | 'nothing' | 'done' | RefusalCode

/** How responses become the result of the call. */
export type AnswerShape =
  | { readonly shape: 'nothing' }
  | ItemShape
  | SeveralShape
  | RowsShape
  | { readonly shape: 'count'; readonly rows?: RowsShape | undefined }
  | { readonly shape: 'collection'; readonly node: NodeShape; readonly parts: Readonly<Record<string, RowsShape>> }

/** Stored values by slot. */
export type SlotValues = Readonly<Record<string, AttributeValue>>

export interface ItemShape {
  readonly shape: 'row' | 'exists'
  readonly step: number
  readonly kind: string
  /** Identity slots that the key does not contain. An item with other values is a different row. */
  readonly identity?: SlotValues
  /** Of an undirected edge: the caller gave its ends in reverse order. */
  readonly endsSwapped?: boolean
}

/** Several single reads. The results have the order of the input, and each key identifies its item. */
export interface SeveralShape {
  readonly shape: 'several'
  readonly of: readonly { readonly key: Key; readonly answer: ItemShape }[]
}

export interface RowsShape {
  readonly shape: 'rows'
  readonly selection: RowSelection
  /** The entries found are pointers; this step reads the whole items. */
  readonly wholeItems?: { readonly step: number; readonly kind: string }
  /** The result holds the nodes at the other end, in place of the edges or joined with them. */
  readonly nodes?: NodeHydration
  /** The members that the result keeps. */
  readonly only?: readonly string[] | undefined
  /**
   * The result holds only edges and owned nodes of the node with this key, at this end. Other programs may store items
   * in the range that is read, and an index entry with a stale key may belong to another node.
   */
  readonly ofNode?: { readonly end: string; readonly key: Key }
}

/** A single node, possibly among items of other kinds. */
export interface NodeShape {
  readonly step: number
  readonly kind: string
  /** The key of the node in the table. The responses may contain other nodes of the same kind. */
  readonly key: Key
}

/** The attributes that a step's responses are sorted by. */
export interface SortOrder {
  readonly attribute: string
  /** The length of the prefix that all sort keys share. It does not affect the order. */
  readonly prefixLength: number
  /**
   * Whether sort values are unique across all steps, so that a position in one step determines the position in the
   * others.
   */
  readonly strict: boolean
}

/** The items that become rows, by step, and their order. */
export interface RowSelection {
  readonly steps: readonly number[]
  /** Of several steps: the sort attributes of each, by which the steps are merged. */
  readonly sortOrders?: readonly SortOrder[]
  readonly reverse: boolean
  /** The kind that decodes the items. */
  readonly kind: string
  /** Keeps only items with these type marks, when the steps find other items too. */
  readonly typeMarks?: readonly string[]
  /** The steps that find an undirected edge from its other end, and the kind that decodes their items. */
  readonly fromOtherEnd?: { readonly steps: readonly number[]; readonly kind: string }
  /** The step reads in the opposite direction of the result. */
  readonly readBackwards?: boolean
  readonly limit?: number | undefined
}

export interface NodeHydration {
  readonly step: number
  readonly as: 'nodes' | 'joined'
  readonly kind: string
  readonly end: string
}

/** Capacity units of a step by `table` or index name, and the consistency of its reads. */
export interface Price {
  readonly requests: number
  readonly read: Readonly<Record<string, number>>
  readonly write: Readonly<Record<string, number>>
  readonly consistency: ReadConsistency | undefined
}
