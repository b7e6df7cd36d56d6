import { checkOptions, formatValue, isObject, isSafeInteger } from '../schema/checks/assertions.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import type { Caps, Context } from './context.js'

/**
 * Throws `call.argument` for an invalid argument, for callers without a type checker. The message is complete: the argument,
 * what is wrong, and what to give.
 */
export function assertArgument(holds: boolean, message: string): void {
  if (!holds) throw new GraphError('call.argument', message)
}

export const isNonEmptyText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.isWellFormed()

/**
 * Returns an argument that must be an object with named members. A text or a list would pass for an object without
 * members.
 */
export const assertObject = <T>(row: T): T => {
  assertArgument(isObject(row), 'row: the argument is not an object; give attributes by name.')
  return row
}

/** Throws when an optional argument is not a function. */
export const assertFunction = (value: unknown, name: string): void =>
  assertArgument(
    value === undefined || typeof value === 'function',
    `${name}: the value is not a function; give a function.`,
  )

/** Returns the options of a call. Throws on an option that is not in `known`, which would have no effect. */
export function parseOptions<T extends object>(callName: string, options: T | undefined, known: string): Partial<T> {
  if (options === undefined) return NO_OPTIONS
  checkOptions(callName, options, known)
  // An undefined option is omitted, so that it does not override a value set earlier.
  return mapValues(options as Record<string, unknown>, value => value) as Partial<T>
}

export const NO_OPTIONS = {}

/** Parses the options of a long-running job before it starts. `functions` names the options that are functions. */
export function parseWorkOptions<T extends object>(
  callName: string,
  options: T,
  known: string,
  functions = '',
): Partial<T> {
  const parsed: Partial<T> & { readonly signal?: AbortSignalLike } = parseOptions(callName, options, known)
  for (const name of functions.split(', ')) assertFunction(parsed[name as keyof T], name)
  const { signal } = parsed
  assertArgument(
    signal === undefined || typeof signal?.throwIfAborted === 'function',
    'signal: the value is not an AbortSignal; give the signal of an AbortController.',
  )
  return parsed
}

/** The names of the options of a call's `run()`. */
export const RUN_OPTION_NAMES = 'signal, deadlineMs, token, tokenTtlSeconds, caps, progress'

/** Parses the caps of a call. Throws on an unknown name, because a misspelled cap would have no effect. */
export function parseCaps(caps: Caps | undefined): Caps {
  const parsed = parseOptions('caps', caps, 'requests, units')
  assertNumber(parsed.requests, 'requests')
  assertNumber(parsed.units, 'units')
  return parsed
}

/** Whether two contexts have the same store and the same tenant. Calls cannot be combined across stores or tenants. */
export const isSameContext = ({ store, tenant }: Context, other: Context): boolean =>
  other.store === store && other.tenant === tenant

/** Throws when an optional argument is not a number of at least `min`. */
export function assertNumber(value: unknown, name: string, min = 0): void {
  if (value === undefined || (typeof value === 'number' && value >= min)) return
  assertArgument(false, `${name}: ${formatValue(value)} is out of range; give a number from ${min}.`)
}

/** Throws when an argument is not an integer of at least `min`. */
export const assertInteger = (value: unknown, name: string, min = 1): void =>
  assertArgument(
    isSafeInteger(value) && value >= min,
    `${name}: ${formatValue(value)} is out of range; give a whole number from ${min}.`,
  )

/** Throws when an argument is not one of two texts. */
export const assertChoice = (value: unknown, name: string, first: string, second: string): void =>
  assertArgument(
    value === first || value === second,
    `${name}: ${formatValue(value)} is not a valid value; give '${first}' or '${second}'.`,
  )
