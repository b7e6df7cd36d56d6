// What the types of DynamoDB's members have beyond AWS's model. Keys are names of shapes or of `Shape.Member`.

/** Types that edgewise names differently or declares by hand, in `src/dynamodb/attribute-value.ts`. */
export const TYPE_NAMES: Readonly<Record<string, string>> = {
  AttributeMap: 'Item',
  PutItemInputAttributeMap: 'Item',
  ItemCollectionKeyAttributeMap: 'Key',
  ScalarAttributeType: 'KeyAttributeType',
  BatchStatementErrorCodeEnum: 'BatchStatementErrorCode',
  DescribeEndpointsRequest: 'DescribeEndpointsInput',
  DescribeEndpointsResponse: 'DescribeEndpointsOutput',
  Record: 'ChangeRecord',
  Stream: 'StreamSummary',
}

/** Shapes whose types are in `src/dynamodb/attribute-value.ts`. */
export const DECLARED_SHAPES: ReadonlySet<string> = new Set([
  'AttributeMap',
  'AttributeValue',
  'ItemCollectionKeyAttributeMap',
  'Key',
  'PutItemInputAttributeMap',
  'ScalarAttributeType',
])

/**
 * Structures of requests that responses contain too, and whose required members a request must have. A response has
 * them as `Described`. Required members of all other structures of responses may be undefined, as in the AWS SDK.
 */
export const REQUEST_STRUCTURES: ReadonlySet<string> = new Set([
  'GlobalSecondaryIndex',
  'ProvisionedThroughput',
  'S3BucketSource',
  'TableCreationParameters',
  'Tag',
  'VectorIndex',
])

/** Optional members that a program must state, if only as undefined. */
export const STATED_MEMBERS: ReadonlySet<string> = new Set([
  'CreateTableInput.AttributeDefinitions',
  'CreateTableInput.KeySchema',
])

const BOTH_DIRECTIONS = 'Used in requests and in responses, so required members may be undefined; a request has them.'
const ONE_MEMBER = 'An update has exactly one of the members.'

/** The documentation of types and members, where their names do not suffice. */
export const DOCUMENTATION: Readonly<Record<string, string>> = {
  AttributeDefinition: BOTH_DIRECTIONS,
  BatchStatementResponse: 'The result of one statement of a batch.',
  ChangeRecord: 'A change of an item, as a stream has it.',
  Condition: 'A condition on one attribute, in KeyConditions, QueryFilter and ScanFilter.',
  'CreateTableInput.AttributeDefinitions': 'Required, except for a replica of another table (GlobalTableSourceArn).',
  'CreateTableInput.KeySchema': 'Required, except for a replica of another table (GlobalTableSourceArn).',
  'CsvOptions.HeaderList': 'With it, the first line of a file is data.',
  DeleteRequest: BOTH_DIRECTIONS,
  ExpectedAttributeValue: 'A condition on one attribute of the item to write, in Expected.',
  'ExportDescription.ExportManifest': 'The key of the summary manifest in the bucket.',
  'ExportTableToPointInTimeInput.ExportTime': 'The table is exported as it was at this time; as it is now by default.',
  FilterSpecification: 'Which items and attributes an export has.',
  'GetRecordsOutput.NextShardIterator': 'Absent at the end of a closed shard.',
  GlobalSecondaryIndexUpdate: ONE_MEMBER,
  Identity: 'The author of a change that the service itself made.',
  IncrementalExportSpecification: 'The period of an incremental export.',
  'IncrementalExportSpecification.ExportFromTime': 'Inclusive.',
  'IncrementalExportSpecification.ExportToTime': 'Exclusive.',
  KeysAndAttributes: BOTH_DIRECTIONS,
  KeySchemaElement: `${BOTH_DIRECTIONS} A global index may have up to four elements of each key type.`,
  'ListBackupsInput.TimeRangeLowerBound': 'Inclusive.',
  'ListBackupsInput.TimeRangeUpperBound': 'Exclusive.',
  ParameterizedStatement: 'A statement of PartiQL, with a value for each of its question marks.',
  PutRequest: BOTH_DIRECTIONS,
  'PutResourcePolicyInput.ConfirmRemoveSelfResourceAccess':
    'Required for a policy that prevents its author from changing it again.',
  'PutResourcePolicyInput.ExpectedRevisionId': 'The revision to replace, or `NO_POLICY`.',
  'PutResourcePolicyInput.Policy': 'The policy as a JSON document.',
  'PutResourcePolicyInput.ResourceArn': 'The ARN of a table or of a stream.',
  ReplicaUpdate: ONE_MEMBER,
  ReplicationGroupUpdate: ONE_MEMBER,
  'S3BucketSource.S3KeyPrefix': 'Every object whose key begins with it is imported.',
  'SearchVectorsInput.SearchVector': 'One number for each dimension. Items store a vector as a list instead.',
  'SearchVectorsInput.TopK': 'The maximum number of items to return.',
  'SearchVectorsOutput.SearchResults': 'The items, nearest first.',
  'SequenceNumberRange.EndingSequenceNumber': 'Only closed shards have it.',
  StreamSpecification: BOTH_DIRECTIONS,
  TableCreationParameters: 'The table that an import creates.',
  TimeToLiveSpecification: BOTH_DIRECTIONS,
  TransactWriteItem: 'An entry has exactly one of the four members.',
  'UpdateContributorInsightsInput.IndexName': 'The name of a global index.',
  'UpdateTableInput.AttributeDefinitions':
    'The key attributes of new indexes, including those that the table already defines.',
  VectorIndexUpdate: ONE_MEMBER,
  WriteRequest: 'A write request has exactly one of the two members.',
}
