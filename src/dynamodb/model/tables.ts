import { LIST_TABLES_NAMES, TABLE_NAME_OR_ARN_CHARACTERS } from '../limits.js'
import { enumConstraint, max, min, withMessage } from './constraints.js'
import { attributeName, globalSecondaryIndexes, keySchema, localSecondaryIndexes, vectorIndexes } from './indexes.js'
import { indexName, managedTableName } from './members.js'
import { booleanShape, enumShape, integerShape, listShape, requiredShape, structureShape, textShape } from './shapes.js'
import { onDemandThroughput, provisionedThroughput, warmThroughput } from './throughput.js'

export const attributeDefinitions = listShape(
  structureShape(
    'AttributeDefinition',
    { AttributeName: attributeName, AttributeType: requiredShape(enumShape('B', 'N', 'S')) },
    { first: ['AttributeType'] },
  ),
)

export const streamSpecificationShape = structureShape('StreamSpecification', {
  StreamEnabled: requiredShape(booleanShape),
  StreamViewType: enumShape('OLD_IMAGE', 'KEYS_ONLY', 'NEW_AND_OLD_IMAGES', 'NEW_IMAGE'),
})

export const encryption = structureShape('SSESpecification', {
  Enabled: booleanShape,
  SSEType: enumShape('AES256', 'KMS'),
  KMSMasterKeyId: textShape(min(1)),
})

export const tableClass = textShape(
  withMessage(
    'Invalid table-class parameter provided. Please try again with a valid table-class value: ' +
      '[STANDARD, STANDARD_INFREQUENT_ACCESS].',
    enumConstraint('STANDARD', 'STANDARD_INFREQUENT_ACCESS'),
  ),
)
export const billingMode = enumShape('PROVISIONED', 'PAY_PER_REQUEST')
export const settingsReplicationMode = enumShape('ENABLED', 'DISABLED', 'ENABLED_WITH_OVERRIDES')

/** The service has dedicated messages for invalid tags, which follow the constraints of the request. */
export const tags = listShape(structureShape('Tag', { Key: textShape(), Value: textShape() }))

export const createTable = structureShape(
  'CreateTableInput',
  {
    AttributeDefinitions: requiredShape(attributeDefinitions),
    TableName: managedTableName,
    KeySchema: requiredShape(keySchema),
    LocalSecondaryIndexes: localSecondaryIndexes,
    GlobalSecondaryIndexes: globalSecondaryIndexes,
    BillingMode: billingMode,
    ProvisionedThroughput: provisionedThroughput,
    StreamSpecification: streamSpecificationShape,
    SSESpecification: encryption,
    Tags: tags,
    TableClass: tableClass,
    DeletionProtectionEnabled: booleanShape,
    WarmThroughput: warmThroughput,
    ResourcePolicy: textShape(),
    OnDemandThroughput: onDemandThroughput,
    GlobalTableSourceArn: textShape(min(1), max(TABLE_NAME_OR_ARN_CHARACTERS)),
    GlobalTableSettingsReplicationMode: settingsReplicationMode,
    VectorIndexes: vectorIndexes,
  },
  {
    first: [
      'AttributeDefinitions',
      'TableName',
      'BillingMode',
      'ProvisionedThroughput',
      'KeySchema',
      'GlobalSecondaryIndexes',
      'LocalSecondaryIndexes',
    ],
  },
)

export const describeTable = structureShape('DescribeTableInput', { TableName: managedTableName })
export const deleteTable = structureShape('DeleteTableInput', { TableName: managedTableName })

export const listTables = structureShape(
  'ListTablesInput',
  { ExclusiveStartTableName: indexName, Limit: integerShape(min(1), max(LIST_TABLES_NAMES)) },
  { first: ['Limit'] },
)
