import { batchPath, batchUrl, programOf } from './batch-files.js'
import { type BatchNames, exportPolicy, startPolicy } from './batch-policies.js'
import type { PolicyDocument } from './policies.js'
import type { ProductionSettings } from './production.js'
import type { ScheduledBatchSettings } from './scheduled-batch.js'

/** Data of a request that may contain references of an export format. */
export type RequestData<Reference> =
  | string
  | number
  | Reference
  | readonly RequestData<Reference>[]
  | { readonly [member: string]: RequestData<Reference> }

/** A schedule of EventBridge Scheduler that sends one request to an AWS service. */
export interface BatchSchedule<Reference> {
  /** The word that its identifiers in templates begin with. */
  readonly id: 'Export' | 'Batch'
  readonly message: string
  readonly expression: string
  readonly timezone: string
  readonly operation: Reference
  /** The request, with the names of the AWS SDK for Java, each with a capital: EventBridge Scheduler requires them. */
  readonly request: { readonly [member: string]: RequestData<Reference> }
  readonly policy: PolicyDocument<Reference>
}

/** The retries of a schedule. The default of the service is a whole day, and the next run would overtake the last. */
export const RETRY_SECONDS = 3600
export const RETRY_ATTEMPTS = 10

/**
 * EventBridge Scheduler replaces this text. Retries send the same token, so that a lost response starts no second
 * export and no second run.
 */
const CLIENT_TOKEN = '<aws.scheduler.execution-id>'

/** The schedules of the batch in their order: the export of the table, unless it is off, and the run of the program. */
export function batchSchedules<Reference>(
  settings: ProductionSettings,
  names: BatchNames<Reference>,
): BatchSchedule<Reference>[] {
  const { batch, table } = settings
  if (!batch) return []
  const { timezone, exportSchedule } = batch
  const start: BatchSchedule<Reference> = {
    id: 'Batch',
    message: `Starts the batch over the latest export of ${table}`,
    expression: batch.schedule,
    timezone,
    operation: names.operation('emrserverless:startJobRun'),
    request: startRequest(batch, names),
    policy: startPolicy(names),
  }
  if (exportSchedule === undefined) return [start]
  const exportTable: BatchSchedule<Reference> = {
    id: 'Export',
    message: `Exports ${table} to S3`,
    expression: exportSchedule,
    timezone,
    operation: names.operation('dynamodb:exportTableToPointInTime'),
    request: {
      TableArn: names.table,
      S3Bucket: batch.bucket,
      S3Prefix: batchPath(batch, 'exports'),
      ExportFormat: 'DYNAMODB_JSON',
      ClientToken: CLIENT_TOKEN,
    },
    policy: exportPolicy(settings, batch, names),
  }
  return [exportTable, start]
}

function startRequest<Reference>(
  batch: ScheduledBatchSettings,
  names: BatchNames<Reference>,
): BatchSchedule<Reference>['request'] {
  const { entryPoint, arguments: EntryPointArguments } = programOf(batch)
  return {
    ApplicationId: names.applicationId,
    ExecutionRoleArn: names.role,
    ClientToken: CLIENT_TOKEN,
    Name: batch.name,
    ExecutionTimeoutMinutes: batch.timeoutMinutes,
    JobDriver: { SparkSubmit: { EntryPoint: entryPoint, EntryPointArguments } },
    ConfigurationOverrides: {
      MonitoringConfiguration: { S3MonitoringConfiguration: { LogUri: batchUrl(batch, 'logs') } },
    },
  }
}
