import { older, oneOf, said, stating } from './constraints.js'
import { attributeValue, boolean, list, map, required, structure, text } from './shapes.js'

const JOINS = oneOf('OR', 'AND')
/** The current validator looks at what is joined first. */
export const conditionalOperator = text(older(JOINS))
/** The older validator checks it with the rest of the model. */
export const olderConditionalOperator = text(JOINS)

const COMPARISONS = oneOf(
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
const NO_COMPARISON = 'One or more parameter values were invalid: Invalid comparison operator'

export const conditions = map(
  structure('Condition', {
    AttributeValueList: list(attributeValue),
    ComparisonOperator: required(text(stating(NO_COMPARISON, COMPARISONS))),
  }),
)

export const expected = map(
  structure('ExpectedAttributeValue', {
    Value: attributeValue,
    Exists: boolean,
    ComparisonOperator: text(said(NO_COMPARISON, COMPARISONS)),
    AttributeValueList: list(attributeValue),
  }),
)

// The service's own quote.
const NO_ACTION = "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"

export const attributeUpdates = map(
  structure('AttributeValueUpdate', {
    Value: attributeValue,
    Action: text(said(NO_ACTION, oneOf('ADD', 'DELETE', 'PUT'))),
  }),
)
