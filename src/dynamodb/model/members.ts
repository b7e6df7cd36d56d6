import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, TABLE_NAME_OR_ARN_CHARACTERS } from '../limits.js'
import {
  byCurrentValidator,
  byOlderValidator,
  type Constraint,
  checkedEarly,
  checkedLate,
  checkedWithName,
  enumConstraint,
  exemptingArns,
  max,
  min,
  pattern,
  withMessage,
  withoutCount,
  withoutMemberValue,
  withViolationText,
} from './constraints.js'
import { attributeMapShape, enumShape, listShape, mapShape, requiredShape, textShape } from './shapes.js'

export const NAME_PATTERN = '[a-zA-Z0-9_.-]+'
export const NAME_RULES: readonly Constraint[] = [
  min(NAME_CHARACTERS_MIN),
  max(NAME_CHARACTERS_MAX),
  pattern(NAME_PATTERN),
]

const NAME_OR_ARN = max(TABLE_NAME_OR_ARN_CHARACTERS)
/** A table in a data request: a name or an ARN. */
export const tableNameOrArn = requiredShape(
  textShape(withoutMemberValue(min(1)), NAME_OR_ARN, checkedWithName(...exemptingArns(...NAME_RULES))),
)
/** A table in an action of a transaction, whose name is checked only when the rest of the request is valid. */
export const actionTableName = requiredShape(
  textShape(checkedEarly(min(1)), NAME_OR_ARN, checkedLate(...exemptingArns(...NAME_RULES))),
)

/** A table in a request about the table itself. */
export const managedTable = textShape(checkedEarly(...exemptingArns(...NAME_RULES)), max(TABLE_NAME_OR_ARN_CHARACTERS))
export const managedTableName = requiredShape(
  managedTable,
  "The parameter 'TableName' is required but was not present in the request",
)

/** A name whose length violation has a dedicated message in some operations. */
export function nameLabeled(label: string) {
  const length = `${label} must be at least ${NAME_CHARACTERS_MIN} characters long and at most ${NAME_CHARACTERS_MAX} characters long`
  return textShape(
    withMessage(length, min(NAME_CHARACTERS_MIN)),
    withMessage(length, max(NAME_CHARACTERS_MAX)),
    pattern(NAME_PATTERN),
  )
}

export const indexName = textShape(pattern(NAME_PATTERN), min(NAME_CHARACTERS_MIN), max(NAME_CHARACTERS_MAX))
export const expressionText = textShape()
export const attributesToGet = listShape(textShape(), min(1))

export const expressionNames = { ExpressionAttributeNames: mapShape(textShape()) }
export const expressionAttributes = { ...expressionNames, ExpressionAttributeValues: attributeMapShape }

const CAPACITIES = enumConstraint('INDEXES', 'TOTAL', 'NONE')
export const returnConsumedCapacity = textShape(CAPACITIES)
/** UpdateTable reports this member without its path, as it does for the next. */
export const uncountedConsumedCapacity = textShape(withoutCount(CAPACITIES))
export const returnItemCollectionMetrics = enumShape('SIZE', 'NONE')
const RETURN_VALUES = withViolationText(
  // The spelling is the service's own.
  'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]',
  enumConstraint('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'),
)
export const returnValues = textShape(RETURN_VALUES)
/** A delete can return no other values. */
export const oldReturnValues = textShape(
  RETURN_VALUES,
  byCurrentValidator(
    ...withViolationText('ReturnValues can only be ALL_OLD or NONE', enumConstraint('ALL_OLD', 'NONE')),
  ),
)
const ON_FAILURE = enumConstraint('ALL_OLD', 'NONE')
export const returnValuesOnFailure = textShape(ON_FAILURE)
export const uncountedOnFailure = textShape(withoutCount(ON_FAILURE))
const SELECTS = enumConstraint('SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES')
/** The current validator checks it after the rest of the request. */
export const select = textShape(byOlderValidator(SELECTS))
/** The older validator checks it together with the rest of the model. */
export const olderSelect = textShape(SELECTS)
