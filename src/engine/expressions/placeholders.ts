import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { EXPRESSION_VALUES_BYTES } from '../../dynamodb/limits.js'
import { countValueBytes } from '../../dynamodb/size.js'
import { ServiceError, validationError } from '../errors.js'
import { findNameProblem } from '../values/attribute-names.js'
import { parseInputValue } from '../values/parse-item.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import type { Mentions } from './parsing/syntax.js'

const KEY_CHARACTERS = 255
const HASH = 35
const COLON = 58

type Names = Record<string, string>
type Values = Record<string, AttributeValue>

/**
 * The placeholders of a request's expressions: names for `#aliases`, and `:values`, which are canonical and frozen
 * here.
 */
export class Placeholders {
  constructor(
    private readonly names: Names | undefined,
    private readonly values: ReadonlyMap<string, AttributeValue> | undefined,
  ) {}

  name(alias: string): string | undefined {
    return this.names !== undefined && Object.hasOwn(this.names, alias) ? this.names[alias] : undefined
  }

  value(name: string): AttributeValue | undefined {
    return this.values?.get(name)
  }

  /** Throws if a name or a value is not used by any expression. */
  checkUsed(all: readonly Mentions[]): void {
    if (this.names !== undefined) {
      const mentioned = distinctNames(all.map(mentions => mentions.aliases))
      checkAllUsed('ExpressionAttributeNames', Object.keys(this.names), mentioned)
    }
    if (this.values !== undefined) {
      const mentioned = distinctNames(all.map(mentions => mentions.values))
      if (mentioned.size < this.values.size)
        checkAllUsed('ExpressionAttributeValues', [...this.values.keys()], mentioned)
    }
  }
}

export const NO_PLACEHOLDERS = new Placeholders(undefined, undefined)

function distinctNames(lists: readonly (readonly string[])[]): ReadonlySet<string> {
  return new Set(lists.length === 1 ? lists[0] : lists.flat())
}

function checkAllUsed(parameter: string, names: readonly string[], mentioned: ReadonlySet<string>): void {
  const unused = names.filter(key => !mentioned.has(key))
  if (unused.length > 0)
    throw validationError(`Value provided in ${parameter} unused in expressions: keys: {${unused.join(', ')}}`)
}

export function parsePlaceholders(
  names: Names | undefined,
  values: Values | undefined,
  layer: ValidatorLayer,
): Placeholders {
  if (names !== undefined) checkNames(names)
  return new Placeholders(names, values === undefined ? undefined : parseExpressionValues(values, layer))
}

function checkNames(names: Names): void {
  checkKeys('ExpressionAttributeNames', names, HASH)
  for (const alias in names) {
    const problem = findNameProblem(names[alias]!)
    if (problem !== undefined)
      throw validationError(`ExpressionAttributeNames contains invalid value: ${problem} for key ${alias}`)
  }
}

function parseExpressionValues(values: Values, layer: ValidatorLayer): ReadonlyMap<string, AttributeValue> {
  checkKeys('ExpressionAttributeValues', values, COLON)
  const parsed = new Map<string, AttributeValue>()
  let bytes = 0
  for (const key in values) {
    const value = parseExpressionValue(key, values[key]!, layer)
    bytes += key.length + countValueBytes(value)
    parsed.set(key, value)
  }
  if (bytes > EXPRESSION_VALUES_BYTES) throw validationError('ExpressionAttributeValues exceeds max size')
  return parsed
}

function parseExpressionValue(key: string, value: AttributeValue, layer: ValidatorLayer): AttributeValue {
  if (layer === 'current') return parseInputValue(value, layer)
  try {
    return parseInputValue(value, layer)
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw invalidExpressionValueError(key, error.message)
  }
}

export const invalidExpressionValueError = (key: string, problem: string) =>
  validationError(`ExpressionAttributeValues contains invalid value: ${problem} for key ${key}`)

function checkKeys(parameter: string, map: object, sigil: number): void {
  let isEmpty = true
  for (const key in map) {
    isEmpty = false
    if (!isPlaceholderName(key, sigil))
      throw validationError(`${parameter} contains invalid key: ${findKeyProblem(key, sigil)}`)
  }
  if (isEmpty) throw validationError(`${parameter} must not be empty`)
}

function findKeyProblem(key: string, sigil: number): string {
  if (key === '') return 'The expression attribute map contains an empty key;'
  if (key.length > KEY_CHARACTERS) {
    // The service reports the size of an alias, but not the size of the name of a value.
    const sizeText = sigil === HASH ? ` size of key: ${key.length}` : ''
    return `The expression attribute map contains a key that is too long;${sizeText}`
  }
  return `Syntax error; key: "${key}"`
}

/**
 * Returns whether a key is the sigil followed by letters, digits and underscores. Hand-written because it runs on every
 * request.
 */
function isPlaceholderName(key: string, sigil: number): boolean {
  if (key.length < 2 || key.length > KEY_CHARACTERS || key.charCodeAt(0) !== sigil) return false
  for (let i = 1; i < key.length; i++) {
    const code = key.charCodeAt(i)
    const isLetter = (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
    if (!isLetter && !(code >= 48 && code <= 57) && code !== 95) return false
  }
  return true
}
