import type { StandardSchema } from '../standard-schema.js'

export type Attributes = Readonly<Record<string, StandardSchema>>

/** The same type, which an editor shows as a plain object. */
export type Simplify<T> = { [K in keyof T]: T[K] } & {}

export type Names<T> = keyof T & string

/** The type of a property whose name is known to exist. */
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

/** Whether an attribute may be missing. For a validator, its output type decides. */
export type IsOptional<X> = X extends { readonly '~flag': infer F }
  ? 'optional' extends F
    ? true
    : false
  : undefined extends OutputOf<X>
    ? true
    : false

/**
 * Whether an attribute has a user-defined type that DynamoDB does not know. Updates replace its value as a whole and
 * cannot add to it.
 */
export type IsMapped<X> = X extends { readonly '~flag': infer F } ? ('mapped' extends F ? true : false) : false

type RequiredOutputs<A, N extends keyof A> = { [K in N]: OutputOf<A[K]> }

type OptionalOutputs<A, N extends keyof A> = { [K in N]?: OutputOf<A[K]> }

type RequiredInputs<A, N extends keyof A> = { [K in N]: InputOf<A[K]> }

/** Optional members that also accept `undefined`, for compilations with `exactOptionalPropertyTypes`. */
type OptionalInputs<A, N extends keyof A> = { [K in N]?: InputOf<A[K]> | undefined }

/** Rejects every other name. */
export type NoOtherNames = { readonly [word: string]: never }

/**
 * The names of attributes by presence. Sorting all names once costs the compiler less than testing each name at each
 * use.
 */
type NamesByPresence<A> = { [K in keyof A as PresenceOf<A[K]>]: K } & NoOtherNames

type PresenceOf<X> = IsOptional<X> extends true ? 'may' : 'must'

/** The attributes of a row as it is read. */
export type AttributeRow<A> = RequiredOutputs<A, NamesByPresence<A>['must']> &
  OptionalOutputs<A, NamesByPresence<A>['may']>

/**
 * Whether a member may be left out of a map that is written as a whole. Only a validator can fill in a missing member.
 */
type CanBeOmitted<X> = X extends { readonly '~flag': unknown }
  ? IsOptional<X>
  : undefined extends InputOf<X>
    ? true
    : false

type NamesByOmission<A> = { [K in keyof A as CanBeOmitted<A[K]> extends true ? 'may' : 'must']: K } & NoOtherNames

/** The input of a map attribute. */
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

/**
 * The attributes of a row as it is written. A row that was read can be put again: its derived attributes are then
 * compared with the stored values.
 */
export type AttributeRowInput<A> = RequiredInputs<A, NamesByInputPresence<A>['must']> &
  OptionalInputs<A, NamesByInputPresence<A>['may']> &
  EchoedOutputs<A, NamesByInputPresence<A>['never']>

type EchoedOutputs<A, N extends keyof A> = { [K in N]?: OutputOf<A[K]> | undefined }
