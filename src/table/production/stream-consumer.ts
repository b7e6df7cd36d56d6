import type { TableDesign } from '../../layout/design.js'
import type { WithoutUndefined } from './check-options.js'
import { consumersName } from './consumers-table.js'

/** Who consumes the stream, and how. */
export interface StreamConsumerOptions {
  /**
   * The Lambda function that does, by name or ARN: then there are its event source, a queue for what it cannot handle, and
   * alarms on its lag and on that queue. Without one it is `follow` of edgewise/derive, and its small table is there.
   */
  readonly function?: string | undefined
  /** The name of the function's role, which then has the consumer's policy before the event source is made. */
  readonly role?: string | undefined
  /** The name of the small table of `follow`; the table's name and `-consumers` unless said. */
  readonly table?: string | undefined
  /** How many records a function gets at once, 1 to 10,000; 500 unless said. */
  readonly batchSize?: number | undefined
  /** How long it waits for more; 1 unless said, so that a busy node is written once for many edges. */
  readonly windowSeconds?: number | undefined
  /** How many run at once for one shard, 1 to 10; 1 unless said. The changes of one item stay in order. */
  readonly parallelization?: number | undefined
  /** How often a batch is tried again, halved each time, before what is left of it goes to the queue; 100 unless said. */
  readonly attempts?: number | undefined
  /** How old a record may be; 22 hours unless said, two before the stream forgets it. */
  readonly recordAgeSeconds?: number | undefined
  /** A queue of your own for what could not be handled. */
  readonly queueArn?: string | undefined
}

/** The options with what was not said filled in. */
export interface StreamConsumerSettings {
  readonly consumersTable: string
  readonly eventSource: EventSource | undefined
}

/** How Lambda reads the stream. */
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
/** As long as SQS keeps a message. */
export const FAILURE_RETENTION_SECONDS = 14 * 24 * HOUR_SECONDS

const FAILURE_QUEUE_SUFFIX = '-consumer-failures'
const QUEUE_NAME_CHARACTERS = 80

/** The name of the queue: those of tables may be longer, and have dots. */
export function failureQueueName(table: string): string {
  return `${table.replaceAll('.', '-').slice(0, QUEUE_NAME_CHARACTERS - FAILURE_QUEUE_SUFFIX.length)}${FAILURE_QUEUE_SUFFIX}`
}

/** Undefined where nothing is to be consumed: without a stream, or one that tells less than derived data needs. */
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
