import { byOlderValidator, enumConstraint, withCurrentMessage, withViolationText } from './constraints.js'
import {
  attributeValueShape,
  booleanShape,
  listShape,
  mapShape,
  requiredShape,
  structureShape,
  textShape,
} from './shapes.js'

const JOINS = enumConstraint('OR', 'AND')
/** The current validator checks the joined conditions first. */
export const conditionalOperator = textShape(byOlderValidator(JOINS))
/** The older validator checks it together with the rest of the model. */
export const olderConditionalOperator = textShape(JOINS)

const COMPARISONS = enumConstraint(
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

export const conditions = mapShape(
  structureShape('Condition', {
    AttributeValueList: listShape(attributeValueShape),
    ComparisonOperator: requiredShape(textShape(withCurrentMessage(NO_COMPARISON, COMPARISONS))),
  }),
)

export const expected = mapShape(
  structureShape('ExpectedAttributeValue', {
    Value: attributeValueShape,
    Exists: booleanShape,
    ComparisonOperator: textShape(withViolationText(NO_COMPARISON, COMPARISONS)),
    AttributeValueList: listShape(attributeValueShape),
  }),
)

// The quotation mark is the service's own.
const NO_ACTION = "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"

export const attributeUpdates = mapShape(
  structureShape('AttributeValueUpdate', {
    Value: attributeValueShape,
    Action: textShape(withViolationText(NO_ACTION, enumConstraint('ADD', 'DELETE', 'PUT'))),
  }),
)
