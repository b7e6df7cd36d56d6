import { batchPath } from './batch-files.js'
import { createPolicy, encryptionKeyStatements, type PolicyDocument } from './policies.js'
import type { ProductionSettings } from './production.js'
import type { ScheduledBatchSettings } from './scheduled-batch.js'

/** The references of an export format to the resources of the batch. */
export interface BatchNames<Arn> {
  readonly table: Arn
  readonly application: Arn
  readonly applicationId: Arn
  /** The role of the program. */
  readonly role: Arn
  readonly scheduleGroup: Arn
  /** The bucket, or the objects at a path in it. */
  readonly bucket: (path?: string) => Arn
  /** The target of a schedule: an operation of an AWS SDK. */
  readonly operation: (name: string) => Arn
}

/** The policy of a role that says who may use it. */
export type TrustPolicy<Arn> = {
  readonly Version: '2012-10-17'
  readonly Statement: readonly {
    readonly Effect: 'Allow'
    readonly Principal: { readonly Service: string }
    readonly Action: 'sts:AssumeRole'
    readonly Condition: { readonly ArnEquals: { readonly 'aws:SourceArn': Arn } }
  }[]
}

/** Only the service may use the role, and only for this resource: not for a resource of another account. */
function trustPolicy<Arn>(service: string, resource: Arn): TrustPolicy<Arn> {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { Service: service },
        Action: 'sts:AssumeRole',
        Condition: { ArnEquals: { 'aws:SourceArn': resource } },
      },
    ],
  }
}

const EMR_SERVERLESS = 'emr-serverless.amazonaws.com'

export const batchTrustPolicy = <Arn>(names: BatchNames<Arn>) => trustPolicy(EMR_SERVERLESS, names.application)
/** EventBridge Scheduler passes the ARN of the group; a policy with that of a schedule would never match. */
export const scheduleTrustPolicy = <Arn>(names: BatchNames<Arn>) =>
  trustPolicy('scheduler.amazonaws.com', names.scheduleGroup)

/** Spark writes under temporary names first, in parts. The program reads and deletes the tables of its steps there. */
const RESULT_ACTIONS = ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject']

/**
 * The policy of the program: it reads its files and exports, and writes results and logs. It has no permission on the
 * table, because `edgewise batch --results` writes the summaries.
 */
export function batchPolicy<Arn>(batch: ScheduledBatchSettings, names: BatchNames<Arn>): PolicyDocument<Arn> {
  const objects = (folder: Parameters<typeof batchPath>[1]) => names.bucket(`${batchPath(batch, folder)}/*`)
  return createPolicy([
    {
      Sid: 'Listing',
      Effect: 'Allow',
      Action: ['s3:ListBucket'],
      Resource: [names.bucket()],
      Condition: { StringLike: { 's3:prefix': [`${batch.prefix}/*`] } },
    },
    { Sid: 'Input', Effect: 'Allow', Action: ['s3:GetObject'], Resource: [objects('program'), objects('exports')] },
    { Sid: 'Results', Effect: 'Allow', Action: RESULT_ACTIONS, Resource: [objects('results')] },
    { Sid: 'Logs', Effect: 'Allow', Action: ['s3:PutObject'], Resource: [objects('logs')] },
  ])
}

/** The policy of the schedule that starts the batch. */
export function startPolicy<Arn>(names: BatchNames<Arn>): PolicyDocument<Arn> {
  return createPolicy([
    { Sid: 'Start', Effect: 'Allow', Action: ['emr-serverless:StartJobRun'], Resource: [names.application] },
    {
      Sid: 'Role',
      Effect: 'Allow',
      Action: ['iam:PassRole'],
      Resource: [names.role],
      Condition: { StringEquals: { 'iam:PassedToService': EMR_SERVERLESS } },
    },
  ])
}

/** The policy of the schedule that exports the table. DynamoDB writes the files with the permissions of the caller. */
export function exportPolicy<Arn>(
  settings: ProductionSettings,
  batch: ScheduledBatchSettings,
  names: BatchNames<Arn>,
): PolicyDocument<Arn> {
  return createPolicy<Arn>([
    { Sid: 'Export', Effect: 'Allow', Action: ['dynamodb:ExportTableToPointInTime'], Resource: [names.table] },
    {
      Sid: 'Files',
      Effect: 'Allow',
      Action: ['s3:AbortMultipartUpload', 's3:PutObject', 's3:PutObjectAcl'],
      Resource: [names.bucket(`${batchPath(batch, 'exports')}/*`)],
    },
    ...encryptionKeyStatements(settings, []),
  ])
}
