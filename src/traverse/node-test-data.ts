import { ATTRIBUTE_TYPES, type AttributeType } from '../dynamodb/attribute-value.js'
import type { DeclaredType } from '../layout/slots.js'
import { membersByName } from '../plan/members.js'
import { isObject } from '../schema/checks/assertions.js'
import { GraphError } from '../schema/error.js'
import type { NodeTest, Operand } from './node-test.js'
import { isStoredValue } from './stored-value.js'

const COMPARISONS = ['=', '<>', '<', '<=', '>', '>=', 'startsWith', 'contains'] as const

/** The test of nodes of a type that was stored as data. */
export function parseNodeTest(type: DeclaredType, given: unknown): NodeTest {
  if (!isObject(given)) throw invalidTest(type)
  const { test, of, value, values } = given
  if (test === 'and' || test === 'or') {
    if (!Array.isArray(of)) throw invalidTest(type)
    return { test, of: of.map(each => parseNodeTest(type, each)) }
  }
  if (test === 'negated') return { test, of: parseNodeTest(type, of) }
  const operand = parseOperand(type, given.operand)
  if (test === 'exists' || test === 'missing') return { test, operand }
  if (test === 'type' && ATTRIBUTE_TYPES.includes(given.type as AttributeType))
    return { test, operand, type: given.type as AttributeType }
  if (test === 'in' && Array.isArray(values) && values.every(isStoredValue)) return { test, operand, values }
  const comparison = COMPARISONS.find(each => each === test)
  if (!comparison || !isStoredValue(value)) throw invalidTest(type)
  return { test: comparison, operand, value }
}

function parseOperand(type: DeclaredType, given: unknown): Operand {
  const { attribute, at, size } = isObject(given) ? given : {}
  const isStep = (step: unknown) => typeof step === 'string' || Number.isSafeInteger(step)
  if (typeof attribute !== 'string' || !Array.isArray(at) || !at.every(isStep)) throw invalidTest(type)
  membersByName(type, attribute)
  return { attribute, at, ...(size === true && { size }) }
}

const invalidTest = ({ name }: DeclaredType) =>
  new GraphError(
    'condition.invalid',
    `condition on '${name}': the value is not the data of a condition; give the result of data().`,
  )
