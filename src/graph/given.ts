import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import { checkOptions, isObject } from '../schema/refusal.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import type { Caps, Context } from './context.js'

/** Refuses what a compiler would have refused; `what` says what to give. */
export function given(holds: boolean, what: string): void {
  if (!holds) throw new GraphError('call.given', what)
}

export const isText = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.isWellFormed()

/** What is given by names; anything else would be taken for an object without any. */
export const objectOf = <T>(row: T): T => {
  given(isObject(row), 'give attributes by name')
  return row
}

/** Refuses what is given, but is no function. */
export const givenFunction = (value: unknown, name: string): void =>
  given(value === undefined || typeof value === 'function', `${name} is a function`)

/** Options of a call, none of which would be overlooked. `known` has the names of those that there are. */
export function optionsOf<T extends object>(of: string, options: T | undefined, known: string): Partial<T> {
  if (options === undefined) return NONE
  checkOptions(of, options, known)
  // What is undefined is not given, and takes back nothing that was.
  return mapValues(options as Record<string, unknown>, value => value) as Partial<T>
}

export const NONE = {}

/** The same of work that goes on for long, before it has done any: `functions` has the names of those that are some. */
export function workOptions<T extends object>(of: string, options: T, known: string, functions = ''): Partial<T> {
  const said: Partial<T> & { readonly signal?: AbortSignalLike } = optionsOf(of, options, known)
  for (const name of functions.split(', ')) givenFunction(said[name as keyof T], name)
  const { signal } = said
  given(signal === undefined || typeof signal?.throwIfAborted === 'function', 'give the signal of an AbortController')
  return said
}

/** Of a call that is run. */
export const RUN_OPTIONS = 'signal, deadlineMs, token, keepSeconds, caps, progress'

/** The most that a call may take, of which nothing would be overlooked. */
export function capsOf(caps: Caps | undefined): Caps {
  const known = optionsOf('caps', caps, 'requests, units')
  givenNumber(known.requests, 'requests')
  givenNumber(known.units, 'units')
  return known
}

/** Whether what was made for one is done there: what is of another store, or of another tenant, is not. */
export const isOf = ({ store, tenant }: Context, other: Context): boolean =>
  other.store === store && other.tenant === tenant

/** Refuses what is given, but is no number, or less. */
export const givenNumber = (value: unknown, name: string, least = 0): void =>
  given(value === undefined || (typeof value === 'number' && value >= least), `${name} is a number from ${least}`)
