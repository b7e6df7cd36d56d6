import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, TABLE_NAME_OR_ARN_CHARACTERS } from '../limits.js'
import {
  bare,
  type Constraint,
  current,
  early,
  late,
  max,
  min,
  ofName,
  older,
  oneOf,
  pattern,
  said,
  saying,
  sparingArns,
  uncounted,
} from './constraints.js'
import { attributeMap, enumeration, list, map, required, text } from './shapes.js'

export const NAME_PATTERN = '[a-zA-Z0-9_.-]+'
export const NAME_RULES: readonly Constraint[] = [
  min(NAME_CHARACTERS_MIN),
  max(NAME_CHARACTERS_MAX),
  pattern(NAME_PATTERN),
]

const NAME_OR_ARN = max(TABLE_NAME_OR_ARN_CHARACTERS)
/** A table in a request for data: a name or an ARN. */
export const tableName = required(text(bare(min(1)), NAME_OR_ARN, ofName(...sparingArns(...NAME_RULES))))
/** The same in a part of a transaction, where it is read as a name only once the rest of the request is right. */
export const partTableName = required(text(early(min(1)), NAME_OR_ARN, late(...sparingArns(...NAME_RULES))))

/** A table in a request about the table itself. */
export const managedTable = text(early(...sparingArns(...NAME_RULES)), max(TABLE_NAME_OR_ARN_CHARACTERS))
export const managedTableName = required(
  managedTable,
  "The parameter 'TableName' is required but was not present in the request",
)

/** A name whose length some operations refuse in a sentence that calls it so. */
export function nameCalled(called: string) {
  const length = `${called} must be at least ${NAME_CHARACTERS_MIN} characters long and at most ${NAME_CHARACTERS_MAX} characters long`
  return text(saying(length, min(NAME_CHARACTERS_MIN)), saying(length, max(NAME_CHARACTERS_MAX)), pattern(NAME_PATTERN))
}

export const indexName = text(pattern(NAME_PATTERN), min(NAME_CHARACTERS_MIN), max(NAME_CHARACTERS_MAX))
export const expression = text()
export const attributesToGet = list(text(), min(1))

export const expressionNames = { ExpressionAttributeNames: map(text()) }
export const expressionAttributes = { ...expressionNames, ExpressionAttributeValues: attributeMap }

const CAPACITIES = oneOf('INDEXES', 'TOTAL', 'NONE')
export const returnConsumedCapacity = text(CAPACITIES)
/** An update tells of this one bare, as of the next. */
export const uncountedCapacity = text(uncounted(CAPACITIES))
export const returnItemCollectionMetrics = enumeration('SIZE', 'NONE')
const RETURN_VALUES = said(
  // The service's own spelling.
  'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]',
  oneOf('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW'),
)
export const returnValues = text(RETURN_VALUES)
/** A deletion has no others to return. */
export const oldReturnValues = text(
  RETURN_VALUES,
  current(...said('ReturnValues can only be ALL_OLD or NONE', oneOf('ALL_OLD', 'NONE'))),
)
const ON_FAILURE = oneOf('ALL_OLD', 'NONE')
export const returnValuesOnFailure = text(ON_FAILURE)
export const uncountedOnFailure = text(uncounted(ON_FAILURE))
const SELECTS = oneOf('SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES')
/** The current validator looks at it when it has read the rest of the request. */
export const select = text(older(SELECTS))
/** The older validator checks it with the rest of the model. */
export const olderSelect = text(SELECTS)
