import { type AttributeType, type AttributeValue, attributeTypeOf } from '../../dynamodb/attribute-value.js'
import type { ComparisonOperator } from '../../dynamodb/operation-types.js'
import { invalidParameterError, validationError } from '../errors.js'
import { compareValues } from '../values/compare-values.js'

interface OperatorRule {
  /** The number of values; IN takes one or more. */
  readonly values: number | 'some'
  readonly types?: readonly AttributeType[]
}

const SCALARS: readonly AttributeType[] = ['S', 'N', 'B']
const PARTS: readonly AttributeType[] = ['S', 'N', 'B', 'BOOL', 'NULL']

const RULES: Readonly<Record<ComparisonOperator, OperatorRule>> = {
  EQ: { values: 1 },
  NE: { values: 1 },
  LE: { values: 1, types: SCALARS },
  LT: { values: 1, types: SCALARS },
  GE: { values: 1, types: SCALARS },
  GT: { values: 1, types: SCALARS },
  BETWEEN: { values: 2, types: SCALARS },
  BEGINS_WITH: { values: 1, types: ['S', 'B'] },
  CONTAINS: { values: 1, types: PARTS },
  NOT_CONTAINS: { values: 1, types: PARTS },
  IN: { values: 'some', types: SCALARS },
  NULL: { values: 0 },
  NOT_NULL: { values: 0 },
}

/**
 * Checks the values of an operator: their number, their types, that all have the same type, and the order of bounds.
 */
export function checkOperatorArguments(operator: ComparisonOperator, values: readonly AttributeValue[]): void {
  const rule = RULES[operator]
  const isCountRight = rule.values === 'some' ? values.length > 0 : values.length === rule.values
  if (!isCountRight) throw invalidParameterError(`Invalid number of argument(s) for the ${operator} ComparisonOperator`)
  for (const value of values)
    if (rule.types && !rule.types.includes(attributeTypeOf(value)))
      throw invalidParameterError(
        `ComparisonOperator ${operator} is not valid for ${attributeTypeOf(value)} AttributeValue type`,
      )
  if (values.some(value => attributeTypeOf(value) !== attributeTypeOf(values[0]!)))
    throw invalidParameterError('AttributeValues inside AttributeValueList must be of same type')
  if (operator === 'BETWEEN' && compareValues(values[0]!, values[1]!)! > 0)
    throw validationError(
      'The BETWEEN condition was provided a range where the lower bound is greater than the upper bound',
    )
}

/** Returns whether an operator takes values. For others the list may be missing. */
export function hasArguments(operator: ComparisonOperator): boolean {
  return RULES[operator].values !== 0
}
