import type { Fault } from './fault.js'
import type { OutputOf } from './row.js'

/**
 * The part of a value that JSON can represent; `never` in place of the rest. A value is storable if its type extends
 * this one.
 */
type JsonOf<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends bigint | symbol | ((...given: never) => unknown)
      ? never
      : T extends readonly (infer E)[]
        ? readonly (number extends T['length'] ? Exclude<JsonOf<E>, undefined> : JsonOf<E>)[]
        : { [K in keyof T]: JsonOf<T[K]> }

interface Verdicts<Faulty> {
  readonly fine: unknown
  readonly faulty: Faulty
}

/**
 * The verdict is a string literal because the compiler resolves a lookup by key even while a generic type is still
 * open.
 */
type VerdictOf<X> = X extends { readonly '~flag': unknown }
  ? 'fine'
  : [OutputOf<X>] extends [JsonOf<OutputOf<X>>]
    ? 'fine'
    : 'faulty'

/** The compile error for a validator whose output cannot be stored. */
export type StorableFault<X> = Verdicts<
  Fault<'JSON does not have what this validator makes: give date(), bigint(), set() or mapped(), and check() it'>
>[VerdictOf<X>]

/**
 * Attributes without a plain validator, which most are. One comparison of all of them costs the compiler less than a
 * look into each.
 */
type DeclaredSchemas = Readonly<Record<string, { readonly '~flag': unknown }>>

type CheckedAttributes<A> = { readonly [K in keyof A]: StorableFault<A[K]> }

export type StorableFaults<A> = Verdicts<CheckedAttributes<A>>[A extends DeclaredSchemas
  ? 'fine'
  : A extends CheckedAttributes<A>
    ? 'fine'
    : 'faulty']
