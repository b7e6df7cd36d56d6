import type { Call } from './call.js'
import type { Condition } from './condition.js'
import type { FromLeft } from './where.js'

/** Rows, and the cursor of the next page. */
export interface Page<T> {
  readonly items: readonly T[]
  /** the cursor of the next page; undefined on the last page */
  readonly cursor: string | undefined
}

/** An edge, and the node at its other end, if the node exists. */
export interface Joined<Edge, Node> {
  readonly edge: Edge
  readonly node: Node | undefined
}

/** The rows that a read finds. */
export interface Rows<T> extends AsyncIterable<T> {
  /** Reads all rows into an array. Rejects with more than `max` rows (10,000 by default). */
  all(options?: { readonly max?: number | undefined }): Call<T[]>
  /** Reads the first row; undefined if no row matches. */
  first(): Call<T | undefined>
  /** Reads one page (100 rows by default) and the cursor of the next page. */
  page(options?: { readonly limit?: number | undefined; readonly cursor?: string | undefined }): Call<Page<T>>
  /** Counts the rows, up to the limit. For nodes at the other end, it counts the edges. */
  count(): Call<number>
}

/** A read of every row of a type by scanning the whole table. */
export interface Scan<Row> extends Rows<Row> {
  /** Excludes rows that do not meet the condition. DynamoDB still reads and bills them. */
  filter(condition: Condition<Row>): this
  /** Returns rows with these members only. */
  only<const K extends keyof Row = never>(...names: readonly K[]): Rows<{ [Name in K]: Row[Name] }>
}

/** A read by a path, in the order of its parts. */
export interface Query<Row, Parts extends readonly string[]> extends Scan<Row> {
  /** Restricts the parts of the path from the left by values; the last given part may have a range. */
  where<const W extends object>(where: { readonly [K in Parts[number]]?: unknown } & FromLeft<Parts, Row, W>): this
  /** Reverses the order. */
  reverse(): this
  /** Limits the number of rows. */
  limit(rows: number): this
  /** Reads with strong consistency, at twice the units. A path on an index rejects it. */
  consistent(): this
}

/** A read of edges by one of their ends, which can read the nodes at the other end too. */
export interface EdgeQuery<Edge, Node, Parts extends readonly string[]> extends Query<Edge, Parts> {
  /** the nodes at the other end in place of the edges */
  nodes(): Rows<Node>
  /** each edge with the node at its other end */
  withNodes(): Rows<Joined<Edge, Node>>
}

/**
 * A read from a node of the type `At` to nodes `To`. Called with an id, it is a query; as a part of `collect`, it is
 * read with the node; in a traversal, it is a hop.
 */
export interface Path<At extends string, Id, Q, To = unknown> {
  (id: Id): Q
  readonly at?: At
  readonly to?: To
}
