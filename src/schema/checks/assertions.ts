import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { Code } from '../codes.js'
import { GraphError } from '../error.js'

const MAX_VALUE_CHARACTERS = 60

/** Formats a value for a message. Long values are cut, and no value makes the formatting throw. */
export function formatValue(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.length > MAX_VALUE_CHARACTERS ? `${value.slice(0, MAX_VALUE_CHARACTERS)}…` : value}'`
  if (Object(value) === value && !(value instanceof Date)) return (value as object).constructor?.name ?? 'an object'
  return Object.is(value, -0) ? '-0' : String(value)
}

/** Throws a GraphError about a declared type if the violation is truthy. `message` is the problem and the advice. */
export function rejectDeclarationIf(type: string, violation: unknown, code: Code, name: string, message: string): void {
  if (violation) throw new GraphError(code, `${type}: ${message}`, { type, name })
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value is an integer that JavaScript represents exactly. */
export const isSafeInteger = (value: unknown): value is number => Number.isSafeInteger(value)

/** Whether a value is an integer of at least 1. */
export const isPositiveInteger = (value: unknown): boolean => isSafeInteger(value) && value > 0

const LIST_OPTIONS: ReadonlySet<string> = new Set(['key', 'unique', 'in', 'order'])
const OBJECT_OPTIONS: ReadonlySet<string> = new Set(['within', 'carry', 'count', 'sum', 'embed', 'where', 'onDelete'])

/**
 * Rejects unknown options and options of the wrong form. It serves callers without a compiler; `optionNames` lists the
 * valid options.
 */
export function checkOptions(type: string, options: object, optionNames: string): void {
  rejectDeclarationIf(
    type,
    !isObject(options),
    'call.argument',
    '',
    `its options are not an object; give ${optionNames} by name.`,
  )
  for (const [name, value] of Object.entries(options)) {
    const isKnown = optionNames.split(', ').includes(name)
    rejectDeclarationIf(
      type,
      !isKnown,
      'option.unknown',
      name,
      `there is no option '${name}'; use only ${optionNames}.`,
    )
    if (value === undefined) continue
    rejectDeclarationIf(
      type,
      LIST_OPTIONS.has(name) && !Array.isArray(value),
      'call.argument',
      name,
      `'${name}' is not a list; give a list.`,
    )
    rejectDeclarationIf(
      type,
      OBJECT_OPTIONS.has(name) && !isObject(value),
      'call.argument',
      name,
      `'${name}' is not an object; give an object.`,
    )
  }
}

export function invalidValueError(
  path: string,
  expected: string,
  value: unknown,
  code: Code = 'value.type',
): GraphError {
  return new GraphError(code, `${path}: ${describeInvalidValue(value)}; give ${expected}${nullAdvice(value)}.`, {
    path,
    value,
  })
}

function describeInvalidValue(value: unknown): string {
  if (value === undefined) return 'a value is missing'
  return value === null ? 'null is not a value' : `${formatValue(value)} is not accepted`
}

/** The advice for `null`: in DynamoDB an attribute without a value is absent. */
const nullAdvice = (value: unknown): string => (value === null ? ', leave it out, or use remove() in an update' : '')

export function storedTypeError(path: string, expected: string, value: AttributeValue): GraphError {
  const storedType = Object.keys(value).join()
  return new GraphError(
    'stored.type',
    `${path}: the stored value is of type ${storedType}, not ${expected}; change the declaration or the item.`,
    { path, value },
  )
}
