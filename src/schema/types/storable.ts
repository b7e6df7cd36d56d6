import type { Fault } from './fault.js'
import type { OutputOf } from './row.js'

/** What JSON has of a value, and never in place of the rest. Held against the value, it may hold its own type again. */
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

/** Told by a word: of what is not known yet the compiler finds that by what it is at least. */
type VerdictOf<X> = X extends { readonly '~flag': unknown }
  ? 'fine'
  : [OutputOf<X>] extends [JsonOf<OutputOf<X>>]
    ? 'fine'
    : 'faulty'

/** What is wrong with a validator whose output cannot be stored. */
export type StorableFault<X> = Verdicts<
  Fault<'JSON does not have what this validator makes: give date(), bigint(), set() or mapped(), and check() it'>
>[VerdictOf<X>]

/** Attributes that are no validators, as most are: to hold all of them against this costs less than to look into each. */
type DeclaredSchemas = Readonly<Record<string, { readonly '~flag': unknown }>>

type CheckedAttributes<A> = { readonly [K in keyof A]: StorableFault<A[K]> }

export type StorableFaults<A> = Verdicts<CheckedAttributes<A>>[A extends DeclaredSchemas
  ? 'fine'
  : A extends CheckedAttributes<A>
    ? 'fine'
    : 'faulty']
