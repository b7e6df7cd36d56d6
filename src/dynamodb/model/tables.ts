import { LIST_TABLES_NAMES, TABLE_NAME_OR_ARN_CHARACTERS } from '../limits.js'
import { max, min } from './constraints.js'
import { attributeName, globalSecondaryIndexes, keySchema, localSecondaryIndexes, vectorIndexes } from './indexes.js'
import { indexName, managedTableName } from './members.js'
import { boolean, enumeration, integer, list, required, structure, text } from './shapes.js'
import { onDemandThroughput, provisionedThroughput, warmThroughput } from './throughput.js'

const attributeDefinitions = list(
  structure(
    'AttributeDefinition',
    { AttributeName: attributeName, AttributeType: required(enumeration('B', 'N', 'S')) },
    { first: ['AttributeType'] },
  ),
)

const streamSpecification = structure('StreamSpecification', {
  StreamEnabled: required(boolean),
  StreamViewType: enumeration('OLD_IMAGE', 'KEYS_ONLY', 'NEW_AND_OLD_IMAGES', 'NEW_IMAGE'),
})

const encryption = structure('SSESpecification', {
  Enabled: boolean,
  SSEType: enumeration('AES256', 'KMS'),
  KMSMasterKeyId: text(min(1)),
})

/** The service has sentences of its own for bad tags, after the constraints of the request. */
const tags = list(structure('Tag', { Key: text(), Value: text() }))

export const createTable = structure(
  'CreateTableInput',
  {
    AttributeDefinitions: required(attributeDefinitions),
    TableName: managedTableName,
    KeySchema: required(keySchema),
    LocalSecondaryIndexes: localSecondaryIndexes,
    GlobalSecondaryIndexes: globalSecondaryIndexes,
    BillingMode: enumeration('PROVISIONED', 'PAY_PER_REQUEST'),
    ProvisionedThroughput: provisionedThroughput,
    StreamSpecification: streamSpecification,
    SSESpecification: encryption,
    Tags: tags,
    TableClass: enumeration('STANDARD', 'STANDARD_INFREQUENT_ACCESS'),
    DeletionProtectionEnabled: boolean,
    WarmThroughput: warmThroughput,
    ResourcePolicy: text(),
    OnDemandThroughput: onDemandThroughput,
    GlobalTableSourceArn: text(min(1), max(TABLE_NAME_OR_ARN_CHARACTERS)),
    GlobalTableSettingsReplicationMode: enumeration('ENABLED', 'DISABLED', 'ENABLED_WITH_OVERRIDES'),
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
