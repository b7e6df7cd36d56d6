import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type {
  ComparisonOperator,
  ConditionalOperator,
  Condition as Given,
} from '../../dynamodb/operations/conditions.js'
import { validation } from '../errors.js'
import { type Condition, conditionOf } from '../expressions/condition.js'
import { Form } from '../expressions/form.js'
import type { CallNode, ConditionNode, OperandNode, Operator } from '../expressions/syntax.js'
import { takeValue } from '../values/intake.js'
import type { Layer } from '../values/layer.js'
import { checkName } from '../values/names.js'
import { checkArguments } from './operators.js'

/** One condition on one attribute, whose values are canonical. */
export interface AttributeCondition {
  readonly name: string
  readonly operator: ComparisonOperator
  readonly values: readonly AttributeValue[]
}

type Conditions = Readonly<Record<string, Given | null>>

/** Reads QueryFilter, ScanFilter or KeyConditions: all values first, then what each operator is given. */
export function readConditions(conditions: Conditions, layer: Layer): AttributeCondition[] {
  // No attribute has an empty name, but a filter may ask for one.
  for (const name in conditions) if (name !== '') checkName(name)
  const read = Object.entries(conditions).map(([name, condition]) => {
    if (condition === null) throw validation(`The filter condition for an attribute cannot be null: ${name}`)
    const { ComparisonOperator: operator, AttributeValueList = [] } = condition
    return { name, operator, values: AttributeValueList.map(value => takeValue(value, layer)) }
  })
  for (const { operator, values } of read) checkArguments(operator, values)
  return read
}

/** A filter from before expressions; nothing where it has no conditions. */
export function readFilter(
  conditions: Conditions | undefined,
  join: ConditionalOperator | undefined,
  layer: Layer,
): Condition | undefined {
  return conditions && joined(readConditions(conditions, layer), join)
}

/** What joins conditions needs at least two of them. */
export function checkConditionalOperator(
  operator: ConditionalOperator | undefined,
  conditions: Readonly<Record<string, unknown>> | undefined,
): void {
  if (operator === undefined) return
  const count = Object.keys(conditions ?? {}).length
  if (count === 0) throw validation('ConditionalOperator cannot be used without Filter or Expected')
  if (count === 1)
    throw validation('ConditionalOperator can only be used when Filter or Expected has two or more elements')
  // The service's own list.
  if (operator !== 'AND' && operator !== 'OR')
    throw validation('Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]')
}

/** The conditions as one, in the form of a condition expression. */
export function joined(
  conditions: readonly AttributeCondition[],
  join: ConditionalOperator | undefined,
): Condition | undefined {
  if (conditions.length === 0) return undefined
  const form = new Form()
  const parts = conditions.map(condition => nodeOf(condition, form))
  return conditionOf({ type: join ?? 'AND', parts }, form.slots)
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

function nodeOf({ name, operator, values }: AttributeCondition, form: Form): ConditionNode {
  const path = form.path([name])
  const operands: OperandNode[] = [path, ...values.map(value => form.value(value))]
  const sign = SIGNS[operator]
  if (sign) return { type: 'operation', operator: sign, operands }
  switch (operator) {
    case 'NOT_NULL':
      return call('attribute_exists', operands)
    case 'NULL':
      return call('attribute_not_exists', operands)
    case 'BEGINS_WITH':
      return call('begins_with', operands)
    case 'CONTAINS':
      return call('contains', operands)
    default:
      // Unlike a negated `contains`, it does not hold for what is not there.
      return {
        type: 'AND',
        parts: [call('attribute_exists', [path]), { type: 'NOT', times: 1, part: call('contains', operands) }],
      }
  }
}

function call(operator: string, operands: readonly OperandNode[]): CallNode {
  return { type: 'call', operator, operands }
}
