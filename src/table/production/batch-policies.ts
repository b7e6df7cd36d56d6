import type { TableDesign } from '../../layout/design.js'
import { JOB_RUN_TOKEN, RECEIPT_PREFIX } from '../../layout/items/internal-items.js'
import { batchPath } from './batch-files.js'
import {
  createPolicy,
  encryptionKeyStatements,
  KEY_WRITES,
  leadingKeysCondition,
  type PolicyDocument,
  type Statement,
} from './policies.js'
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

/** The keys of the items that record the last run of each job. */
const RUN_KEYS = `${RECEIPT_PREFIX}${JOB_RUN_TOKEN}*`
const EMR_SERVERLESS = 'emr-serverless.amazonaws.com'

export const batchTrustPolicy = <Arn>(names: BatchNames<Arn>) => trustPolicy(EMR_SERVERLESS, names.application)
/** EventBridge Scheduler passes the ARN of the group; a policy with that of a schedule would never match. */
export const scheduleTrustPolicy = <Arn>(names: BatchNames<Arn>) =>
  trustPolicy('scheduler.amazonaws.com', names.scheduleGroup)

/** Spark writes results to temporary names first, in parts, and deletes what a failed task left. */
const RESULT_ACTIONS = ['s3:AbortMultipartUpload', 's3:DeleteObject', 's3:GetObject', 's3:PutObject']

/**
 * The policy of the program: it reads its files and exports, and writes results and logs. It writes to the table only
 * with `writeBack`, and never reads a row from it.
 */
export function batchPolicy<Arn>(
  design: TableDesign,
  settings: ProductionSettings,
  names: BatchNames<Arn>,
): PolicyDocument<Arn> {
  const batch = settings.batch!
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
    ...(batch.writeBack ? writeBackStatements(design, settings, names) : []),
  ])
}

/** An update needs no read. The item that records the last run of a job is read and replaced. */
function writeBackStatements<Arn>(
  design: TableDesign,
  settings: ProductionSettings,
  names: BatchNames<Arn>,
): Statement<Arn | string>[] {
  // The keys of a numeric table are hashes, which no pattern describes.
  const isNumeric = design.attributes[design.keys.partition] === 'N'
  return [
    { Sid: 'Summaries', Effect: 'Allow', Action: ['dynamodb:UpdateItem'], Resource: [names.table] },
    {
      Sid: 'Runs',
      Effect: 'Allow',
      Action: ['dynamodb:GetItem', 'dynamodb:PutItem'],
      Resource: [names.table],
      ...(!isNumeric && { Condition: leadingKeysCondition('StringLike', RUN_KEYS) }),
    },
    ...encryptionKeyStatements(settings, KEY_WRITES),
  ]
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
