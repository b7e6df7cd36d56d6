import type { Item, Key as ItemKey } from '../../dynamodb/attribute-value.js'
import type {
  AnyEdge,
  EdgeInput,
  EdgeKey,
  EdgePatch,
  EdgeRow,
  OrderOf,
  OtherEnd,
} from '../../schema/types/edge-types.js'
import type { Fault } from '../../schema/types/fault.js'
import type { NodeId, NodeRow } from '../../schema/types/node-types.js'
import type { Call, Check, DeleteCall, EdgeWrite, ItemCall, ReadItemOptions, Upsert, Write } from './call.js'
import type { Condition } from './condition.js'
import type { EdgeQuery, Path, Scan } from './query.js'

export interface EdgeHandle<Input, Row, Key, Change, By> {
  readonly by: By
  /** Writes the whole edge, whether or not it exists. */
  put(edge: Input): EdgeWrite<Row>
  /** Creates the edge. Rejects with `write.exists` if it exists. */
  create(edge: Input): EdgeWrite<Row>
  /**
   * Creates the edge, or leaves an existing edge unchanged.
   * @returns whether it wrote
   */
  putIfAbsent(edge: Input): Call<boolean>
  /** Changes the attributes in the patch and leaves the rest unchanged. */
  update(key: Key, patch: Change): Write<Row>
  /** Changes an existing row by the patch, or creates the row. */
  upsert(edge: Input, patch: Change): Upsert<Row>
  delete(key: Key): DeleteCall<Row>
  /**
   * A part of `$transact`: the other writes are done only if this row exists and meets the condition.
   * @throws {call.part} the check is awaited on its own, or is part of a batch
   */
  check(key: Key, condition?: Condition<Row>): Check
  get(key: Key, options?: ReadItemOptions): ItemCall<Row | undefined>
  many(keys: readonly Key[], options?: ReadItemOptions): Call<(Row | undefined)[]>
  exists(key: Key, options?: ReadItemOptions): ItemCall<boolean>
  scan(): Scan<Row>
  keyOf(key: Key): ItemKey
  decode(item: Item): Row
}

type UnreadPath = { readonly as: 'none' }

/**
 * The ends without a path for reads. A `by` of an undirected edge applies to both ends. Unknown options are accepted
 * here and reported elsewhere.
 */
type UnreadEnds<E, O> = O extends { readonly by: infer B }
  ? keyof {
      [K in keyof B as B[K] extends UnreadPath ? (O extends { readonly undirected: true } ? keyof E : K) : never]: 1
    }
  : never

type By<E, O, Row> = {
  readonly [K in keyof E]: K extends UnreadEnds<E, O>
    ? Fault<`'${K & string}' does not read its edges: it is declared 'none'`>
    : Path<
        E[K] extends { readonly name: infer N extends string } ? N : never,
        NodeId<E[K]>,
        EdgeQuery<Row, NodeRow<E[OtherEnd<E, K>]>, OrderOf<O, K, OtherEnd<E, K>>>,
        E[OtherEnd<E, K>]
      >
} & {}

/** The reads and writes of an edge of an opened graph, such as `g.role`. */
export type EdgeHandleOf<X extends AnyEdge> = EdgeHandle<
  EdgeInput<X>,
  EdgeRow<X>,
  EdgeKey<X>,
  EdgePatch<X>,
  By<X['ends'], X['options'], EdgeRow<X>>
>
