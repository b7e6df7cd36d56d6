import type { StandardSchema } from '../standard-schema.js'

export type Attributes = Readonly<Record<string, StandardSchema>>

/** Prints as a plain object where it is hovered. */
export type Simplify<T> = { [K in keyof T]: T[K] } & {}

export type Names<T> = keyof T & string

/** What is under a name that is known to be there. */
export type PropertyOf<T, K> = T[K & keyof T]

export type InputOf<X> = X extends {
  readonly '~standard': { readonly types?: { readonly input: infer I } | undefined }
}
  ? I
  : never

export type OutputOf<X> = X extends {
  readonly '~standard': { readonly types?: { readonly output: infer O } | undefined }
}
  ? O
  : never

/** Whether an attribute may be missing. Of a validator, its output tells. */
export type IsOptional<X> = X extends { readonly '~flag': infer F }
  ? 'optional' extends F
    ? true
    : false
  : undefined extends OutputOf<X>
    ? true
    : false

/** Whether an attribute is of a type that the store knows nothing of: it is replaced as a whole, and not added up. */
export type IsMapped<X> = X extends { readonly '~flag': infer F } ? ('mapped' extends F ? true : false) : false

type RequiredOutputs<A, N extends keyof A> = { [K in N]: OutputOf<A[K]> }

type OptionalOutputs<A, N extends keyof A> = { [K in N]?: OutputOf<A[K]> }

type RequiredInputs<A, N extends keyof A> = { [K in N]: InputOf<A[K]> }

/** What is undefined there is not given, also to those who tell the two apart. */
type OptionalInputs<A, N extends keyof A> = { [K in N]?: InputOf<A[K]> | undefined }

/** No name under any other word. */
export type NoOtherNames = { readonly [word: string]: never }

/** Names under what is so of them: to sort all of them once costs the compiler less than to ask each for each use. */
type NamesByPresence<A> = { [K in keyof A as PresenceOf<A[K]>]: K } & NoOtherNames

type PresenceOf<X> = IsOptional<X> extends true ? 'may' : 'must'

/** What is read. */
export type AttributeRow<A> = RequiredOutputs<A, NamesByPresence<A>['must']> &
  OptionalOutputs<A, NamesByPresence<A>['may']>

/** Whether it may be left out of what is made as a whole, where only a validator fills anything in. */
type CanBeOmitted<X> = X extends { readonly '~flag': unknown }
  ? IsOptional<X>
  : undefined extends InputOf<X>
    ? true
    : false

type NamesByOmission<A> = { [K in keyof A as CanBeOmitted<A[K]> extends true ? 'may' : 'must']: K } & NoOtherNames

/** What is given to make all of it. */
export type MapInput<A> = RequiredInputs<A, NamesByOmission<A>['must']> & OptionalInputs<A, NamesByOmission<A>['may']>

type InputPresenceOf<X> = X extends { readonly '~flag': infer F }
  ? 'derived' extends F
    ? 'never'
    : 'optional' extends F
      ? 'may'
      : 'default' extends F
        ? 'may'
        : 'must'
  : undefined extends InputOf<X>
    ? 'may'
    : 'must'

type NamesByInputPresence<A> = { [K in keyof A as InputPresenceOf<A[K]>]: K } & NoOtherNames

/** What is given to be written. A row that was read can be put again: derived attributes are then held to what is stored. */
export type AttributeRowInput<A> = RequiredInputs<A, NamesByInputPresence<A>['must']> &
  OptionalInputs<A, NamesByInputPresence<A>['may']> &
  EchoedOutputs<A, NamesByInputPresence<A>['never']>

type EchoedOutputs<A, N extends keyof A> = { [K in N]?: OutputOf<A[K]> | undefined }
