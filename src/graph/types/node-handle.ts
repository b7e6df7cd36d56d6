import type { Item, Key as ItemKey } from '../../dynamodb/attribute-value.js'
import type { OnDelete } from '../../schema/declarations.js'
import type {
  AnyNode,
  IdParts,
  NodeId,
  NodeInput,
  NodePatch,
  NodeRow,
  OwnerReference,
} from '../../schema/types/node-types.js'
import type { OutputOf, PropertyOf, Simplify } from '../../schema/types/row.js'
import type { Call, Check, DeleteCall, ItemCall, ReadItemOptions, Upsert, Write } from './call.js'
import type { Condition } from './condition.js'
import type { Path, Query, Rows, Scan } from './query.js'
import type { Searches } from './searches.js'
import type { Traversal } from './traversal.js'

type Parts<Name extends string, Id> = { readonly [part: string]: Path<Name, Id, Rows<unknown>> }

type PartOf<P> = P extends (...given: never[]) => Rows<infer T> ? T[] : never

export interface NodeHandle<Name extends string, Input, Row, Id, Change, By, N extends AnyNode> extends Searches<N> {
  readonly by: By
  /** Writes the whole node, whether or not it exists. */
  put(node: Input): Write<Row>
  /** Creates the node. Rejects with `write.exists` if it exists. */
  create(node: Input): Write<Row>
  /**
   * Creates the node, or leaves an existing node unchanged.
   * @returns whether it wrote
   */
  putIfAbsent(node: Input): Call<boolean>
  /** Changes the attributes in the patch and leaves the rest unchanged. */
  update(id: Id, patch: Change): Write<Row>
  /** Changes an existing row by the patch, or creates the row. */
  upsert(node: Input, patch: Change): Upsert<Row>
  /** Deletes the node. The edge declarations determine what happens to its edges; a call may be stricter. */
  delete(id: Id, options?: { readonly edges: OnDelete }): DeleteCall<Row>
  /**
   * A part of `$transact`: the other writes are done only if this row exists and meets the condition.
   * @throws {call.part} the check is awaited on its own, or is part of a batch
   */
  check(id: Id, condition?: Condition<Row>): Check
  get(id: Id, options?: ReadItemOptions): ItemCall<Row | undefined>
  many(ids: readonly Id[], options?: ReadItemOptions): Call<(Row | undefined)[]>
  exists(id: Id, options?: ReadItemOptions): ItemCall<boolean>
  /** Reads the node and its related rows in the fewest requests. */
  collect<P extends Parts<Name, Id>>(
    id: Id,
    parts: P,
    options?: ReadItemOptions,
  ): Call<{ [K in 'node' | keyof P]: K extends keyof P ? PartOf<P[K]> : Row | undefined }>
  scan(): Scan<Row>
  /** Starts a traversal at these nodes. */
  from(...ids: readonly [Id, ...Id[]]): Traversal<N, never>
  keyOf(id: Id): ItemKey
  decode(item: Item): Row
}

/** A path goes through a set member by member. */
type Member<T> = T extends ReadonlySet<infer M> ? M : T

type ByUnique<A, O, Row> = O extends { readonly unique: readonly (infer U)[] }
  ? { readonly [K in U & keyof A]: (value: OutputOf<A[K]>) => Call<Row | undefined> }
  : unknown

/**
 * The argument of a read by a path, with the owner under its name. A path in the owner's partition takes only the
 * owner.
 */
type PathStart<A, O, P> = P extends { readonly as: 'local' }
  ? [Readonly<OwnerReference<{ readonly options: O }>>]
  : P extends { readonly in: readonly (infer I)[] }
    ? [
        {
          readonly [K in I & string]: K extends keyof A
            ? Member<OutputOf<A[K]>>
            : PropertyOf<OwnerReference<{ readonly options: O }>, K>
        },
      ]
    : []

type OrderOf<P> = P extends { readonly order: infer Parts extends readonly string[] } ? Parts : readonly []

/** The name of the owner, if a path takes nothing else: then it is a hop from the owner. */
type OwnerStart<O, P> = O extends { readonly within: { readonly name: infer Owner extends string } }
  ? P extends { readonly as: 'local' } | { readonly in: readonly [Owner] }
    ? Owner
    : never
  : never

type ByPath<X, A, O, Row> = O extends { readonly by: infer B }
  ? {
      readonly [K in keyof B]: [OwnerStart<O, B[K]>] extends [never]
        ? (...start: PathStart<A, O, B[K]>) => Query<Row, OrderOf<B[K]>>
        : Path<OwnerStart<O, B[K]>, PathStart<A, O, B[K]>[0], Query<Row, OrderOf<B[K]>>, X>
    }
  : unknown

type ByOwner<X, O, Row> = O extends { readonly within: infer W extends AnyNode }
  ? { readonly [K in W['name']]: Path<W['name'], NodeId<W>, Query<Row, IdParts<X>>, X> }
  : unknown

/** The reads and writes of a node of an opened graph, such as `g.movie`. */
export type NodeHandleOf<X extends AnyNode> = NodeHandle<
  X['name'],
  NodeInput<X>,
  NodeRow<X>,
  NodeId<X>,
  NodePatch<X>,
  Simplify<
    ByUnique<X['attributes'], X['options'], NodeRow<X>> &
      ByPath<X, X['attributes'], X['options'], NodeRow<X>> &
      ByOwner<X, X['options'], NodeRow<X>>
  >,
  X
>
