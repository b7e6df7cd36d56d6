import type { TableDesign } from '../../layout/design.js'
import type { WithoutUndefined } from './check-options.js'
import { consumersName } from './consumers-table.js'

/** The options of the stream consumer. */
export interface StreamConsumerOptions {
  /**
   * The Lambda function that consumes the stream, by name or ARN. The export then has its event source, a queue for its
   * failures, and alarms for its lag and that queue. Without a function the consumer is `follow` of edgewise/derive,
   * and the export has the consumers table.
   */
  readonly function?: string | undefined
  /**
   * The name of the function's role. The export attaches the consumer policy to it before it creates the event source.
   */
  readonly role?: string | undefined
  /** The name of the consumers table of `follow`; by default the name of the table with `-consumers`. */
  readonly table?: string | undefined
  /** The maximum number of records per batch, 1 to 10,000; 500 by default. */
  readonly batchSize?: number | undefined
  /** The time to wait for more records; 1 by default, so that a busy node is written once for many edges. */
  readonly windowSeconds?: number | undefined
  /** The number of concurrent batches per shard, 1 to 10; 1 by default. The changes of one item stay in order. */
  readonly parallelization?: number | undefined
  /** The number of retries of a batch, which is halved each time, before the rest goes to the queue; 100 by default. */
  readonly attempts?: number | undefined
  /** The maximum age of a record; 22 hours by default, two hours before the stream drops it. */
  readonly recordAgeSeconds?: number | undefined
  /** An existing queue for records that could not be handled. */
  readonly queueArn?: string | undefined
}

/** The options with defaults filled in. */
export interface StreamConsumerSettings {
  readonly consumersTable: string
  readonly eventSource: EventSource | undefined
}

/** The event source of Lambda. */
export interface EventSource {
  readonly function: string
  readonly role: string | undefined
  readonly batchSize: number
  readonly windowSeconds: number
  readonly parallelization: number
  readonly attempts: number
  readonly recordAgeSeconds: number
  readonly queueArn: string | undefined
}

const HOUR_SECONDS = 3600
const EVENT_SOURCE_DEFAULTS = {
  batchSize: 500,
  windowSeconds: 1,
  parallelization: 1,
  attempts: 100,
  recordAgeSeconds: 22 * HOUR_SECONDS,
}
/** The maximum retention of SQS. */
export const FAILURE_RETENTION_SECONDS = 14 * 24 * HOUR_SECONDS

const FAILURE_QUEUE_SUFFIX = '-consumer-failures'
const QUEUE_NAME_CHARACTERS = 80

/** Returns the name of the failure queue. Names of tables may be longer than those of queues and may contain dots. */
export function failureQueueName(table: string): string {
  return `${table.replaceAll('.', '-').slice(0, QUEUE_NAME_CHARACTERS - FAILURE_QUEUE_SUFFIX.length)}${FAILURE_QUEUE_SUFFIX}`
}

/**
 * Returns the settings of the consumer; undefined without a stream, or if the stream lacks images that derived data
 * needs.
 */
export function resolveStreamConsumer(
  { stream }: TableDesign,
  table: string,
  options: WithoutUndefined<StreamConsumerOptions> | undefined,
): StreamConsumerSettings | undefined {
  if (stream === 'none' || (stream !== 'both' && options === undefined)) return undefined
  const { function: name, role, queueArn, table: consumersTable = consumersName(table), ...settings } = options ?? {}
  const eventSource =
    name === undefined ? undefined : { ...EVENT_SOURCE_DEFAULTS, ...settings, function: name, role, queueArn }
  return { consumersTable: consumersTable, eventSource }
}
