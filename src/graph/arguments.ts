import { checkOptions, isObject } from '../schema/checks/assertions.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import type { Caps, Context } from './context.js'

/** Refuses what a compiler would have refused; `what` says what to give. */
export function assertArgument(holds: boolean, message: string): void {
  if (!holds) throw new GraphError('call.given', message)
}

export const isNonEmptyText = (value: unknown): boolean =>
  typeof value === 'string' && value !== '' && value.isWellFormed()

/** What is given by names; anything else would be taken for an object without any. */
export const assertObject = <T>(row: T): T => {
  assertArgument(isObject(row), 'give attributes by name')
  return row
}

/** Refuses what is given, but is no function. */
export const assertFunction = (value: unknown, name: string): void =>
  assertArgument(value === undefined || typeof value === 'function', `${name} is a function`)

/** Options of a call, none of which would be overlooked. `known` has the names of those that there are. */
export function parseOptions<T extends object>(callName: string, options: T | undefined, known: string): Partial<T> {
  if (options === undefined) return NO_OPTIONS
  checkOptions(callName, options, known)
  // What is undefined is not given, and takes back nothing that was.
  return mapValues(options as Record<string, unknown>, value => value) as Partial<T>
}

export const NO_OPTIONS = {}

/** The same of work that goes on for long, before it has done any: `functions` has the names of those that are some. */
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
    'give the signal of an AbortController',
  )
  return parsed
}

/** Of a call that is run. */
export const RUN_OPTION_NAMES = 'signal, deadlineMs, token, tokenTtlSeconds, caps, progress'

/** The most that a call may take, of which nothing would be overlooked. */
export function parseCaps(caps: Caps | undefined): Caps {
  const parsed = parseOptions('caps', caps, 'requests, units')
  assertNumber(parsed.requests, 'requests')
  assertNumber(parsed.units, 'units')
  return parsed
}

/** Whether what was made for one is done there: what is of another store, or of another tenant, is not. */
export const isSameContext = ({ store, tenant }: Context, other: Context): boolean =>
  other.store === store && other.tenant === tenant

/** Refuses what is given, but is no number, or less. */
export const assertNumber = (value: unknown, name: string, min = 0): void =>
  assertArgument(value === undefined || (typeof value === 'number' && value >= min), `${name} is a number from ${min}`)
