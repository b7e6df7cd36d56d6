import type { ComparisonOperator, Condition } from '../../dynamodb/operations/conditions.js'
import { validationError } from '../errors.js'
import type { KeyConditionExpression, KeyConditionPart } from '../expressions/key-condition.js'
import type { KeySchema } from '../keys/key-schema.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import { readConditions } from './attribute-conditions.js'

const OPERATORS: Partial<Record<ComparisonOperator, KeyConditionPart['operator']>> = {
  EQ: '=',
  LE: '<=',
  LT: '<',
  GE: '>=',
  GT: '>',
  BETWEEN: 'BETWEEN',
  BEGINS_WITH: 'begins_with',
}

type Conditions = Readonly<Record<string, Condition>>

/** A key condition from before expressions. That an operator cannot be for a key is told only with the table at hand. */
export function readKeyConditions(conditions: Conditions, layer: ValidatorLayer): KeyConditionExpression {
  const read = readConditions(conditions, layer)
  if (read.length === 0) throw validationError('Conditions must be at least length 1')
  return { parts: read.map(({ name, operator, values }) => ({ name, operator: OPERATORS[operator] ?? '=', values })) }
}

/** Whether the key can be found by what is asked of it. A missing part of the key is told first. */
export function checkIndexableConditions(conditions: Conditions, { partition, sort }: KeySchema): void {
  for (const { name } of [...partition, ...sort]) {
    const condition = Object.hasOwn(conditions, name) ? conditions[name] : undefined
    if (!condition) return
    if (!OPERATORS[condition.ComparisonOperator])
      throw validationError('Attempted conditional constraint is not an indexable operation')
  }
}
