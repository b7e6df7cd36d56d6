import { hasQueue } from './alarms.js'
import { consumersDesign } from './consumers.js'
import { type EventSource, FAILURES_KEPT_SECONDS, failuresName } from './consuming.js'
import { block, type HclBlock, type HclValue, resource } from './hcl.js'
import type { ResourceNames } from './policies.js'
import type { Production } from './production.js'
import { tableBlock } from './terraform-table.js'

/** What consumes the stream: the event source of a function with its queue, or the small table of `follow`. */
export function consumerBlocks(made: Production, names: ResourceNames<HclValue>): HclBlock[] {
  const { consumer } = made
  if (!consumer) return []
  const { source, table } = consumer
  if (!source) return [tableBlock(consumersDesign(table), { ...made, table, autoscaling: undefined }, 'consumers')]
  return [
    ...(hasQueue(made) ? [queueBlock(made)] : []),
    ...(source.role === undefined ? [] : [attachmentBlock(source.role)]),
    sourceBlock(source, names),
  ]
}

function queueBlock({ table }: Production): HclBlock {
  return resource('aws_sqs_queue', 'consumer_failures', [
    ['name', failuresName(table)],
    ['message_retention_seconds', FAILURES_KEPT_SECONDS],
    ['sqs_managed_sse_enabled', true],
  ])
}

function attachmentBlock(role: string): HclBlock {
  return resource('aws_iam_role_policy_attachment', 'consumer', [
    ['role', role],
    ['policy_arn', { raw: 'aws_iam_policy.consumer.arn' }],
  ])
}

function sourceBlock(source: EventSource, names: ResourceNames<HclValue>): HclBlock {
  // The function must be allowed to read before it is told to.
  const after = source.role === undefined ? undefined : [{ raw: 'aws_iam_role_policy_attachment.consumer' }]
  const failures = block('on_failure', [], [['destination_arn', names.queue]])
  return resource(
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
      ['depends_on', after],
    ],
    [block('destination_config', [], [], [failures])],
  )
}
