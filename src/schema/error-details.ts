import type { Code } from './codes.js'

/** The details of an error, as far as they are known. */
export interface ErrorDetails {
  /** The type of the node or edge. */
  readonly type?: string
  /** The attribute, end, path or option. */
  readonly name?: string
  /** The path from the type down to the value: `movie.year`. */
  readonly path?: string
  readonly value?: unknown
  /** The index of the call within its transaction. */
  readonly call?: number
  /** The calls of a batch that failed. */
  readonly failed?: readonly { readonly call: number; readonly error: unknown }[]
  /** The differences between the layout of the table and the declared layout. */
  readonly changes?: readonly string[]
  /** The issues that a validator reported. */
  readonly issues?: readonly { readonly message: string }[]
}

/** The details of an error about an attribute, an end, a path or an option of a node or an edge. */
export interface MemberDetails extends ErrorDetails {
  readonly type: string
  readonly name: string
}

/** The details of a write that the stored state refuses. */
export interface RefusalDetails extends ErrorDetails {
  readonly type: string
  /** The identity of the node or the edge, as it is stored. */
  readonly value: Readonly<Record<string, unknown>>
}

/** The details of an error about a value. */
export interface ValueDetails extends ErrorDetails {
  readonly path: string
}

/** The details of an error about a key or its template. */
export interface KeyDetails extends ErrorDetails {
  readonly template?: string
  /** The slot of the template that is at fault. */
  readonly slot?: string | undefined
  /** The key attribute of the table or of an index. */
  readonly attribute?: string
  readonly sizeBytes?: number
  readonly maxBytes?: number
}

/** Keys that violate a rule, with the values that make them on both sides. */
export interface Counterexample {
  /** One key, or the partition key and the sort key. */
  readonly texts: readonly string[]
  readonly left: Readonly<Record<string, string>>
  readonly right: Readonly<Record<string, string>>
  /** Whether the values make all of these keys at once. */
  readonly isCertain: boolean
}

/** A violation: the kinds, the read if it returns too much, and an example. */
export interface ProofFault extends ErrorDetails {
  /** The table or the index. */
  readonly space: string
  readonly kinds: readonly [string, string]
  readonly query: string | undefined
  readonly example: Counterexample
}

/** A kind of items whose entries in an index can have equal keys. */
export interface LooseOrder extends ErrorDetails {
  readonly index: string
  readonly kind: string
  readonly missingSlots: readonly string[]
}

type MemberCode =
  | 'attribute.computed'
  | 'condition.key'
  | 'edge.carry'
  | 'edge.carry.sync'
  | 'edge.closure'
  | 'edge.count'
  | 'edge.embed'
  | 'edge.embed.max'
  | 'edge.end'
  | 'edge.ends'
  | 'edge.into'
  | 'edge.shadow'
  | 'edge.tree'
  | 'edge.undirected'
  | 'graph.derived'
  | 'graph.missing'
  | 'key.identity'
  | 'layout.name'
  | 'layout.path'
  | 'node.cascade'
  | 'node.id'
  | 'node.owns'
  | 'node.shadow'
  | 'node.strict'
  | 'option.attribute'
  | 'option.expires'
  | 'option.onDelete'
  | 'option.unknown'
  | 'path.parts'
  | 'path.shards'
  | 'path.way'
  | 'read.consistent'
  | 'read.filter'
  | 'read.part'
  | 'stored.key'
  | 'traverse.weight'
  | 'write.empty'
  | 'write.key'
  | 'write.operation'
  | 'write.unknown'

type RefusalCode =
  | 'edge.carry.absent'
  | 'edge.embed.full'
  | 'edge.end.absent'
  | 'edge.one'
  | 'node.deleting'
  | 'node.restored'
  | 'node.uncounted'
  | 'owner.absent'
  | 'tree.cycle'
  | 'tree.depth'
  | 'write.absent'
  | 'write.condition'
  | 'write.exists'
  | 'write.token'

type ValueCode = Extract<Code, `value.${string}`> | 'stored.inexact' | 'stored.type'

type KeyCode = Exclude<Extract<Code, `key.${string}`>, MemberCode | 'key.order' | ProofCode>

type ProofCode = 'key.ambiguous' | 'key.collision' | 'key.mixed'

type NameCode = 'batch.source' | 'layout.index' | 'name.duplicate' | 'name.invalid' | 'name.reserved'

type TypeCode = 'layout.type' | 'node.edges' | 'read.unfinished' | 'write.derived' | 'write.immutable'

type OtherCode = Exclude<
  Code,
  MemberCode | RefusalCode | ValueCode | KeyCode | ProofCode | NameCode | TypeCode | 'batch.failed' | 'key.order'
>

/** The details of each code. A member that an error of the code always has is required. */
export interface DetailsByCode
  extends Record<MemberCode, MemberDetails>,
    Record<RefusalCode, RefusalDetails>,
    Record<Exclude<ValueCode, 'value.check'>, ValueDetails>,
    Record<KeyCode, KeyDetails>,
    Record<ProofCode, ProofFault>,
    Record<NameCode, NameDetails>,
    Record<TypeCode, TypeDetails>,
    Record<OtherCode, ErrorDetails> {
  readonly 'batch.failed': ErrorDetails & { readonly failed: NonNullable<ErrorDetails['failed']> }
  readonly 'key.order': LooseOrder
  readonly 'value.check': ValueDetails & { readonly issues: NonNullable<ErrorDetails['issues']> }
}

interface NameDetails extends ErrorDetails {
  readonly name: string
}

interface TypeDetails extends ErrorDetails {
  readonly type: string
}
