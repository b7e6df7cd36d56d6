import type { ComparisonOperator, Condition } from '../../dynamodb/operation-types.js'
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

/** Reads a legacy key condition. Operators that a key does not support are reported later, when the table is known. */
export function readKeyConditions(conditions: Conditions, layer: ValidatorLayer): KeyConditionExpression {
  const read = readConditions(conditions, layer)
  if (read.length === 0) throw validationError('Conditions must be at least length 1')
  return { parts: read.map(({ name, operator, values }) => ({ name, operator: OPERATORS[operator] ?? '=', values })) }
}

/** Checks that the operators can be applied to the key. A missing key attribute is reported before. */
export function checkIndexableConditions(conditions: Conditions, { partition, sort }: KeySchema): void {
  for (const { name } of [...partition, ...sort]) {
    const condition = Object.hasOwn(conditions, name) ? conditions[name] : undefined
    if (!condition) return
    if (!OPERATORS[condition.ComparisonOperator])
      throw validationError('Attempted conditional constraint is not an indexable operation')
  }
}
