import type { TableDesign } from '../../../layout/design.js'
import { hasFailureQueue } from '../../production/alarms.js'
import { consumersDesign } from '../../production/consumers-table.js'
import type { ProductionSettings } from '../../production/production.js'
import { type EventSource, FAILURE_RETENTION_SECONDS } from '../../production/stream-consumer.js'
import type { Resource, Value } from './template.js'

/** The resources of the consumer: the event source of a function with its queue, or the consumers table of `follow`. */
export function consumerResources(
  settings: ProductionSettings,
  queue: Value,
  tableResource: (design: TableDesign, settings: ProductionSettings) => Resource,
): Record<string, Resource> {
  const { consumer } = settings
  if (!consumer) return {}
  const { eventSource, consumersTable } = consumer
  if (!eventSource)
    return {
      ConsumersTable: tableResource(consumersDesign(consumersTable), {
        ...settings,
        table: consumersTable,
        contributorInsights: false,
      }),
    }
  return {
    ...(hasFailureQueue(settings) && { FailureQueue: queueResource(settings) }),
    EventSource: sourceResource(eventSource, queue),
  }
}

function queueResource({ deletionProtection }: ProductionSettings): Resource {
  const policy = deletionProtection ? 'Retain' : 'Delete'
  return {
    Type: 'AWS::SQS::Queue',
    DeletionPolicy: policy,
    UpdateReplacePolicy: policy,
    Properties: { MessageRetentionPeriod: FAILURE_RETENTION_SECONDS, SqsManagedSseEnabled: true },
  }
}

function sourceResource(source: EventSource, queue: Value): Resource {
  return {
    Type: 'AWS::Lambda::EventSourceMapping',
    // The policy must exist first, because Lambda checks the permission to read when the event source is created.
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
