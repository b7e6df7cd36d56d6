import type { Call } from './call.js'
import type { Condition } from './condition.js'
import type { FromLeft } from './where.js'

/** Rows, and where the next ones begin. */
export interface Page<T> {
  readonly items: readonly T[]
  /** where the next page begins; undefined: there is none */
  readonly cursor: string | undefined
}

/** An edge, and the node at its other end, if it is there. */
export interface Joined<Edge, Node> {
  readonly edge: Edge
  readonly node: Node | undefined
}

/** What a read finds. */
export interface Rows<T> extends AsyncIterable<T> {
  /** All of them, in an array; more than `max`, 10,000 unless said, are refused. */
  all(options?: { readonly max?: number | undefined }): Call<T[]>
  /** The first, or undefined. */
  first(): Call<T | undefined>
  /** One page, of 100 unless said, and where the next begins. */
  page(options?: { readonly limit?: number | undefined; readonly cursor?: string | undefined }): Call<Page<T>>
  /** How many there are, and no more than the limit; of nodes at the other end, how many edges lead to them. */
  count(): Call<number>
}

/** Every row of a type, by reading the whole table. */
export interface Scan<Row> extends Rows<Row> {
  /** Leaves out what does not meet the condition; it is read and paid for all the same. */
  filter(condition: Condition<Row>): this
  /** Rows with these members only. */
  only<const K extends keyof Row = never>(...names: readonly K[]): Rows<{ [Name in K]: Row[Name] }>
}

/** A read by a path, in the order of its parts. */
export interface Query<Row, Parts extends readonly string[]> extends Scan<Row> {
  /** Parts from the left by their values; the last one given may be a range. */
  where<const W extends object>(where: { readonly [K in Parts[number]]?: unknown } & FromLeft<Parts, Row, W>): this
  /** From the end. */
  reverse(): this
  /** At most so many rows. */
  limit(rows: number): this
  /** Strongly consistent, at twice the units; refused where the path is an index. */
  consistent(): this
}

export interface EdgeQuery<Edge, Node, Parts extends readonly string[]> extends Query<Edge, Parts> {
  /** the nodes at the other end in place of the edges */
  nodes(): Rows<Node>
  /** each edge with the node at its other end */
  withNodes(): Rows<Joined<Edge, Node>>
}

/**
 * A read that starts at a node of the type `At` and leads to nodes `To`. Called, it is a query; given to `collect`, it is
 * read with the node; given to a traversal, it is a hop.
 */
export interface Path<At extends string, Id, Q, To = unknown> {
  (id: Id): Q
  readonly at?: At
  readonly to?: To
}
