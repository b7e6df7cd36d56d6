import type { AttributeType, AttributeValue } from '../dynamodb/attribute-value.js'

/** What the user declared, checked and in one form: all that later rooms read. */
export type AttributeKind =
  | 'string'
  | 'number'
  | 'integer'
  | 'bigint'
  | 'decimal'
  | 'boolean'
  | 'date'
  /** texts of a fixed width, which sort by character */
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
  | 'embedded'
  /** a Standard Schema validator that stands for an attribute */
  | 'validated'
  /** a type of the user's own, stored as another attribute is */
  | 'mapped'

/** Where time and chance come from: `open` is given them. */
export interface Environment {
  /** milliseconds since 1970 */
  now(): number
  random(bytes: number): Uint8Array
}

export interface Bounds {
  readonly min?: number
  readonly max?: number
}

/** A text of a fixed width: for each position, the characters that may stand there. */
export interface FixedFormat {
  readonly positions: readonly string[]
}

type StoredValues = Readonly<Record<string, AttributeValue | undefined>>

/** How a patch changes attributes, as far as one that follows them has to know. */
type PatchChanges = Readonly<Record<string, { readonly kind: string; readonly value?: AttributeValue }>>

/** A node or an edge, as far as its attributes go. */
type AttributeHolder = Pick<DeclaredNode, 'name' | 'attributes'> &
  Partial<Pick<DeclaredNode, 'id'> & Pick<DeclaredEdge, 'key'>>

/** What makes an attribute anew where its row is written. */
export interface Recomputation {
  /** What becomes of it under a patch; undefined where it stays; `within` where only the row as it was tells. */
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
  /** What it is computed from. */
  readonly sources?: readonly string[]
  /** Of what is computed from others, and never given: what is stored, by the values of the row. */
  compute?(type: AttributeHolder, name: string, values: StoredValues): AttributeValue | undefined
  /** Refuses a type that does not have what it is computed from. */
  checkDeclaration?(type: AttributeHolder, name: string): void
}

/** Where an encrypted value belongs. */
export interface ValuePlace {
  /** the type and the attribute: `user.iban`, `user.profile.iban` */
  readonly name: string
  /** a text of the identity of the row */
  readonly identity: string
}

/** How encrypted values are bound to their rows, so that one that was moved to another row is refused. */
export interface RowBinding {
  /** The stored value, bound to a place. */
  bind(stored: AttributeValue, place: ValuePlace): AttributeValue
  /** Throws where a stored value is bound to another place. Values of before rows were bound pass. */
  check(stored: AttributeValue, place: ValuePlace): void
  /** Every way in which the same value can be stored at a place: bound or not, under each key. */
  forms(stored: AttributeValue, place: ValuePlace): readonly AttributeValue[]
}

export type DeclaredAttributes = Readonly<Record<string, DeclaredAttribute>>

export interface DeclaredAttribute {
  readonly kind: AttributeKind
  /** the type that DynamoDB stores it as, where that is one */
  readonly type?: AttributeType | undefined
  readonly optional: boolean
  readonly immutable: boolean
  /** counter, embedded: never given by the user */
  readonly derived: boolean
  /** the stored name, if not the declared one */
  readonly storedAs?: string | undefined
  /** makes the value where none is given */
  readonly fallback?: ((environment: Environment) => unknown) | undefined
  /** whether writes make it anew, and how */
  readonly recomputation?: Recomputation
  /** makes the value that a row has where none is stored: 0 for a counter */
  readonly valueIfAbsent?: (() => unknown) | undefined
  /** of an integer */
  readonly range?: Bounds | undefined
  /** of a oneOf */
  readonly values?: readonly string[] | undefined
  /** of a day, a month or another text of a fixed width */
  readonly format?: FixedFormat | undefined
  /** of a list or a set */
  readonly element?: DeclaredAttribute | undefined
  /** of a map, or of an entry of an embedded attribute */
  readonly members?: DeclaredAttributes | undefined
  /** Of a mapped attribute: what it is stored as, and how it becomes that and comes back. */
  readonly mapped?: {
    readonly inner: DeclaredAttribute
    readonly write: (value: unknown) => unknown
    readonly read: (stored: unknown) => unknown
  }
  /** of an encrypted attribute */
  readonly rowBinding?: RowBinding | undefined
  /** What is stored. Throws a GraphError (`value.…`) that names the path. A key is composed from this, so that it holds what is stored. */
  encode(value: unknown, path: string): AttributeValue
  /** Throws a GraphError (`stored.…`). */
  decode(value: AttributeValue, path?: string): unknown
}

/** How a direction of an edge, or a path of a node, is served. */
export type AccessMethod = 'adjacent' | 'index' | 'inverted' | 'mirror' | 'local' | 'native' | 'item' | 'none'

export interface DeclaredPath {
  readonly name: string
  /** the parts that a read always gives: one partition. Of a node, attributes and the name of its owner */
  readonly in: readonly string[]
  /** the parts that it is sorted by; of an end that declares none: the other end, then the edge's key */
  readonly order: readonly string[]
  /** undefined: the default */
  readonly as: AccessMethod | undefined
  /** 1: not sharded */
  readonly shards: number
}

export interface DeclaredNode {
  readonly kind: 'node'
  readonly name: string
  readonly attributes: DeclaredAttributes
  readonly id: readonly string[]
  readonly within: DeclaredNode | undefined
  /** of an owned node: what happens to it when its owner is deleted; undefined: nothing is declared, and it is left */
  readonly onDelete: OnDelete | undefined
  readonly unique: readonly string[]
  readonly paths: readonly DeclaredPath[]
  /** the date after which the node is gone */
  readonly expires: string | undefined
}

/** What happens to an edge when the node at this end is deleted, or to an owned node when its owner is. */
export type OnDelete = 'leave' | 'cascade' | 'refuse'

/** Whether derived data is kept by the writer's own transaction or by a consumer of the stream. */
export type DerivationMode = 'transaction' | 'stream'

/** How copies of an attribute that can change follow it. */
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
  /** undefined: the attribute never changes */
  readonly sync: CopySync | undefined
  /** what the copy becomes when its source is deleted */
  readonly deleted: 'keep' | 'remove'
}

export interface DeclaredCount {
  readonly end: string
  readonly into: string
  readonly by: DerivationMode
  /** Only edges with one of these stored values of each attribute; undefined: all. */
  readonly where?: Readonly<Record<string, readonly AttributeValue[]>> | undefined
}

export interface DeclaredSum extends DeclaredCount {
  /** the attribute of the edge that is summed */
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
  /** parts of its identity beyond its ends */
  readonly key: readonly string[]
  /** the end of which each node has at most one such edge */
  readonly one: string | undefined
  /** one fact that both ends find: the ends are of one type and have the same options */
  readonly undirected: boolean
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
  /** every partition key begins with a tenant */
  readonly tenant: boolean
}
