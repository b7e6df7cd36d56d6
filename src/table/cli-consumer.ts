import { hasQueue } from './alarms.js'
import type { CliCommand } from './cli.js'
import { FAILURES_KEPT_SECONDS, failuresName } from './consuming.js'
import { fitting, POLICY_NAME_CHARACTERS } from './fitting.js'
import type { Production } from './production.js'

/** The name of the policy for one kind of user of the table. */
export function policyName({ table }: Production, user: string): string {
  return fitting(table, `-${user}`, POLICY_NAME_CHARACTERS)
}

/** Calls that make the queue of a Lambda consumer, or the small table of `follow`. */
export function consumerCommands(made: Production, createTable: (own: Production) => CliCommand[]): CliCommand[] {
  const { consumer, table } = made
  if (hasQueue(made)) {
    const Attributes = { MessageRetentionPeriod: String(FAILURES_KEPT_SECONDS), SqsManagedSseEnabled: 'true' }
    return [{ service: 'sqs', command: 'create-queue', input: { QueueName: failuresName(table), Attributes } }]
  }
  return !consumer || consumer.source ? [] : createTable({ ...made, table: consumer.table })
}

/** Calls that give the role of a Lambda consumer its policy, and then the stream to its function. */
export function eventSourceCommands(
  made: Production,
  queueArn: string,
  policyArn: (name: string) => string,
): CliCommand[] {
  const { source } = made.consumer ?? {}
  if (!source) return []
  const attach = { RoleName: source.role, PolicyArn: policyArn(policyName(made, 'consumer')) }
  return [
    ...(source.role === undefined ? [] : [{ service: 'iam', command: 'attach-role-policy', input: attach }]),
    {
      service: 'lambda',
      command: 'create-event-source-mapping',
      streamOf: made.table,
      input: {
        FunctionName: source.function,
        StartingPosition: 'TRIM_HORIZON',
        BatchSize: source.batchSize,
        MaximumBatchingWindowInSeconds: source.windowSeconds,
        ParallelizationFactor: source.parallelization,
        BisectBatchOnFunctionError: true,
        MaximumRetryAttempts: source.attempts,
        MaximumRecordAgeInSeconds: source.recordAgeSeconds,
        FunctionResponseTypes: ['ReportBatchItemFailures'],
        DestinationConfig: { OnFailure: { Destination: queueArn } },
      },
    },
  ]
}
