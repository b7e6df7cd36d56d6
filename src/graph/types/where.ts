import type { Fault } from '../../schema/types/fault.js'

/** A range of the part that comes last. */
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

/** For each part, those that come before it with their values. */
type PrecedingParts<P, V, Seen = unknown> = P extends readonly [infer H extends string, ...infer R]
  ? { readonly [K in H]: Seen } & PrecedingParts<R, V, Seen & { readonly [K in H]: V[K & keyof V] }>
  : unknown

/** The parts that are given as one value: one of the wrong type too, of which its own place tells. */
type GivenParts<W, V> = keyof {
  [K in keyof W as K extends keyof V ? (W[K] extends V[K] | NonNullable<SingleValue> ? K : never) : never]: 1
}

/** A value, or where it comes last a range: the same for every part of a type, and so looked into once. */
type ValueOrRange<T> = [T] extends [SingleValue] ? T | Range<T> : T

/** Looked into only where the parts before are not all there. */
type ValueOrFault<P, V, W, K, Needed> = [Exclude<Needed, GivenParts<W, V>>] extends [never]
  ? ValueOrRange<V[K & keyof V]>
  : Fault<`give '${Exclude<Needed, GivenParts<W, V>> & string}' first, as one value: this read goes ${JoinedNames<P>}`>

type CheckedPart<P, V, W, K, B> = K extends keyof B
  ? W extends B[K]
    ? ValueOrRange<V[K & keyof V]>
    : ValueOrFault<P, V, W, K, keyof B[K]>
  : Fault<`'${K & string}' is not in this read, which goes ${JoinedNames<P>}`>

/**
 * Equality from the left and a range on the last part given; anything else is a fault at its place.
 * W is inferred from `W[K]` alone, which is never the answer: inferring through the check costs ten times as much.
 */
export type FromLeft<P, V, W> = {
  readonly [K in keyof W]: [W[K]] extends [never] ? W[K] : NoInfer<CheckedPart<P, V, W, K, PrecedingParts<P, V>>>
}
