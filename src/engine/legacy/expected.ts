import type { ConditionalOperator, ExpectedAttributeValue } from '../../dynamodb/operations/conditions.js'
import { invalidParameter } from '../errors.js'
import type { Condition } from '../expressions/condition.js'
import { takeValue } from '../values/intake.js'
import type { Layer } from '../values/layer.js'
import { checkName } from '../values/names.js'
import { type AttributeCondition, joined } from './conditions.js'
import { checkArguments, takesValues } from './operators.js'

type Expected = Readonly<Record<string, ExpectedAttributeValue>>

interface WriteRequest {
  readonly Expected?: Expected | undefined
  readonly ConditionalOperator?: ConditionalOperator | undefined
}

/** The condition of a write from before expressions; nothing where none is given. */
export function readExpected(request: WriteRequest, layer: Layer): Condition | undefined {
  const { Expected } = request
  if (!Expected) return undefined
  Object.keys(Expected).forEach(checkName)
  // The values of all are looked at before what is asked of any.
  const taken = Object.entries(Expected).map(([name, { Value, AttributeValueList, ...rest }]) => ({
    name,
    ...rest,
    Value: Value && takeValue(Value, layer),
    AttributeValueList: AttributeValueList?.map(value => takeValue(value, layer)),
  }))
  return joined(taken.map(readOne), request.ConditionalOperator)
}

function readOne({ name, ...given }: ExpectedAttributeValue & { name: string }): AttributeCondition {
  const { Value, Exists, ComparisonOperator, AttributeValueList } = given
  const refusal = (detail: string) => invalidParameter(`${detail} for Attribute: ${name}`)
  if (Exists !== undefined && ComparisonOperator !== undefined)
    throw refusal('Exists and ComparisonOperator cannot be used together')
  if (Value !== undefined && AttributeValueList !== undefined)
    throw refusal('Value and AttributeValueList cannot be used together')
  if (ComparisonOperator !== undefined) {
    const values = AttributeValueList ?? (Value && [Value])
    if (values === undefined && takesValues(ComparisonOperator))
      throw refusal(`Value or AttributeValueList must be used with ComparisonOperator: ${ComparisonOperator}`)
    checkArguments(ComparisonOperator, values ?? [])
    return { name, operator: ComparisonOperator, values: values ?? [] }
  }
  if (AttributeValueList !== undefined) throw refusal('AttributeValueList can only be used with a ComparisonOperator')
  if (Exists === false) {
    if (Value !== undefined) throw refusal('Value cannot be used when Exists is false')
    return { name, operator: 'NULL', values: [] }
  }
  if (Value === undefined) throw refusal(`Value must be provided when Exists is ${Exists ?? null}`)
  return { name, operator: 'EQ', values: [Value] }
}
