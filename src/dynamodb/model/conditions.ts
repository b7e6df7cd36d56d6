import { attributeValue, boolean, enumeration, list, map, required, structure } from './shapes.js'

export const conditionalOperator = enumeration('OR', 'AND')

const comparisonOperator = enumeration(
  'IN',
  'NULL',
  'BETWEEN',
  'LT',
  'NOT_CONTAINS',
  'EQ',
  'GT',
  'NOT_NULL',
  'NE',
  'LE',
  'BEGINS_WITH',
  'GE',
  'CONTAINS',
)

export const conditions = map(
  structure('Condition', {
    AttributeValueList: list(attributeValue),
    ComparisonOperator: required(comparisonOperator),
  }),
)

export const expected = map(
  structure('ExpectedAttributeValue', {
    Value: attributeValue,
    Exists: boolean,
    ComparisonOperator: comparisonOperator,
    AttributeValueList: list(attributeValue),
  }),
)

export const attributeUpdates = map(
  structure('AttributeValueUpdate', {
    Value: attributeValue,
    Action: enumeration('ADD', 'DELETE', 'PUT'),
  }),
)
