import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import type { ReadConsistency } from '../dynamodb/capacity.js'
import type { DeferredKeys, FoundEntry } from './read/entries.js'
import type { writeCopies } from './write/effects/copies.js'
import type { RefusalCode } from './write/refusals.js'
import type { WriteToSend } from './write/request.js'

/** One call as the requests that answer it: data, which can be printed, priced and kept. */
export interface Plan {
  readonly steps: readonly PlanStep[]
  readonly answer: AnswerShape
}

/** One request, or one for each page or chunk of what it asks for. */
export interface PlanStep {
  readonly id: number
  /** The steps whose answers it needs; without any it can be sent at once. */
  readonly after: readonly number[]
  readonly request: RequestTemplate
  /** Further pages of a Query or a Scan: until they end, or so many rows were found. */
  readonly pages?: { readonly until: 'end' | number }
  /** It reads what another step found: one item, or a batch for each chunk of them. */
  readonly deferredKeys?: DeferredKeys
  /** Of a write: what it changes, the receipt that it leaves, and all of its request, where nothing is read first. */
  readonly changes?: readonly PlannedChange[]
  readonly receipt?: Receipt | undefined
  readonly writeRequest?: WriteToSend
  /** Of several writes: the positions of those that it is for; of a batch, one for each of its items. */
  readonly calls?: readonly number[]
  /** Where its condition does not hold, the steps of its call are sent again from that one on, the first being 0; so often at least. */
  readonly retry?: { readonly on: 'condition'; readonly from: number; readonly times: number }
  readonly price: Price
  /** What a person should know of it, in words. */
  readonly notes?: readonly string[]
}

/** A request of DynamoDB, by the name of the port's method, in which values may be late. */
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

/** A request's members as plain data; whatever is not known before an answer stands there as Late. */
export type TemplateInput = { readonly [member: string]: unknown }

/** What is filled in from the answers of earlier steps. `late` tells it from plain data. */
export type Deferred =
  /** The keys of items of a kind that were found, or that lie at an end of what was found, each once. */
  | {
      readonly deferred: 'keys'
      readonly selection: RowSelection
      readonly kind: string
      readonly end?: string | undefined
    }
  /** The writes that bring everything derived from an item from its state before to that after a change. */
  | { readonly deferred: 'change'; readonly change: PlannedChange }
  /** Keys that only the edges tell that a step found: of nodes that keep something of them, of mirrors that go. */
  | { readonly deferred: 'dependentKeys'; readonly changes: readonly PlannedChange[] }
  | DeferredCursor

/** A position that an encrypted cursor holds: it is decrypted when the call runs. */
export type DeferredCursor = { readonly deferred: 'cursor' }

/** A change of a node or an edge, of which the state before is read first. */
export interface PlannedChange {
  readonly type: string
  /**
   * `going` marks a node that is being deleted, `stay` takes the mark off, `held` checks that it is there, `gone` deletes
   * what is marked; `absent` checks that a node does not exist; `copy` brings an edge's copies up; `check` writes nothing,
   * and holds the rest to a condition.
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
  /** The slots of its identity. */
  readonly identity: Readonly<Record<string, AttributeValue>>
  /** Of a put, all that it has, by slot; of an update, what becomes of each slot. */
  readonly set: SlotValues
  readonly patch: Readonly<Record<string, ValueChange>>
  readonly etag: string
  /** The time, in seconds since 1970, for what has expired and is there yet. */
  readonly nowSeconds: number
  readonly condition?: WriteCondition | undefined
  readonly returns?: 'old' | 'new' | undefined
  /** Of an edge that is put: the nodes at both ends must be there. */
  readonly ends?: 'check' | undefined
  /** Of `going`: what becomes of the edges; of `stay`: the mark that it takes off; of `held` and `gone`: the one under which it goes. */
  readonly mark?: string | undefined
  /** Of `going`: the stored names under which the node may keep nothing. */
  readonly mustBeEmpty?: readonly string[] | undefined
  /** Of a row that was read and is put again: derived values by slot, which must be what is stored. */
  readonly expectedDerived?: SlotValues | undefined
  /** The slots that were not given: their values were made for this call. */
  readonly generatedSlots?: readonly string[] | undefined
  /** Of a `copy`: what writes it where it is there, which only those weigh who ask for it. */
  readonly compose?: typeof writeCopies
}

/** What a part of a write is about: a node or an edge, and the position of the call among several. */
export interface WriteSubject {
  readonly type: string
  readonly identity: SlotValues
  readonly call: number
  /** Where it keeps a unique value: the attribute. */
  readonly uniqueAttribute?: string | undefined
}

/** An item that tells that a transaction was done: its etag tells what was asked. */
export interface Receipt {
  readonly token: string
  readonly item: Item
  readonly nowSeconds: number
}

export type ValueChange =
  /** Set, added to, elements put before or after those of a list, members put into a set or taken out of it. */
  | {
      readonly kind: 'set' | 'add' | 'append' | 'prepend' | 'include' | 'exclude'
      readonly value: AttributeValue
    }
  | { readonly kind: 'remove' }
  /** Members of a map by their declared names, elements of a list by their positions. */
  | { readonly kind: 'within'; readonly parts: Readonly<Record<string, ValueChange>> }

/** A condition that the caller adds to a write. Its placeholders do not begin with `#w` or `:w`, which are the plan's own. */
export interface WriteCondition {
  readonly expression: string
  readonly names: Readonly<Record<string, string>>
  readonly values: Readonly<Record<string, AttributeValue>>
}

/**
 * What a condition that failed means: the state has moved since it was read, there was nothing to do, it was done
 * before, or a refusal.
 */
export type ConditionOutcome = 'retry' | 'nothing' | 'done' | RefusalCode

/** How answers become what the caller gets. */
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
  /** What the key does not tell: an item that differs there is another. */
  readonly identity?: SlotValues
  /** Of an undirected edge: its ends were asked for the other way around. */
  readonly endsSwapped?: boolean
}

/** Several single reads, answered in the order asked, each from the item with its key. */
export interface SeveralShape {
  readonly shape: 'several'
  readonly of: readonly { readonly key: Key; readonly answer: ItemShape }[]
}

export interface RowsShape {
  readonly shape: 'rows'
  readonly selection: RowSelection
  /** What was found are only entries: this step read the items. */
  readonly wholeItems?: { readonly step: number; readonly kind: string }
  /** Edges are answered as the nodes that another step read, or together with them. */
  readonly nodes?: NodeHydration
  /** Only these of the rows' members. */
  readonly only?: readonly string[] | undefined
  /** Whether an item only lies among the rows, and is none of them. */
  readonly isMisplaced?: (entry: FoundEntry, item: Item) => boolean
}

/** A node by itself, or among other kinds. */
export interface NodeShape {
  readonly step: number
  readonly kind: string
  /** The key of the node in the table. Other nodes of its kind can be among the answers. */
  readonly key: Key
}

/** What a step's answers are sorted by. */
export interface SortOrder {
  readonly attribute: string
  /** How much of it tells nothing of the order. */
  readonly prefixLength: number
  /** Whether no two of all steps sort alike, so that where one is in order all others are as well. */
  readonly strict: boolean
}

/** Which items of which steps' answers are rows, and in which order. */
export interface RowSelection {
  readonly steps: readonly number[]
  /** Several steps are merged by the attributes that each is sorted by. */
  readonly sortOrders?: readonly SortOrder[]
  readonly reverse: boolean
  /** The kind that they are read as. */
  readonly kind: string
  /** Only items with these type marks, where the steps find others too. */
  readonly typeMarks?: readonly string[]
  /** Steps that find an undirected edge from its other end, and as which kind. */
  readonly fromOtherEnd?: { readonly steps: readonly number[]; readonly kind: string }
  /** They were read in the direction that is not asked for. */
  readonly readBackwards?: boolean
  readonly limit?: number | undefined
}

export interface NodeHydration {
  readonly step: number
  readonly as: 'nodes' | 'joined'
  readonly kind: string
  readonly end: string
}

/** Units that a step takes, under `table` or the name of an index, and of which kind its reads are. */
export interface Price {
  readonly requests: number
  readonly read: Readonly<Record<string, number>>
  readonly write: Readonly<Record<string, number>>
  readonly consistency: ReadConsistency | undefined
}
