import type { TableDesign } from '../layout/design.js'
import { hasQueue } from './alarms.js'
import type { Resource, Value } from './cloudformation.js'
import { consumersDesign } from './consumers.js'
import { type EventSource, FAILURES_KEPT_SECONDS } from './consuming.js'
import type { Production } from './production.js'

/** What consumes the stream: the event source of a function with its queue, or the small table of `follow`. */
export function consumerResources(
  made: Production,
  queue: Value,
  tableResource: (design: TableDesign, made: Production) => Resource,
): Record<string, Resource> {
  const { consumer } = made
  if (!consumer) return {}
  const { source, table } = consumer
  if (!source)
    return { ConsumersTable: tableResource(consumersDesign(table), { ...made, table, contributorInsights: false }) }
  return {
    ...(hasQueue(made) && { FailureQueue: queueResource(made) }),
    EventSource: sourceResource(source, queue),
  }
}

function queueResource({ deletionProtection }: Production): Resource {
  const policy = deletionProtection ? 'Retain' : 'Delete'
  return {
    Type: 'AWS::SQS::Queue',
    DeletionPolicy: policy,
    UpdateReplacePolicy: policy,
    Properties: { MessageRetentionPeriod: FAILURES_KEPT_SECONDS, SqsManagedSseEnabled: true },
  }
}

function sourceResource(source: EventSource, queue: Value): Resource {
  return {
    Type: 'AWS::Lambda::EventSourceMapping',
    // The function must be allowed to read before it is told to.
    ...(source.role !== undefined && { DependsOn: ['ConsumerPolicy'] }),
    Properties: {
      FunctionName: source.function,
      EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: source.batchSize,
      MaximumBatchingWindowInSeconds: source.windowSeconds,
      ParallelizationFactor: source.parallelization,
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: source.attempts,
      MaximumRecordAgeInSeconds: source.recordAgeSeconds,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: queue } },
    },
  }
}
