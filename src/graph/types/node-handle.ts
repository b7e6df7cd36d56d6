import type { Item, Key as ItemKey } from '../../dynamodb/attribute-value.js'
import type { OnDelete } from '../../schema/declared.js'
import type { AnyNode, IdOf, IdParts, NodeGiven, NodePatch, NodeRow, Owner } from '../../schema/types/identity.js'
import type { Flat, Out, Part } from '../../schema/types/row.js'
import type { Call, Check, ReadItem, Removal, Single, Upsert, Write } from './call.js'
import type { Condition } from './condition.js'
import type { Path, Query, Rows, Scan } from './query.js'
import type { Searches } from './searches.js'
import type { Traversal } from './traversal.js'

type Parts<Name extends string, Id> = { readonly [part: string]: Path<Name, Id, Rows<unknown>> }

type PartOf<P> = P extends (...given: never[]) => Rows<infer T> ? T[] : never

export interface NodeHandle<Name extends string, Given, Row, Id, Change, By, N extends AnyNode> extends Searches<N> {
  readonly by: By
  /** Writes the whole node, whether it is there or not. */
  put(node: Given): Write<Row>
  /** Writes a node that is not there yet. */
  create(node: Given): Write<Row>
  /**
   * Writes a node that does not exist yet, and leaves an existing one as it is.
   *
   * @returns whether it wrote
   */
  putIfAbsent(node: Given): Call<boolean>
  /** Changes what is given, and leaves the rest. */
  update(id: Id, patch: Change): Write<Row>
  /** Changes an existing row by the patch, or creates the row. */
  upsert(node: Given, patch: Change): Upsert<Row>
  /** What happens to its edges is declared on them; a call may be stricter. */
  delete(id: Id, options?: { readonly edges: OnDelete }): Removal<Row>
  /**
   * A part of `$transact`: the other writes are done only if this row exists and meets the condition.
   *
   * @throws {call.part} it is awaited by itself, or is a part of a batch
   */
  check(id: Id, condition?: Condition<Row>): Check
  get(id: Id, options?: ReadItem): Single<Row | undefined>
  many(ids: readonly Id[], options?: ReadItem): Call<(Row | undefined)[]>
  exists(id: Id, options?: ReadItem): Single<boolean>
  /** The node and what lies beside it, in the fewest requests. */
  collect<P extends Parts<Name, Id>>(
    id: Id,
    parts: P,
    options?: ReadItem,
  ): Call<{ [K in 'node' | keyof P]: K extends keyof P ? PartOf<P[K]> : Row | undefined }>
  scan(): Scan<Row>
  /** A traversal that starts at these nodes. */
  from(...ids: readonly [Id, ...Id[]]): Traversal<N, never>
  keyOf(id: Id): ItemKey
  decode(item: Item): Row
}

/** A path goes through a set member by member. */
type Member<T> = T extends ReadonlySet<infer M> ? M : T

type ByUnique<A, O, Row> = O extends { readonly unique: readonly (infer U)[] }
  ? { readonly [K in U & keyof A]: (value: Out<A[K]>) => Call<Row | undefined> }
  : unknown

/** What a read by a path is given, the owner by its name: of one that lies in the partition of its owner, that alone. */
type PathStart<A, O, P> = P extends { readonly as: 'local' }
  ? [Readonly<Owner<{ readonly options: O }>>]
  : P extends { readonly in: readonly (infer I)[] }
    ? [{ readonly [K in I & string]: K extends keyof A ? Member<Out<A[K]>> : Part<Owner<{ readonly options: O }>, K> }]
    : []

type ByPath<A, O, Row> = O extends { readonly by: infer B }
  ? {
      readonly [K in keyof B]: (
        ...start: PathStart<A, O, B[K]>
      ) => Query<Row, B[K] extends { readonly order: infer P extends readonly string[] } ? P : readonly []>
    }
  : unknown

type ByOwner<X, O, Row> = O extends { readonly within: infer W extends AnyNode }
  ? { readonly [K in W['name']]: Path<W['name'], IdOf<W>, Query<Row, IdParts<X>>, X> }
  : unknown

export type NodeHandleOf<X extends AnyNode> = NodeHandle<
  X['name'],
  NodeGiven<X>,
  NodeRow<X>,
  IdOf<X>,
  NodePatch<X>,
  Flat<
    ByUnique<X['attributes'], X['options'], NodeRow<X>> &
      ByPath<X['attributes'], X['options'], NodeRow<X>> &
      ByOwner<X, X['options'], NodeRow<X>>
  >,
  X
>
