import { hasFailureQueue } from '../../production/alarms.js'
import type { ProductionSettings } from '../../production/production.js'
import { FAILURE_RETENTION_SECONDS, failureQueueName } from '../../production/stream-consumer.js'
import { fitName, MAX_POLICY_NAME_CHARACTERS } from '../fit-name.js'
import type { CliCommand } from './commands.js'

/** The name of the policy for one kind of user of the table. */
export function policyNameOf({ table }: ProductionSettings, user: string): string {
  return fitName(table, `-${user}`, MAX_POLICY_NAME_CHARACTERS)
}

/** The calls that create the queue of a Lambda consumer, or the consumers table of `follow`. */
export function consumerCommands(
  settings: ProductionSettings,
  createTable: (tableSettings: ProductionSettings) => CliCommand[],
): CliCommand[] {
  const { consumer, table } = settings
  if (hasFailureQueue(settings)) {
    const Attributes = { MessageRetentionPeriod: String(FAILURE_RETENTION_SECONDS), SqsManagedSseEnabled: 'true' }
    return [{ service: 'sqs', command: 'create-queue', input: { QueueName: failureQueueName(table), Attributes } }]
  }
  return !consumer || consumer.eventSource ? [] : createTable({ ...settings, table: consumer.consumersTable })
}

/** The calls that attach the policy to the role of a Lambda consumer and then connect the stream to its function. */
export function eventSourceCommands(
  settings: ProductionSettings,
  queueArn: string,
  policyArn: (name: string) => string,
): CliCommand[] {
  const { eventSource } = settings.consumer ?? {}
  if (!eventSource) return []
  const attach = { RoleName: eventSource.role, PolicyArn: policyArn(policyNameOf(settings, 'consumer')) }
  return [
    ...(eventSource.role === undefined ? [] : [{ service: 'iam', command: 'attach-role-policy', input: attach }]),
    {
      service: 'lambda',
      command: 'create-event-source-mapping',
      streamOf: settings.table,
      input: {
        FunctionName: eventSource.function,
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: eventSource.batchSize,
        MaximumBatchingWindowInSeconds: eventSource.windowSeconds,
        ParallelizationFactor: eventSource.parallelization,
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: eventSource.attempts,
        MaximumRecordAgeInSeconds: eventSource.recordAgeSeconds,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: { Destination: queueArn } },
      },
    },
  ]
}
