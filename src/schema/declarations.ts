import type { AttributeType, AttributeValue } from '../dynamodb/attribute-value.js'

/** The kind of an attribute. */
export type AttributeKind =
  | 'string'
  | 'number'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'date'
  /** Texts of a fixed width, which sort by character. */
  | 'day'
  | 'yearMonth'
  | 'fixedText'
  | 'binary'
  | 'list'
  | 'map'
  | 'set'
  | 'json'
  | 'oneOf'
  | 'ulid'
  | 'counter'
  /** computed by a batch job */
  | 'summary'
  | 'embedded'
  /** A Standard Schema validator that is used as an attribute. */
  | 'validated'
  /** A user-defined type that another attribute stores. */
  | 'mapped'

/** The sources of time and randomness. `open` accepts others, for tests. */
export interface Environment {
  /** Milliseconds since 1970. */
  now(): number
  random(bytes: number): Uint8Array
}

export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** The format of a text of a fixed width: for each position, the characters that may stand there. */
export interface FixedFormat {
  readonly positions: readonly string[]
}

type StoredValues = Readonly<Record<string, AttributeValue | undefined>>

/** The part of a patch that a recomputed attribute needs to know. */
type PatchChanges = Readonly<Record<string, { readonly kind: string; readonly value?: AttributeValue }>>

/** The part of a node or an edge that a recomputed attribute needs. */
type AttributeHolder = Pick<DeclaredNode, 'name' | 'attributes'> &
  Partial<Pick<DeclaredNode, 'id'> & Pick<DeclaredEdge, 'key'>>

/** The rule by which every write of a row sets an attribute. */
export interface Recomputation {
  /**
   * Returns the change of the attribute under a patch, or undefined if it does not change. `within` means that the
   * stored row must be read first.
   */
  changeForPatch(
    type: AttributeHolder,
    name: string,
    parts: PatchChanges,
    environment: Environment,
  ):
    | { readonly kind: 'set'; readonly value: AttributeValue }
    | { readonly kind: 'remove' }
    | { readonly kind: 'within'; readonly parts: Record<string, never> }
    | undefined
  /** The attributes that it is computed from. */
  readonly sources?: readonly string[]
  /** Computes the stored value from the values of a row. Only computed attributes have this function. */
  compute?(type: AttributeHolder, name: string, values: StoredValues): AttributeValue | undefined
  /** Throws if a type does not declare the sources. */
  checkDeclaration?(type: AttributeHolder, name: string): void
}

/** The place of an encrypted value. */
export interface ValuePlace {
  /** The type and the attribute: `user.iban`, `user.profile.iban`. */
  readonly name: string
  /** The identity of the row as text. */
  readonly identity: string
}

/** The binding of encrypted values to their rows. A value that was moved to another row cannot be read. */
export interface RowBinding {
  /** Returns the stored value bound to a place. */
  bind(stored: AttributeValue, place: ValuePlace): AttributeValue
  /** Throws if a stored value is bound to another place. Legacy values without a binding are accepted. */
  check(stored: AttributeValue, place: ValuePlace): void
  /** Returns every stored form of a value at a place: bound and unbound, under each key. */
  forms(stored: AttributeValue, place: ValuePlace): readonly AttributeValue[]
}

export type DeclaredAttributes = Readonly<Record<string, DeclaredAttribute>>

export interface DeclaredAttribute {
  readonly kind: AttributeKind
  /** The DynamoDB type of stored values, if it is always the same. */
  readonly type?: AttributeType | undefined
  readonly optional: boolean
  readonly immutable: boolean
  /** Whether edges or jobs maintain it (counter, summary, embedded), so that writes never give it. */
  readonly derived: boolean
  /** The stored name, if it differs from the declared one. */
  readonly storedAs?: string | undefined
  /** Returns the value for a row that gives none. */
  readonly fallback?: ((environment: Environment) => unknown) | undefined
  /** The rule by which every write sets it. */
  readonly recomputation?: Recomputation
  /** Returns the value of a row without a stored value: 0 for a counter. */
  readonly valueIfAbsent?: (() => unknown) | undefined
  /** The range of an integer. */
  readonly range?: Bounds | undefined
  /** The values of a oneOf. */
  readonly values?: readonly string[] | undefined
  /** The format of a day, a month or another text of a fixed width. */
  readonly format?: FixedFormat | undefined
  /** The element of a list or a set. */
  readonly element?: DeclaredAttribute | undefined
  /** The members of a map, or of an entry of an embedded attribute. */
  readonly members?: DeclaredAttributes | undefined
  /** The attribute that stores a mapped one, and the conversion between the two. */
  readonly mapped?: {
    readonly inner: DeclaredAttribute
    readonly write: (value: unknown) => unknown
    readonly read: (stored: unknown) => unknown
  }
  /** The binding of an encrypted attribute. */
  readonly rowBinding?: RowBinding | undefined
  /**
   * Returns the stored value. Throws a GraphError (`value.…`) that names the path. Keys are composed from this value,
   * so that they match the stored attribute.
   */
  encode(value: unknown, path: string): AttributeValue
  /** Encodes without the validators of `check()`; undefined if there are none. */
  readonly encodeUnchecked?: ((value: unknown, path: string) => AttributeValue) | undefined
  /** Returns the value of a stored one. Throws a GraphError (`stored.…`). */
  decode(value: AttributeValue, path?: string): unknown
}

/** The access method of an edge's end or a node's path. */
export type AccessMethod = 'adjacent' | 'index' | 'inverted' | 'mirror' | 'local' | 'native' | 'item' | 'none'

export interface DeclaredPath {
  readonly name: string
  /** The parts that every read gives, which select one partition. For a node: attributes and the name of its owner. */
  readonly in: readonly string[]
  /** The parts of the sort order. For an end without a declared order: the other end, then the edge's key. */
  readonly order: readonly string[]
  /** The declared access method; undefined for the default. */
  readonly as: AccessMethod | undefined
  /** The number of shards; 1 means that the path is not sharded. */
  readonly shards: number
}

export interface DeclaredNode {
  readonly kind: 'node'
  readonly name: string
  readonly attributes: DeclaredAttributes
  readonly id: readonly string[]
  readonly within: DeclaredNode | undefined
  /** What happens to an owned node when its owner is deleted; undefined if nothing is declared, which leaves it. */
  readonly onDelete: OnDelete | undefined
  readonly unique: readonly string[]
  readonly paths: readonly DeclaredPath[]
  /** The attribute with the date after which the node is deleted. */
  readonly expires: string | undefined
}

/** What happens to an edge when the node at this end is deleted, or to an owned node when its owner is deleted. */
export type OnDelete = 'leave' | 'cascade' | 'refuse'

/** Whether the transaction of the writer or a consumer of the stream maintains derived data. */
export type DerivationMode = 'transaction' | 'stream'

/** How the copies of a mutable attribute follow it. */
export type CopySync = 'mirror' | 'eventual'

export interface DeclaredEnd {
  readonly name: string
  readonly node: DeclaredNode
  readonly by: DeclaredPath
  readonly onDelete: OnDelete
}

export interface DeclaredCarry {
  readonly copyName: string
  readonly end: string
  readonly attribute: string
  /** How the copy follows the attribute; undefined if the attribute never changes. */
  readonly sync: CopySync | undefined
  /** What happens to the copy when its source is deleted. */
  readonly deleted: 'keep' | 'remove'
}

export interface DeclaredCount {
  readonly end: string
  readonly into: string
  readonly by: DerivationMode
  /** The stored values that an edge must have, by attribute; undefined to count all edges. */
  readonly where?: Readonly<Record<string, readonly AttributeValue[]>> | undefined
}

export interface DeclaredSum extends DeclaredCount {
  /** The attribute of the edge that is summed. */
  readonly of: string
}

export interface DeclaredEmbed {
  readonly end: string
  readonly into: string
  readonly max: number
}

export interface DeclaredEdge {
  readonly kind: 'edge'
  readonly name: string
  readonly ends: readonly [DeclaredEnd, DeclaredEnd]
  readonly attributes: DeclaredAttributes
  /** Attributes that identify the edge together with its ends. */
  readonly key: readonly string[]
  /** The end whose nodes have at most one edge of this type each. */
  readonly one: string | undefined
  /** Whether both ends find the edge. Its ends then have the same node type and the same options. */
  readonly undirected: boolean
  /** a hierarchy: the end named by `one` is the child, and no node is below itself */
  readonly tree: boolean
  /** Of a closure: the name of its tree. The consumer of the stream writes an edge for each node and each ancestor. */
  readonly closureOf: string | undefined
  /** Of a tree: the name of its closure in this graph. */
  readonly closure: string | undefined
  readonly carry: readonly DeclaredCarry[]
  readonly count: readonly DeclaredCount[]
  readonly sum: readonly DeclaredSum[]
  readonly embed: readonly DeclaredEmbed[]
  readonly expires: string | undefined
}

export interface DeclaredGraph {
  readonly name: string
  readonly nodes: readonly DeclaredNode[]
  readonly edges: readonly DeclaredEdge[]
  /** Whether every partition key begins with a tenant. */
  readonly tenant: boolean
}
