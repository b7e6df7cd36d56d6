import { hasFailureQueue } from '../../production/alarms.js'
import { consumersDesign } from '../../production/consumers-table.js'
import type { ResourceNames } from '../../production/policies.js'
import type { ProductionSettings } from '../../production/production.js'
import { type EventSource, FAILURE_RETENTION_SECONDS, failureQueueName } from '../../production/stream-consumer.js'
import { createBlock, createResourceBlock, type HclBlock, type HclValue } from './hcl.js'
import { tableBlock } from './table.js'

/** The resources of the consumer: the event source of a function with its queue, or the consumers table of `follow`. */
export function consumerBlocks(settings: ProductionSettings, names: ResourceNames<HclValue>): HclBlock[] {
  const { consumer } = settings
  if (!consumer) return []
  const { eventSource, consumersTable } = consumer
  if (!eventSource)
    return [
      tableBlock(
        consumersDesign(consumersTable),
        { ...settings, table: consumersTable, autoscaling: undefined },
        'consumers',
      ),
    ]
  return [
    ...(hasFailureQueue(settings) ? [queueBlock(settings)] : []),
    ...(eventSource.role === undefined ? [] : [attachmentBlock(eventSource.role)]),
    sourceBlock(eventSource, names),
  ]
}

function queueBlock({ table }: ProductionSettings): HclBlock {
  return createResourceBlock('aws_sqs_queue', 'consumer_failures', [
    ['name', failureQueueName(table)],
    ['message_retention_seconds', FAILURE_RETENTION_SECONDS],
    ['sqs_managed_sse_enabled', true],
  ])
}

function attachmentBlock(role: string): HclBlock {
  return createResourceBlock('aws_iam_role_policy_attachment', 'consumer', [
    ['role', role],
    ['policy_arn', { raw: 'aws_iam_policy.consumer.arn' }],
  ])
}

function sourceBlock(source: EventSource, names: ResourceNames<HclValue>): HclBlock {
  // The policy must exist first, because Lambda checks the permission to read when the event source is created.
  const dependencies = source.role === undefined ? undefined : [{ raw: 'aws_iam_role_policy_attachment.consumer' }]
  const failures = createBlock('on_failure', [], [['destination_arn', names.queue]])
  return createResourceBlock(
    'aws_lambda_event_source_mapping',
    'consumer',
    [
      ['function_name', source.function],
      ['event_source_arn', names.stream],
      ['starting_position', 'TRIM_HORIZON'],
      ['batch_size', source.batchSize],
      ['maximum_batching_window_in_seconds', source.windowSeconds],
      ['parallelization_factor', source.parallelization],
      ['bisect_batch_on_function_error', true],
      ['maximum_retry_attempts', source.attempts],
      ['maximum_record_age_in_seconds', source.recordAgeSeconds],
      ['function_response_types', ['ReportBatchItemFailures']],
      ['depends_on', dependencies],
    ],
    [createBlock('destination_config', [], [], [failures])],
  )
}
