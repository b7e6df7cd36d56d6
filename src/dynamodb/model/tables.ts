import { LIST_TABLES_NAMES, TABLE_NAME_OR_ARN_CHARACTERS } from '../limits.js'
import { max, min, oneOf, saying } from './constraints.js'
import { attributeName, globalSecondaryIndexes, keySchema, localSecondaryIndexes, vectorIndexes } from './indexes.js'
import { indexName, managedTableName } from './members.js'
import { boolean, enumeration, integer, list, required, structure, text } from './shapes.js'
import { onDemandThroughput, provisionedThroughput, warmThroughput } from './throughput.js'

export const attributeDefinitions = list(
  structure(
    'AttributeDefinition',
    { AttributeName: attributeName, AttributeType: required(enumeration('B', 'N', 'S')) },
    { first: ['AttributeType'] },
  ),
)

export const streamSpecification = structure('StreamSpecification', {
  StreamEnabled: required(boolean),
  StreamViewType: enumeration('OLD_IMAGE', 'KEYS_ONLY', 'NEW_AND_OLD_IMAGES', 'NEW_IMAGE'),
})

export const encryption = structure('SSESpecification', {
  Enabled: boolean,
  SSEType: enumeration('AES256', 'KMS'),
  KMSMasterKeyId: text(min(1)),
})

export const tableClass = text(
  saying(
    'Invalid table-class parameter provided. Please try again with a valid table-class value: ' +
      '[STANDARD, STANDARD_INFREQUENT_ACCESS].',
    oneOf('STANDARD', 'STANDARD_INFREQUENT_ACCESS'),
  ),
)
export const billingMode = enumeration('PROVISIONED', 'PAY_PER_REQUEST')
export const settingsReplicationMode = enumeration('ENABLED', 'DISABLED', 'ENABLED_WITH_OVERRIDES')

/** The service has sentences of its own for bad tags, after the constraints of the request. */
export const tags = list(structure('Tag', { Key: text(), Value: text() }))

export const createTable = structure(
  'CreateTableInput',
  {
    AttributeDefinitions: required(attributeDefinitions),
    TableName: managedTableName,
    KeySchema: required(keySchema),
    LocalSecondaryIndexes: localSecondaryIndexes,
    GlobalSecondaryIndexes: globalSecondaryIndexes,
    BillingMode: billingMode,
    ProvisionedThroughput: provisionedThroughput,
    StreamSpecification: streamSpecification,
    SSESpecification: encryption,
    Tags: tags,
    TableClass: tableClass,
    DeletionProtectionEnabled: boolean,
    WarmThroughput: warmThroughput,
    ResourcePolicy: text(),
    OnDemandThroughput: onDemandThroughput,
    GlobalTableSourceArn: text(min(1), max(TABLE_NAME_OR_ARN_CHARACTERS)),
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

export const describeTable = structure('DescribeTableInput', { TableName: managedTableName })
export const deleteTable = structure('DeleteTableInput', { TableName: managedTableName })

export const listTables = structure(
  'ListTablesInput',
  { ExclusiveStartTableName: indexName, Limit: integer(min(1), max(LIST_TABLES_NAMES)) },
  { first: ['Limit'] },
)
