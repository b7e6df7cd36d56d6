import type { StandardSchema } from '../standard.js'

export type Attributes = Readonly<Record<string, StandardSchema>>

/** Prints as a plain object where it is hovered. */
export type Flat<T> = { [K in keyof T]: T[K] } & {}

export type Names<T> = keyof T & string

/** What is under a name that is known to be there. */
export type Part<T, K> = T[K & keyof T]

export type In<X> = X extends { readonly '~standard': { readonly types?: { readonly input: infer I } | undefined } }
  ? I
  : never

export type Out<X> = X extends { readonly '~standard': { readonly types?: { readonly output: infer O } | undefined } }
  ? O
  : never

/** Whether an attribute may be missing. Of a validator, its output tells. */
export type IsOptional<X> = X extends { readonly '~flag': infer F }
  ? 'optional' extends F
    ? true
    : false
  : undefined extends Out<X>
    ? true
    : false

/** Whether an attribute is of a type that the store knows nothing of: it is replaced as a whole, and not added up. */
export type IsMapped<X> = X extends { readonly '~flag': infer F } ? ('mapped' extends F ? true : false) : false

type Outs<A, N extends keyof A> = { [K in N]: Out<A[K]> }

type MaybeOuts<A, N extends keyof A> = { [K in N]?: Out<A[K]> }

type Ins<A, N extends keyof A> = { [K in N]: In<A[K]> }

/** What is undefined there is not given, also to those who tell the two apart. */
type MaybeIns<A, N extends keyof A> = { [K in N]?: In<A[K]> | undefined }

/** No name under any other word. */
export type None = { readonly [word: string]: never }

/** Names under what is so of them: to sort all of them once costs the compiler less than to ask each for each use. */
type Reads<A> = { [K in keyof A as Reading<A[K]>]: K } & None

type Reading<X> = IsOptional<X> extends true ? 'may' : 'must'

/** What is read. */
export type Row<A> = Outs<A, Reads<A>['must']> & MaybeOuts<A, Reads<A>['may']>

/** Whether it may be left out of what is made as a whole, where only a validator fills anything in. */
type IsLeftOut<X> = X extends { readonly '~flag': unknown } ? IsOptional<X> : undefined extends In<X> ? true : false

type Makes<A> = { [K in keyof A as IsLeftOut<A[K]> extends true ? 'may' : 'must']: K } & None

/** What is given to make all of it. */
export type GivenRow<A> = Ins<A, Makes<A>['must']> & MaybeIns<A, Makes<A>['may']>

type Giving<X> = X extends { readonly '~flag': infer F }
  ? 'derived' extends F
    ? 'never'
    : 'optional' extends F
      ? 'may'
      : 'default' extends F
        ? 'may'
        : 'must'
  : undefined extends In<X>
    ? 'may'
    : 'must'

type Gives<A> = { [K in keyof A as Giving<A[K]>]: K } & None

/** What is given to be written. A row that was read can be put again: derived attributes are then held to what is stored. */
export type Put<A> = Ins<A, Gives<A>['must']> & MaybeIns<A, Gives<A>['may']> & AsRead<A, Gives<A>['never']>

type AsRead<A, N extends keyof A> = { [K in N]?: Out<A[K]> | undefined }
