import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type {
  ComparisonOperator,
  ConditionalOperator,
  Condition as LegacyConditionInput,
} from '../../dynamodb/operation-types.js'
import { validationError } from '../errors.js'
import { type ConditionExpression, newCondition } from '../expressions/condition.js'
import type { CallNode, ConditionNode, OperandNode, Operator } from '../expressions/parsing/syntax.js'
import { SyntaxBuilder } from '../expressions/syntax-builder.js'
import { checkAttributeName } from '../values/attribute-names.js'
import { parseInputValue } from '../values/parse-item.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import { checkOperatorArguments } from './comparison-operators.js'

/** A condition on one attribute, with canonical values. */
export interface AttributeCondition {
  readonly name: string
  readonly operator: ComparisonOperator
  readonly values: readonly AttributeValue[]
}

type Conditions = Readonly<Record<string, LegacyConditionInput | null>>

/**
 * Reads QueryFilter, ScanFilter or KeyConditions. All values are parsed before the arguments of any operator are
 * checked.
 */
export function readConditions(conditions: Conditions, layer: ValidatorLayer): AttributeCondition[] {
  // No attribute has an empty name, but the service accepts it in a filter.
  for (const name in conditions) if (name !== '') checkAttributeName(name)
  const read = Object.entries(conditions).map(([name, condition]) => {
    if (condition === null) throw validationError(`The filter condition for an attribute cannot be null: ${name}`)
    const { ComparisonOperator: operator, AttributeValueList = [] } = condition
    return { name, operator, values: AttributeValueList.map(value => parseInputValue(value, layer)) }
  })
  for (const { operator, values } of read) checkOperatorArguments(operator, values)
  return read
}

/** Reads a legacy filter. Returns undefined if it has no conditions. */
export function readFilter(
  conditions: Conditions | undefined,
  join: ConditionalOperator | undefined,
  layer: ValidatorLayer,
): ConditionExpression | undefined {
  return conditions && joinAttributeConditions(readConditions(conditions, layer), join)
}

/** A conditional operator requires at least two conditions. */
export function checkConditionalOperator(
  operator: ConditionalOperator | undefined,
  conditions: Readonly<Record<string, unknown>> | undefined,
): void {
  if (operator === undefined) return
  const count = Object.keys(conditions ?? {}).length
  if (count === 0) throw validationError('ConditionalOperator cannot be used without Filter or Expected')
  if (count === 1)
    throw validationError('ConditionalOperator can only be used when Filter or Expected has two or more elements')
  // The list in this message is the service's own.
  if (operator !== 'AND' && operator !== 'OR')
    throw validationError('Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]')
}

/** Joins the conditions as one condition expression. */
export function joinAttributeConditions(
  conditions: readonly AttributeCondition[],
  join: ConditionalOperator | undefined,
): ConditionExpression | undefined {
  if (conditions.length === 0) return undefined
  const form = new SyntaxBuilder()
  const parts = conditions.map(condition => toConditionNode(condition, form))
  return newCondition({ type: join ?? 'AND', parts }, form.slots)
}

const SIGNS: Partial<Record<ComparisonOperator, Operator>> = {
  EQ: '=',
  NE: '<>',
  LE: '<=',
  LT: '<',
  GE: '>=',
  GT: '>',
  BETWEEN: 'BETWEEN',
  IN: 'IN',
}

function toConditionNode({ name, operator, values }: AttributeCondition, form: SyntaxBuilder): ConditionNode {
  const path = form.addPath([name])
  const operands: OperandNode[] = [path, ...values.map(value => form.addValue(value))]
  const sign = SIGNS[operator]
  if (sign) return { type: 'operation', operator: sign, operands }
  switch (operator) {
    case 'NOT_NULL':
      return newCall('attribute_exists', operands)
    case 'NULL':
      return newCall('attribute_not_exists', operands)
    case 'BEGINS_WITH':
      return newCall('begins_with', operands)
    case 'CONTAINS':
      return newCall('contains', operands)
    default:
      // Unlike a negated `contains`, NOT_CONTAINS is false for a missing attribute.
      return {
        type: 'AND',
        parts: [newCall('attribute_exists', [path]), { type: 'NOT', count: 1, part: newCall('contains', operands) }],
      }
  }
}

function newCall(operator: string, operands: readonly OperandNode[]): CallNode {
  return { type: 'call', operator, operands }
}
