import type { AttributeType } from '../../dynamodb/attribute-value.js'

type Member<T> = T extends string
  ? string
  : T extends ReadonlySet<infer M>
    ? M
    : T extends readonly (infer E)[]
      ? E
      : never

/** Any text may be a prefix, even when only a few texts are stored. */
type PrefixOf<T> = T extends string ? string : unknown extends T ? string : never

/** Texts, sets and similar values have members in JavaScript, but none in DynamoDB. */
type Step<T> = T extends readonly unknown[]
  ? number
  : T extends string | number | bigint | boolean | Date | Uint8Array | ReadonlySet<unknown>
    ? never
    : keyof T

type ValueAt<T, K> = T extends readonly (infer E)[] ? E : K extends keyof T ? Exclude<T[K], undefined> : never

/**
 * The types that DynamoDB orders: texts, numbers and bytes. A value of unknown type is accepted here and checked by
 * DynamoDB.
 */
type Ordered<T> = T extends string | number | bigint | Date | Uint8Array ? T : unknown extends T ? T : never

/** The tests of an attribute. */
export interface Subject<T> {
  is(value: T): Test
  not(value: T): Test
  below(value: Ordered<T>): Test
  atMost(value: Ordered<T>): Test
  above(value: Ordered<T>): Test
  atLeast(value: Ordered<T>): Test
  /** inclusive range */
  between(from: Ordered<T>, to: Ordered<T>): Test
  in(...values: readonly T[]): Test
  startsWith(prefix: PrefixOf<T>): Test
  /** a part of a text, a member of a set, an element of a list */
  contains(member: Member<T>): Test
  exists(): Test
  missing(): Test
  /** whether the stored type is this one: 'S', 'N', 'M', … */
  hasType(type: AttributeType): Test
  /** characters of a text, bytes of a binary, members of a set, elements of a list or a map */
  size(): Subject<number>
  /** a member of a map, an element of a list */
  at<const K extends Step<T>>(step: K): Subject<ValueAt<T, K>>
}

/** A condition of a filter or a write. */
export interface Test {
  and(other: Test): Test
  or(other: Test): Test
  negated(): Test
}

/** A condition over a row: `r => r.year.below(2000).or(r.tagline.exists())`. */
export type Condition<Row> = (row: { readonly [K in keyof Row]-?: Subject<Exclude<Row[K], undefined>> }) => Test
