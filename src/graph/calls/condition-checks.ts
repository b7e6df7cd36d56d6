import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { compareStoredValues } from '../../traverse/node-test.js'

/** Throws for a function of texts on a number. DynamoDB finds it false, although a decimal is a text in a row. */
export function assertTextFunction({ type }: DeclaredAttribute, label: string): void {
  if (type === 'N')
    throw new GraphError(
      'condition.invalid',
      `${label}: the attribute is a number, which has no text functions; compare it by value.`,
    )
}

/** Throws for a list of operands without an operand. */
export function assertOperands(operands: readonly unknown[], label: string): void {
  if (operands.length === 0)
    throw new GraphError('condition.invalid', `${label}: in() has no values; give at least one value.`)
}

/** Throws for an operand that DynamoDB does not order: only texts, numbers and binary values have an order. */
export function assertOrdered(operand: AttributeValue, label: string): AttributeValue {
  if (compareStoredValues(operand, operand) === undefined)
    throw new GraphError(
      'condition.invalid',
      `${label}: values of this type have no order; compare the attribute with is() or not().`,
    )
  return operand
}

/** Throws for a range that DynamoDB rejects because its end is before its start. */
export function assertRange(from: AttributeValue, to: AttributeValue, label: string): void {
  const order = compareStoredValues(assertOrdered(from, label), assertOrdered(to, label))
  if (order === undefined || order > 0)
    throw new GraphError('condition.invalid', `${label}: the range ends before it starts; swap its two values.`)
}
