import type { AttributeType, AttributeValue } from '../dynamodb/attribute-value.js'
import { compareUtf8 } from '../layout/keys/compare-utf8.js'
import { hexOf } from '../layout/keys/hex.js'
import { toSortText } from '../layout/keys/key-text-codec.js'
import { canonicalText, isSameValue } from '../plan/slot-values.js'

/** An attribute, a place within it, or the size of that. */
export interface Operand {
  readonly attribute: string
  readonly at: readonly (string | number)[]
  readonly size?: boolean
}

/** A test of a node, as data. It means what the same condition means in a filter of DynamoDB. */
export type NodeTest =
  | { readonly test: 'and' | 'or'; readonly of: readonly NodeTest[] }
  | { readonly test: 'negated'; readonly of: NodeTest }
  | { readonly test: 'in'; readonly operand: Operand; readonly values: readonly AttributeValue[] }
  | { readonly test: 'exists' | 'missing'; readonly operand: Operand }
  | { readonly test: 'type'; readonly operand: Operand; readonly type: AttributeType }
  | {
      readonly test: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'startsWith' | 'contains'
      readonly operand: Operand
      readonly value: AttributeValue
    }

/** Whether the stored values of a node meet a test. */
export function isTestMet(test: NodeTest, stored: (attribute: string) => AttributeValue | undefined): boolean {
  switch (test.test) {
    case 'and':
      return test.of.every(each => isTestMet(each, stored))
    case 'or':
      return test.of.some(each => isTestMet(each, stored))
    case 'negated':
      return !isTestMet(test.of, stored)
    case 'exists':
      return operandValueOf(test.operand, stored) !== undefined
    case 'missing':
      return operandValueOf(test.operand, stored) === undefined
    case 'type':
      return test.type in (operandValueOf(test.operand, stored) ?? {})
    case 'in': {
      const value = operandValueOf(test.operand, stored)
      return value !== undefined && test.values.some(each => isEqual(value, each))
    }
    default:
      return isComparisonTrue(test.test, operandValueOf(test.operand, stored), test.value)
  }
}

function isComparisonTrue(sign: string, value: AttributeValue | undefined, other: AttributeValue): boolean {
  // DynamoDB finds that an absent attribute differs from every value.
  if (!value) return sign === '<>'
  if (sign === '=') return isEqual(value, other)
  if (sign === '<>') return !isEqual(value, other)
  if (sign === 'startsWith') return value.S?.startsWith(other.S!) === true
  if (sign === 'contains') return doesContain(value, other)
  const order = compareStoredValues(value, other)
  if (order === undefined) return false
  return sign === '<' ? order < 0 : sign === '<=' ? order <= 0 : sign === '>' ? order > 0 : order >= 0
}

/** Numbers are equal by value, however they are written. */
function isEqual(a: AttributeValue, b: AttributeValue): boolean {
  if (a.N !== undefined && b.N !== undefined) return compareStoredValues(a, b) === 0
  return isSameValue(a, b)
}

/** Undefined if DynamoDB does not order the two values. */
export function compareStoredValues(a: AttributeValue, b: AttributeValue): number | undefined {
  const type = Object.keys(a)[0]
  if (type !== Object.keys(b)[0] || (type !== 'S' && type !== 'N' && type !== 'B')) return undefined
  return a.B ? compareUtf8(hexOf(a.B), hexOf(b.B!)) : compareUtf8(toSortText(a), toSortText(b))
}

function doesContain(value: AttributeValue, member: AttributeValue): boolean {
  if (value.S !== undefined) return member.S !== undefined && value.S.includes(member.S)
  if (value.L) return value.L.some(each => isEqual(each, member))
  const text = canonicalText(Object.values(member)[0])
  const members: readonly unknown[] = value.SS ?? value.NS ?? value.BS ?? []
  return members.some(each => canonicalText(each) === text)
}

function operandValueOf(
  { attribute, at, size }: Operand,
  stored: (attribute: string) => AttributeValue | undefined,
): AttributeValue | undefined {
  let value = stored(attribute)
  for (const step of at) value = typeof step === 'number' ? value?.L?.[step] : value?.M?.[step]
  return size ? value && sizeOf(value) : value
}

function sizeOf({ S, B, ...rest }: AttributeValue): AttributeValue | undefined {
  const { SS, NS, BS, L, M } = rest
  const size = S?.length ?? B?.length ?? (SS ?? NS ?? BS ?? L)?.length ?? (M && Object.keys(M).length)
  return size === undefined ? undefined : { N: String(size) }
}
