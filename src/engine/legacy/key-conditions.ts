import type { ComparisonOperator, Condition } from '../../dynamodb/operations/conditions.js'
import { validation } from '../errors.js'
import type { KeyCondition, KeyConditionPart } from '../expressions/key-condition.js'
import type { KeySchema } from '../keys/schema.js'
import type { Layer } from '../values/layer.js'
import { readConditions } from './conditions.js'

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
export function readKeyConditions(conditions: Conditions, layer: Layer): KeyCondition {
  const read = readConditions(conditions, layer)
  if (read.length === 0) throw validation('Conditions must be at least length 1')
  return { parts: read.map(({ name, operator, values }) => ({ name, operator: OPERATORS[operator] ?? '=', values })) }
}

/** Whether the key can be found by what is asked of it. A missing part of the key is told first. */
export function checkIndexable(conditions: Conditions, { partition, sort }: KeySchema): void {
  for (const { name } of [...partition, ...sort]) {
    const condition = Object.hasOwn(conditions, name) ? conditions[name] : undefined
    if (!condition) return
    if (!OPERATORS[condition.ComparisonOperator])
      throw validation('Attempted conditional constraint is not an indexable operation')
  }
}
