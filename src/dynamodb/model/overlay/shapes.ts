import { ATTRIBUTE_NAME_BYTES } from '../../limits.js'
import {
  type Constraint,
  constraintsOf,
  enumConstraint,
  inCodePoints,
  max,
  min,
  withCurrentMessage,
  withMessage,
  withoutEcho,
  withViolationText,
} from '../constraints.js'
import type { MemberCorrection, ShapeCorrections } from './correction.js'
import {
  actionTableName,
  globalIndexKeySchema,
  maxFirst,
  patternFirst,
  tableKeySchema,
  uncheckedByModel,
  withoutEchoedValue,
  withoutValue,
} from './members.js'

/** The order in which the service lists the values of a member. */
const listedAs = (...values: string[]): MemberCorrection => ({ constraints: () => [enumConstraint(...values)] })
const reportedAs = (constraints: readonly Constraint[]): MemberCorrection => ({ constraints: () => constraints })

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
// The quotation mark is the service's own.
const NO_ACTION = "Member must satisfy enum value set: [ADD, DELETE, PUT]' for Action"
const NO_RETURN_VALUE =
  // The spelling is the service's own.
  'Failed to satisfy constraint: Member must satisfy enum value set: [ALL_OLD, UPDATED_OLD, ALL_NEW, UPDATE_NEW, NONE]'
const NO_TABLE_CLASS =
  'Invalid table-class parameter provided. Please try again with a valid table-class value: ' +
  '[STANDARD, STANDARD_INFREQUENT_ACCESS].'

const transactionAction = { hidden: ['workloadProfileName'], members: { TableName: actionTableName } }
const statementOrder = ['ReturnValuesOnConditionCheckFailure', 'Statement', 'Parameters'] as const
const indexNamePatternFirst = { members: { IndexName: patternFirst } }
/** The service rejects an empty id. */
const encryptionKey = { members: { KMSMasterKeyId: reportedAs([min(1)]) } }

/** Corrections of published shapes, which apply wherever a request contains the shape. */
export const SHAPE_CORRECTIONS: ShapeCorrections = {
  AttributeAction: reportedAs(withViolationText(NO_ACTION, enumConstraint('ADD', 'DELETE', 'PUT'))),
  AttributeDefinition: { first: ['AttributeType'] },
  AttributeName: uncheckedByModel,
  BatchStatementRequest: { first: statementOrder },
  Condition: { members: { ComparisonOperator: reportedAs(withCurrentMessage(NO_COMPARISON, COMPARISONS)) } },
  ConditionCheck: transactionAction,
  ConditionalOperator: listedAs('OR', 'AND'),
  ContributorInsightsMode: listedAs('THROTTLED_KEYS', 'ACCESSED_AND_THROTTLED_KEYS'),
  CreateReplicationGroupMemberAction: encryptionKey,
  CreateVectorIndexAction: indexNamePatternFirst,
  CreateGlobalSecondaryIndexAction: { members: { KeySchema: globalIndexKeySchema } },
  CsvOptions: { members: { Delimiter: maxFirst, HeaderList: maxFirst } },
  Delete: transactionAction,
  DeleteRequest: { hidden: ['workloadProfileName'] },
  DeleteVectorIndexAction: indexNamePatternFirst,
  ExpectedAttributeValue: {
    members: { ComparisonOperator: reportedAs(withViolationText(NO_COMPARISON, COMPARISONS)) },
  },
  ExportFormat: listedAs('ION', 'DYNAMODB_JSON'),
  Get: transactionAction,
  GlobalSecondaryIndex: { members: { KeySchema: globalIndexKeySchema } },
  InputCompressionType: listedAs('ZSTD', 'NONE', 'GZIP'),
  KeysAndAttributes: { members: { Keys: withoutValue } },
  LocalSecondaryIndex: { members: { IndexName: patternFirst, KeySchema: tableKeySchema } },
  ParameterizedStatement: { first: statementOrder },
  PartiQLStatement: {
    constraints: published => [
      ...constraintsOf(published, 'min'),
      ...constraintsOf(published, 'max').map(inCodePoints),
    ],
  },
  ProjectionType: listedAs('ALL', 'INCLUDE', 'KEYS_ONLY'),
  ProvisionedThroughput: { first: ['WriteCapacityUnits'] },
  Put: transactionAction,
  PutRequest: { hidden: ['workloadProfileName'] },
  ReturnValue: reportedAs(
    withViolationText(NO_RETURN_VALUE, enumConstraint('ALL_NEW', 'UPDATED_OLD', 'ALL_OLD', 'NONE', 'UPDATED_NEW')),
  ),
  SSESpecification: encryptionKey,
  ScalarAttributeType: listedAs('B', 'N', 'S'),
  // The service checks this name by the model, unlike other names of attributes.
  SearchSchemaElement: { members: { AttributeName: reportedAs([max(ATTRIBUTE_NAME_BYTES)]) } },
  Select: listedAs('SPECIFIC_ATTRIBUTES', 'COUNT', 'ALL_ATTRIBUTES', 'ALL_PROJECTED_ATTRIBUTES'),
  SequenceNumber: withoutEchoedValue,
  ShardFilterType: withoutEchoedValue,
  ShardId: withoutEchoedValue,
  ShardIterator: withoutEchoedValue,
  ShardIteratorType: reportedAs(
    withoutEcho(
      enumConstraint('AFTER_SEQUENCE_NUMBER', 'LATEST', 'AT_SEQUENCE_NUMBER', 'AT_TIMESTAMP', 'TRIM_HORIZON'),
    ),
  ),
  StreamArn: withoutEchoedValue,
  StreamViewType: listedAs('OLD_IMAGE', 'KEYS_ONLY', 'NEW_AND_OLD_IMAGES', 'NEW_IMAGE'),
  TableClass: { constraints: published => withMessage(NO_TABLE_CLASS, ...published) },
  TableCreationParameters: { members: { KeySchema: tableKeySchema } },
  Tag: { members: { Key: { required: false }, Value: { required: false } } },
  TagKeyString: uncheckedByModel,
  TagValueString: uncheckedByModel,
  TimeToLiveSpecification: { first: ['AttributeName'] },
  Update: transactionAction,
  UpdateReplicationGroupMemberAction: encryptionKey,
  VectorIndex: indexNamePatternFirst,
  WriteRequest: { first: ['DeleteRequest'] },
  WriteRequests: maxFirst,
}
