import { INDEX_KEY_PARTS, NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN, TABLE_KEY_PARTS } from '../../limits.js'
import {
  byCurrentValidator,
  byOlderValidator,
  type Constraint,
  checkedEarly,
  checkedLate,
  checkedWithName,
  constraintsOf,
  enumConstraint,
  exemptingArns,
  keys,
  max,
  min,
  pattern,
  withMessage,
  withoutCount,
  withoutEcho,
  withoutMemberValue,
  withPath,
  withViolationText,
} from '../constraints.js'
import type { MemberCorrection } from './correction.js'

/** The complete message of the service for some requests. */
export const INVALID_VALUES = 'One or more parameter values were invalid'

const NAME_MIN = min(NAME_CHARACTERS_MIN)
const NAME_MAX = max(NAME_CHARACTERS_MAX)
const NAME_PATTERN = pattern('[a-zA-Z0-9_.-]+')
/** The model publishes only the length of an ARN for a table that a request may give by name or by ARN. */
const TABLE_NAME_RULES: readonly Constraint[] = exemptingArns<Constraint>(NAME_MIN, NAME_MAX, NAME_PATTERN)

/** A table in a data request: a name or an ARN. */
export const tableNameOrArn: MemberCorrection = {
  constraints: published => [
    ...withoutMemberValue(...constraintsOf(published, 'min')),
    ...constraintsOf(published, 'max'),
    ...checkedWithName(...TABLE_NAME_RULES),
  ],
}

/** A table in an action of a transaction, whose name is checked only when the rest of the request is valid. */
export const actionTableName: MemberCorrection = {
  constraints: published => [
    ...checkedEarly(...constraintsOf(published, 'min')),
    ...constraintsOf(published, 'max'),
    ...checkedLate(...TABLE_NAME_RULES),
  ],
}

/** A table in a request about the table itself. */
export const managedTable: MemberCorrection = {
  constraints: published => [...checkedEarly(...TABLE_NAME_RULES), ...constraintsOf(published, 'max')],
}
export const managedTableName: MemberCorrection = {
  ...managedTable,
  missingMessage: "The parameter 'TableName' is required but was not present in the request",
}

/** The tables of a batch, whose names are the keys of a map. */
const tableKeys = keys(NAME_MAX, NAME_MIN, NAME_PATTERN)
export const batchGetTables: MemberCorrection = {
  constraints: published => [...withoutMemberValue(...constraintsOf(published, 'min', 'max')), tableKeys],
  notation: 'json',
}
export const batchWriteTables: MemberCorrection = {
  constraints: published => [
    ...withMessage('The requestItems parameter is required for BatchWriteItem', ...constraintsOf(published, 'min')),
    ...constraintsOf(published, 'max', 'values'),
    ...checkedLate(tableKeys),
  ],
}

/** A name whose length violation has a dedicated message in some operations. */
export function nameLabeled(label: string): MemberCorrection {
  const length = `${label} must be at least ${NAME_CHARACTERS_MIN} characters long and at most ${NAME_CHARACTERS_MAX} characters long`
  return {
    constraints: published => [
      ...withMessage(length, ...constraintsOf(published, 'min', 'max')),
      ...constraintsOf(published, 'pattern'),
    ],
  }
}

/** An ARN below the published minimum length passes the model and is rejected as an invalid ARN later. */
export const maxOnly: MemberCorrection = { constraints: published => constraintsOf(published, 'max') }
/** The resource of a tag. */
export const taggedArn: MemberCorrection = { ...maxOnly, missingMessage: 'Invalid TableArn' }

/** For a key schema that is too long, the service reports the path without the index. */
const keySchemaOf = (parts: number): MemberCorrection => ({
  constraints: published => [...published, ...withPath('keySchema', max(parts))],
})
export const tableKeySchema = keySchemaOf(TABLE_KEY_PARTS)
export const globalIndexKeySchema = keySchemaOf(2 * INDEX_KEY_PARTS)

/** A delete can return no other values. */
export const oldReturnValues: MemberCorrection = {
  constraints: published => [
    ...published,
    ...byCurrentValidator(
      ...withViolationText('ReturnValues can only be ALL_OLD or NONE', enumConstraint('ALL_OLD', 'NONE')),
    ),
  ],
}

const reportedBy = (report: (...constraints: Constraint[]) => Constraint[]): MemberCorrection => ({
  constraints: published => report(...published),
})
export const byOlderValidatorOnly = reportedBy(byOlderValidator)
export const withoutValue = reportedBy(withoutMemberValue)
export const uncounted = reportedBy(withoutCount)
/** DynamoDB Streams reports members in this way. */
export const withoutEchoedValue = reportedBy(withoutEcho)

export const patternFirst: MemberCorrection = {
  constraints: published => constraintsOf(published, 'pattern', 'min', 'max'),
}
export const maxFirst: MemberCorrection = {
  constraints: published => constraintsOf(published, 'max', 'min', 'pattern'),
}
/** The service checks the member later and reports it in other words. */
export const uncheckedByModel: MemberCorrection = { constraints: () => [] }
