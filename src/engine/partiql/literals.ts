import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { NESTING_LEVELS } from '../../dynamodb/limits.js'
import { invalidParameter, ServiceError, validation } from '../errors.js'
import { hasDuplicate } from '../values/duplicates.js'
import { takeItem, takeValue } from '../values/intake.js'
import { setMember } from '../values/maps.js'
import { canonicalNumber } from '../values/numbers.js'
import type { Stored } from '../values/stored.js'
import { malformed, refused } from './faults.js'
import { ionType } from './ion.js'
import type { Expression } from './syntax.js'

/** The parameters of a request, canonical: the values of a statement that stand for themselves. */
export type Parameters = readonly AttributeValue[]

export function takeParameters(parameters: readonly AttributeValue[] | undefined): Parameters {
  return (parameters ?? []).map(value => takeValue(value, 'older'))
}

/** A value that a statement states, or gives as a parameter; undefined for what is no value. */
export function statedValue(expression: Expression, parameters: Parameters): AttributeValue | undefined {
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
      return takeValue(literal(expression, ''), 'older')
    default:
      return undefined
  }
}

/** The item of an INSERT. Only a whole attribute can be a parameter, not a part of one. */
export function statedItem(expression: Expression, parameters: Parameters): Stored {
  if (expression.kind !== 'struct')
    throw refused(
      'Unsupported format in item expression. ' +
        'Please use struct format {...} to express item values for insert statement.',
      expression.at,
    )
  return takeItem(
    members(expression, '', value => (value.kind === 'parameter' ? parameters[value.index]! : literal(value, ''))),
    'older',
  )
}

function literal(expression: Expression, path: string, level = 0): AttributeValue {
  if (level === NESTING_LEVELS) throw validation(`Nesting Levels have exceeded supported limits under root${path}`)
  switch (expression.kind) {
    case 'string':
      return { S: expression.text }
    case 'number':
      return { N: checkedNumber(expression.text, path) }
    case 'boolean':
      return { BOOL: expression.value }
    case 'null':
      return { NULL: true }
    case 'list':
      return { L: expression.elements.map((element, i) => literal(element, `${path}[${i}]`, level + 1)) }
    case 'bag':
      return set(expression, path)
    case 'struct':
      return { M: members(expression, path, (value, name) => literal(value, `${path}.${name}`, level + 1)) }
    case 'ion':
      throw ionRefusal(expression, path)
    default:
      throw refused(`Unsupported data type: ${nameOf(expression, path)} under key root${path}`, expression.at)
  }
}

function ionRefusal({ text, at }: Extract<Expression, { kind: 'ion' }>, path: string): Error {
  const type = ionType(text)
  return type ? refused(`Ion Literals are not supported: ${type} under key root${path}`, at) : malformed()
}

/** What the service calls an expression that is no literal. */
function nameOf(expression: Expression, path: string): string {
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

function checkedNumber(text: string, path: string): string {
  try {
    return canonicalNumber(text, 'older')
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    throw validation(`${error.message} under root${path}`)
  }
}

type Struct = Extract<Expression, { kind: 'struct' }>

function members(
  { members: given }: Struct,
  path: string,
  read: (value: Expression, name: string) => AttributeValue,
): Item {
  const item: Item = {}
  for (const { key, value } of given) {
    if (key.kind !== 'string')
      throw refused(`Tuple keys must be of type String. Actual type: ${keyType(key)} under root${path}`, key.at)
    if (Object.hasOwn(item, key.text))
      throw refused(`Duplicate keys in tuple. Key: ${key.text} under root${path}`, key.at)
    if (key.text === '') throw validation('Path component cannot be an empty string')
    setMember(item, key.text, read(value, key.text))
  }
  return item
}

function keyType(key: Expression): string {
  if (key.kind === 'path') return 'VariableReference'
  if (key.kind === 'boolean') return 'BOOL'
  return key.kind === 'number' ? (/[.e]/i.test(key.text) ? 'DECIMAL' : 'INT') : key.kind.toUpperCase()
}

const MIXED = 'Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags'

function set({ elements }: Extract<Expression, { kind: 'list' | 'bag' }>, path: string): AttributeValue {
  const [first] = elements
  if (!first) throw validation('Empty bags are not supported')
  if (first.kind !== 'string' && first.kind !== 'number') throw refused(MIXED, first.at)
  const other = elements.find(element => element.kind !== first.kind)
  if (other) throw misfit(first.kind, other, path)
  const texts = elements.map(element => (element as { text: string }).text)
  return first.kind === 'string' ? { SS: texts } : numbers(texts, path)
}

/** What the service says of an element that is not of the kind of the first. */
function misfit(kind: 'string' | 'number', element: Expression, path: string): Error {
  if (element.kind === 'parameter')
    return refused(`Unsupported data type: ${nameOf(element, path)} under key root${path}`, element.at)
  if (element.kind === 'ion') return ionRefusal(element, path)
  if (kind === 'string') return refused(MIXED, element.at)
  if (element.kind === 'null') return invalidParameter(`Numeric sets may not contain null under root${path}`)
  return validation(MIXED)
}

/** Of a number twice it shows the set as it was written. */
function numbers(texts: readonly string[], path: string): AttributeValue {
  const NS = texts.map(text => checkedNumber(text, path))
  if (hasDuplicate(NS))
    throw invalidParameter(`Input collection [${texts.join(', ')}] contains duplicates! under root${path}`)
  return { NS }
}
