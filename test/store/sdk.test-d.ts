import * as sdk from '@aws-sdk/client-dynamodb'
import type { AttributeValue } from '../../src/dynamodb/attribute-value.js'
import type { PutItemInput } from '../../src/dynamodb/operation-types.js'
import type {
  Administration,
  Backups,
  CallOptions,
  OperationInput,
  OperationOutput,
  Service,
  Store,
  Transfers,
  Vectors,
} from '../../src/store/port.js'

/** Compiles only if the first type is assignable to the second. */
type Fits<_Narrow extends Wide, Wide> = true

/** The SDK's request and response of each operation, from its commands. */
interface Commands {
  getItem: [sdk.GetItemCommandInput, sdk.GetItemCommandOutput]
  putItem: [sdk.PutItemCommandInput, sdk.PutItemCommandOutput]
  updateItem: [sdk.UpdateItemCommandInput, sdk.UpdateItemCommandOutput]
  deleteItem: [sdk.DeleteItemCommandInput, sdk.DeleteItemCommandOutput]
  batchGetItem: [sdk.BatchGetItemCommandInput, sdk.BatchGetItemCommandOutput]
  batchWriteItem: [sdk.BatchWriteItemCommandInput, sdk.BatchWriteItemCommandOutput]
  transactGetItems: [sdk.TransactGetItemsCommandInput, sdk.TransactGetItemsCommandOutput]
  transactWriteItems: [sdk.TransactWriteItemsCommandInput, sdk.TransactWriteItemsCommandOutput]
  query: [sdk.QueryCommandInput, sdk.QueryCommandOutput]
  scan: [sdk.ScanCommandInput, sdk.ScanCommandOutput]
  searchVectors: [sdk.SearchVectorsCommandInput, sdk.SearchVectorsCommandOutput]
  executeStatement: [sdk.ExecuteStatementCommandInput, sdk.ExecuteStatementCommandOutput]
  batchExecuteStatement: [sdk.BatchExecuteStatementCommandInput, sdk.BatchExecuteStatementCommandOutput]
  executeTransaction: [sdk.ExecuteTransactionCommandInput, sdk.ExecuteTransactionCommandOutput]
  createTable: [sdk.CreateTableCommandInput, sdk.CreateTableCommandOutput]
  describeTable: [sdk.DescribeTableCommandInput, sdk.DescribeTableCommandOutput]
  updateTable: [sdk.UpdateTableCommandInput, sdk.UpdateTableCommandOutput]
  deleteTable: [sdk.DeleteTableCommandInput, sdk.DeleteTableCommandOutput]
  listTables: [sdk.ListTablesCommandInput, sdk.ListTablesCommandOutput]
  updateTimeToLive: [sdk.UpdateTimeToLiveCommandInput, sdk.UpdateTimeToLiveCommandOutput]
  describeTimeToLive: [sdk.DescribeTimeToLiveCommandInput, sdk.DescribeTimeToLiveCommandOutput]
  tagResource: [sdk.TagResourceCommandInput, sdk.TagResourceCommandOutput]
  untagResource: [sdk.UntagResourceCommandInput, sdk.UntagResourceCommandOutput]
  listTagsOfResource: [sdk.ListTagsOfResourceCommandInput, sdk.ListTagsOfResourceCommandOutput]
  putResourcePolicy: [sdk.PutResourcePolicyCommandInput, sdk.PutResourcePolicyCommandOutput]
  getResourcePolicy: [sdk.GetResourcePolicyCommandInput, sdk.GetResourcePolicyCommandOutput]
  deleteResourcePolicy: [sdk.DeleteResourcePolicyCommandInput, sdk.DeleteResourcePolicyCommandOutput]
  updateContributorInsights: [sdk.UpdateContributorInsightsCommandInput, sdk.UpdateContributorInsightsCommandOutput]
  describeContributorInsights: [
    sdk.DescribeContributorInsightsCommandInput,
    sdk.DescribeContributorInsightsCommandOutput,
  ]
  listContributorInsights: [sdk.ListContributorInsightsCommandInput, sdk.ListContributorInsightsCommandOutput]
  createGlobalTable: [sdk.CreateGlobalTableCommandInput, sdk.CreateGlobalTableCommandOutput]
  updateGlobalTable: [sdk.UpdateGlobalTableCommandInput, sdk.UpdateGlobalTableCommandOutput]
  describeGlobalTable: [sdk.DescribeGlobalTableCommandInput, sdk.DescribeGlobalTableCommandOutput]
  listGlobalTables: [sdk.ListGlobalTablesCommandInput, sdk.ListGlobalTablesCommandOutput]
  describeGlobalTableSettings: [
    sdk.DescribeGlobalTableSettingsCommandInput,
    sdk.DescribeGlobalTableSettingsCommandOutput,
  ]
  updateGlobalTableSettings: [sdk.UpdateGlobalTableSettingsCommandInput, sdk.UpdateGlobalTableSettingsCommandOutput]
  describeTableReplicaAutoScaling: [
    sdk.DescribeTableReplicaAutoScalingCommandInput,
    sdk.DescribeTableReplicaAutoScalingCommandOutput,
  ]
  updateTableReplicaAutoScaling: [
    sdk.UpdateTableReplicaAutoScalingCommandInput,
    sdk.UpdateTableReplicaAutoScalingCommandOutput,
  ]
  describeLimits: [sdk.DescribeLimitsCommandInput, sdk.DescribeLimitsCommandOutput]
  describeEndpoints: [sdk.DescribeEndpointsCommandInput, sdk.DescribeEndpointsCommandOutput]
  describeContinuousBackups: [sdk.DescribeContinuousBackupsCommandInput, sdk.DescribeContinuousBackupsCommandOutput]
  updateContinuousBackups: [sdk.UpdateContinuousBackupsCommandInput, sdk.UpdateContinuousBackupsCommandOutput]
  createBackup: [sdk.CreateBackupCommandInput, sdk.CreateBackupCommandOutput]
  describeBackup: [sdk.DescribeBackupCommandInput, sdk.DescribeBackupCommandOutput]
  listBackups: [sdk.ListBackupsCommandInput, sdk.ListBackupsCommandOutput]
  deleteBackup: [sdk.DeleteBackupCommandInput, sdk.DeleteBackupCommandOutput]
  restoreTableFromBackup: [sdk.RestoreTableFromBackupCommandInput, sdk.RestoreTableFromBackupCommandOutput]
  restoreTableToPointInTime: [sdk.RestoreTableToPointInTimeCommandInput, sdk.RestoreTableToPointInTimeCommandOutput]
  exportTableToPointInTime: [sdk.ExportTableToPointInTimeCommandInput, sdk.ExportTableToPointInTimeCommandOutput]
  describeExport: [sdk.DescribeExportCommandInput, sdk.DescribeExportCommandOutput]
  listExports: [sdk.ListExportsCommandInput, sdk.ListExportsCommandOutput]
  importTable: [sdk.ImportTableCommandInput, sdk.ImportTableCommandOutput]
  describeImport: [sdk.DescribeImportCommandInput, sdk.DescribeImportCommandOutput]
  listImports: [sdk.ListImportsCommandInput, sdk.ListImportsCommandOutput]
}

type Operation = keyof Commands

type Requests = { [Name in Operation]: OperationInput<Name> }
type Answers = { [Name in Operation]: OperationOutput<Name> }
type SdkRequests = { [Name in Operation]: Commands[Name][0] }
type SdkAnswers = { [Name in Operation]: Commands[Name][1] }

/** The members of a type at every depth; attribute values are compared separately. */
type Members<T> = T extends sdk.AttributeValue | Date | string | number | boolean | undefined
  ? never
  : T extends readonly (infer Element)[]
    ? Members<Element>
    : string extends keyof T
      ? Members<T[keyof T]>
      : { [Name in keyof T & string]: Name | `${Name}.${Members<T[Name]>}` }[keyof T & string]

/** The SDK's type before 3.990, which requires a replica in each update. */
type AskedForBefore = Required<Pick<sdk.CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema'>>

export type Holds = [
  Fits<keyof (Service & Administration & Backups & Transfers & Vectors), Operation>,
  Fits<Requests, SdkRequests>,
  Fits<OperationInput<'createTable'>, AskedForBefore>,
  Fits<SdkAnswers, Answers>,
  Fits<AttributeValue, sdk.AttributeValue>,
  Fits<sdk.AttributeValue, AttributeValue>,
  Fits<CallOptions, NonNullable<Parameters<sdk.DynamoDB['getItem']>[1]>>,
  // The model has all of these members and no others.
  Fits<Members<SdkRequests>, Members<Requests>>,
  Fits<Members<Requests>, Members<SdkRequests>>,
  Fits<Exclude<Members<SdkAnswers>, `${string}$metadata${string}`>, Members<Answers>>,
  Fits<Members<Answers>, Members<SdkAnswers>>,
]

export const client: Store = new sdk.DynamoDB({})
export const service: Service & Administration & Backups & Transfers = new sdk.DynamoDB({})

// @ts-expect-error a client that sends commands has no operations of its own
export const commandClient: Store = new sdk.DynamoDBClient({})

// @ts-expect-error a put names its table
export const put: PutItemInput = { Item: { id: { S: 'a' } } }

// @ts-expect-error a value has exactly one member
export const value: AttributeValue = { S: 'a', N: '1' }

// @ts-expect-error ReturnValues does not have this value
export const returned: PutItemInput = { TableName: 't', Item: {}, ReturnValues: 'SOME' }

// @ts-expect-error the SDK's request is looser than ours: its table may be undefined
export type Unfit = Fits<SdkRequests, Requests>
