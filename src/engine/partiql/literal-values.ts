import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { NESTING_LEVELS } from '../../dynamodb/limits.js'
import { invalidParameterError, ServiceError, validationError } from '../errors.js'
import { setMember } from '../values/attribute-maps.js'
import { hasDuplicate } from '../values/duplicate-members.js'
import { toCanonicalNumber } from '../values/numbers.js'
import { parseInputItem, parseInputValue } from '../values/parse-item.js'
import type { StoredItem } from '../values/stored-item.js'
import { ionTypeOf } from './ion-type.js'
import type { PartiqlExpression } from './parsing/syntax.js'
import { malformedStatementError, unsupportedStatementError } from './statement-errors.js'

/** The canonical parameters of a request, in the order of their placeholders. */
export type StatementParameters = readonly AttributeValue[]

export function parseParameters(parameters: readonly AttributeValue[] | undefined): StatementParameters {
  return (parameters ?? []).map(value => parseInputValue(value, 'older'))
}

/** Returns the value of a literal or a parameter; undefined for other expressions. */
export function resolveValue(
  expression: PartiqlExpression,
  parameters: StatementParameters,
): AttributeValue | undefined {
  switch (expression.kind) {
    case 'parameter':
      return parameters[expression.index]!
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
    case 'list':
    case 'bag':
    case 'struct':
    case 'ion':
      return parseInputValue(toLiteralValue(expression, ''), 'older')
    default:
      return undefined
  }
}

/** Returns the item of an INSERT. Only a whole attribute can be a parameter. */
export function resolveItem(expression: PartiqlExpression, parameters: StatementParameters): StoredItem {
  if (expression.kind !== 'struct')
    throw unsupportedStatementError(
      'Unsupported format in item expression. ' +
        'Please use struct format {...} to express item values for insert statement.',
      expression.at,
    )
  return parseInputItem(
    toAttributeMap(expression, '', value =>
      value.kind === 'parameter' ? parameters[value.index]! : toLiteralValue(value, ''),
    ),
    'older',
  )
}

function toLiteralValue(expression: PartiqlExpression, path: string, level = 0): AttributeValue {
  if (level === NESTING_LEVELS) throw validationError(`Nesting Levels have exceeded supported limits under root${path}`)
  switch (expression.kind) {
    case 'string':
      return { S: expression.text }
    case 'number':
      return { N: toCheckedNumber(expression.text, path) }
    case 'boolean':
      return { BOOL: expression.value }
    case 'null':
      return { NULL: true }
    case 'list':
      return { L: expression.elements.map((element, i) => toLiteralValue(element, `${path}[${i}]`, level + 1)) }
    case 'bag':
      return toSetValue(expression, path)
    case 'struct':
      return {
        M: toAttributeMap(expression, path, (value, name) => toLiteralValue(value, `${path}.${name}`, level + 1)),
      }
    case 'ion':
      throw ionError(expression, path)
    default:
      throw unsupportedStatementError(
        `Unsupported data type: ${expressionNameOf(expression, path)} under key root${path}`,
        expression.at,
      )
  }
}

function ionError({ text, at }: Extract<PartiqlExpression, { kind: 'ion' }>, path: string): Error {
  const type = ionTypeOf(text)
  return type
    ? unsupportedStatementError(`Ion Literals are not supported: ${type} under key root${path}`, at)
    : malformedStatementError()
}

/** Returns the service's name for an expression that is not a literal. */
function expressionNameOf(expression: PartiqlExpression, path: string): string {
  switch (expression.kind) {
    case 'parameter':
      return 'Parameter'
    case 'missing':
      return 'MISSING'
    case 'path':
      return expression.root
    case 'call':
      return path === '' ? expression.name : 'Call'
    case 'other':
      return expression.name
    case 'operation':
    case 'sign':
      return expression.operator.toLowerCase()
    case 'statement':
      return 'SELECT'
    default:
      return expression.kind
  }
}

function toCheckedNumber(text: string, path: string): string {
  try {
    return toCanonicalNumber(text, 'older')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw validationError(`${error.message} under root${path}`)
  }
}

type Struct = Extract<PartiqlExpression, { kind: 'struct' }>

function toAttributeMap(
  { members: structMembers }: Struct,
  path: string,
  read: (value: PartiqlExpression, name: string) => AttributeValue,
): Item {
  const item: Item = {}
  for (const { key, value } of structMembers) {
    if (key.kind !== 'string')
      throw unsupportedStatementError(
        `Tuple keys must be of type String. Actual type: ${keyTypeOf(key)} under root${path}`,
        key.at,
      )
    if (Object.hasOwn(item, key.text))
      throw unsupportedStatementError(`Duplicate keys in tuple. Key: ${key.text} under root${path}`, key.at)
    if (key.text === '') throw validationError('Path component cannot be an empty string')
    setMember(item, key.text, read(value, key.text))
  }
  return item
}

function keyTypeOf(key: PartiqlExpression): string {
  if (key.kind === 'path') return 'VariableReference'
  if (key.kind === 'boolean') return 'BOOL'
  return key.kind === 'number' ? (/[.e]/i.test(key.text) ? 'DECIMAL' : 'INT') : key.kind.toUpperCase()
}

const MIXED = 'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags'

function toSetValue({ elements }: Extract<PartiqlExpression, { kind: 'list' | 'bag' }>, path: string): AttributeValue {
  const [first] = elements
  if (!first) throw validationError('Empty bags are not supported')
  if (first.kind !== 'string' && first.kind !== 'number') throw unsupportedStatementError(MIXED, first.at)
  const other = elements.find(element => element.kind !== first.kind)
  if (other) throw mixedSetError(first.kind, other, path)
  const texts = elements.map(element => (element as { text: string }).text)
  return first.kind === 'string' ? { SS: texts } : toNumberSet(texts, path)
}

/** Creates the service's error for an element that differs in type from the first. */
function mixedSetError(kind: 'string' | 'number', element: PartiqlExpression, path: string): Error {
  if (element.kind === 'parameter')
    return unsupportedStatementError(
      `Unsupported data type: ${expressionNameOf(element, path)} under key root${path}`,
      element.at,
    )
  if (element.kind === 'ion') return ionError(element, path)
  if (kind === 'string') return unsupportedStatementError(MIXED, element.at)
  if (element.kind === 'null') return invalidParameterError(`Numeric sets may not contain null under root${path}`)
  return validationError(MIXED)
}

/** For duplicate numbers the service shows the set as written. */
function toNumberSet(texts: readonly string[], path: string): AttributeValue {
  const NS = texts.map(text => toCheckedNumber(text, path))
  if (hasDuplicate(NS))
    throw invalidParameterError(`Input collection [${texts.join(', ')}] contains duplicates! under root${path}`)
  return { NS }
}
