import type { Fault } from '../../schema/types/fault.js'

/** A range of the part that comes last. */
export type Range<T> =
  | { readonly from?: T | undefined; readonly to?: T | undefined }
  | (T extends string ? { readonly startsWith: string } : never)

/** An id of several parts has no range. */
type Single = string | number | bigint | boolean | Date | undefined

type Listed<P> = P extends readonly [infer H extends string, ...infer R]
  ? R extends readonly []
    ? H
    : `${H}, ${Listed<R>}`
  : 'by nothing more'

/** For each part, those that come before it with their values. */
type Before<P, V, Seen = unknown> = P extends readonly [infer H extends string, ...infer R]
  ? { readonly [K in H]: Seen } & Before<R, V, Seen & { readonly [K in H]: V[K & keyof V] }>
  : unknown

/** The parts that are given as one value: one of the wrong type too, of which its own place tells. */
type Given<W, V> = keyof {
  [K in keyof W as K extends keyof V ? (W[K] extends V[K] | NonNullable<Single> ? K : never) : never]: 1
}

/** A value, or where it comes last a range: the same for every part of a type, and so looked into once. */
type Value<T> = [T] extends [Single] ? T | Range<T> : T

/** Looked into only where the parts before are not all there. */
type Missing<P, V, W, K, Needed> = [Exclude<Needed, Given<W, V>>] extends [never]
  ? Value<V[K & keyof V]>
  : Fault<`give '${Exclude<Needed, Given<W, V>> & string}' first, as one value: this read goes ${Listed<P>}`>

type Checked<P, V, W, K, B> = K extends keyof B
  ? W extends B[K]
    ? Value<V[K & keyof V]>
    : Missing<P, V, W, K, keyof B[K]>
  : Fault<`'${K & string}' is not in this read, which goes ${Listed<P>}`>

/**
 * Equality from the left and a range on the last part given; anything else is a fault at its place.
 * W is inferred from `W[K]` alone, which is never the answer: inferring through the check costs ten times as much.
 */
export type FromLeft<P, V, W> = {
  readonly [K in keyof W]: [W[K]] extends [never] ? W[K] : NoInfer<Checked<P, V, W, K, Before<P, V>>>
}
