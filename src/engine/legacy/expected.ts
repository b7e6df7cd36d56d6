import type { ConditionalOperator, ExpectedAttributeValue } from '../../dynamodb/operation-types.js'
import { invalidParameterError } from '../errors.js'
import type { ConditionExpression } from '../expressions/condition.js'
import { checkAttributeName } from '../values/attribute-names.js'
import { parseInputValue } from '../values/parse-item.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import { type AttributeCondition, joinAttributeConditions } from './attribute-conditions.js'
import { checkOperatorArguments, hasArguments } from './comparison-operators.js'

type Expected = Readonly<Record<string, ExpectedAttributeValue>>

interface WriteRequest {
  readonly Expected?: Expected | undefined
  readonly ConditionalOperator?: ConditionalOperator | undefined
}

/** Reads the legacy condition of a write. Returns undefined if the request has none. */
export function readExpected(request: WriteRequest, layer: ValidatorLayer): ConditionExpression | undefined {
  const { Expected } = request
  if (!Expected) return undefined
  Object.keys(Expected).forEach(checkAttributeName)
  // All values are parsed before any condition is checked.
  const parsed = Object.entries(Expected).map(([name, { Value, AttributeValueList, ...rest }]) => ({
    name,
    ...rest,
    Value: Value && parseInputValue(Value, layer),
    AttributeValueList: AttributeValueList?.map(value => parseInputValue(value, layer)),
  }))
  return joinAttributeConditions(parsed.map(readExpectedAttribute), request.ConditionalOperator)
}

function readExpectedAttribute({
  name,
  ...expectation
}: ExpectedAttributeValue & { name: string }): AttributeCondition {
  const { Value, Exists, ComparisonOperator, AttributeValueList } = expectation
  const newError = (detail: string) => invalidParameterError(`${detail} for Attribute: ${name}`)
  if (Exists !== undefined && ComparisonOperator !== undefined)
    throw newError('Exists and ComparisonOperator cannot be used together')
  if (Value !== undefined && AttributeValueList !== undefined)
    throw newError('Value and AttributeValueList cannot be used together')
  if (ComparisonOperator !== undefined) {
    const values = AttributeValueList ?? (Value && [Value])
    if (values === undefined && hasArguments(ComparisonOperator))
      throw newError(`Value or AttributeValueList must be used with ComparisonOperator: ${ComparisonOperator}`)
    checkOperatorArguments(ComparisonOperator, values ?? [])
    return { name, operator: ComparisonOperator, values: values ?? [] }
  }
  if (AttributeValueList !== undefined) throw newError('AttributeValueList can only be used with a ComparisonOperator')
  if (Exists === false) {
    if (Value !== undefined) throw newError('Value cannot be used when Exists is false')
    return { name, operator: 'NULL', values: [] }
  }
  if (Value === undefined) throw newError(`Value must be provided when Exists is ${Exists ?? null}`)
  return { name, operator: 'EQ', values: [Value] }
}
