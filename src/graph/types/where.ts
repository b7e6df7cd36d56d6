import type { Fault } from '../../schema/types/fault.js'

/** A range of the last part. */
export type Range<T> =
  | { readonly from?: T | undefined; readonly to?: T | undefined }
  | (T extends string ? { readonly startsWith: string } : never)

/** An id of several parts has no range. */
type SingleValue = string | number | bigint | boolean | Date | undefined

type JoinedNames<P> = P extends readonly [infer H extends string, ...infer R]
  ? R extends readonly []
    ? H
    : `${H}, ${JoinedNames<R>}`
  : 'by nothing more'

/** For each part, the values of the parts before it. */
type PrecedingParts<P, V, Preceding = unknown> = P extends readonly [infer H extends string, ...infer R]
  ? { readonly [K in H]: Preceding } & PrecedingParts<R, V, Preceding & { readonly [K in H]: V[K & keyof V] }>
  : unknown

/** The parts with a single value. A value of the wrong type counts too, because its own member reports the fault. */
type GivenParts<W, V> = keyof {
  [K in keyof W as K extends keyof V ? (W[K] extends V[K] | NonNullable<SingleValue> ? K : never) : never]: 1
}

/**
 * A value, or a range for the last part. The type is the same for every part of a type, so the compiler evaluates it
 * only for the first.
 */
type ValueOrRange<T> = [T] extends [SingleValue] ? T | Range<T> : T

/** Evaluated only when a preceding part is missing. */
type ValueOrFault<P, V, W, K, Needed> = [Exclude<Needed, GivenParts<W, V>>] extends [never]
  ? ValueOrRange<V[K & keyof V]>
  : Fault<`give '${Exclude<Needed, GivenParts<W, V>> & string}' first, as one value: this read goes ${JoinedNames<P>}`>

type CheckedPart<P, V, W, K, B> = K extends keyof B
  ? W extends B[K]
    ? ValueOrRange<V[K & keyof V]>
    : ValueOrFault<P, V, W, K, keyof B[K]>
  : Fault<`'${K & string}' is not in this read, which goes ${JoinedNames<P>}`>

/**
 * Equal values from the left and a range on the last given part; any other member is a compile-time fault at its
 * position. W is inferred only from `W[K]`, which is never the result: inference through the check costs ten times as
 * much.
 */
export type FromLeft<P, V, W> = {
  readonly [K in keyof W]: [W[K]] extends [never] ? W[K] : NoInfer<CheckedPart<P, V, W, K, PrecedingParts<P, V>>>
}
