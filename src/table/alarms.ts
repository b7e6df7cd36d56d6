import type { TableDesign } from '../layout/design.js'
import { globalIndexes } from './definition.js'
import { indexIdentifiers } from './identifiers.js'
import type { Alarming, Production } from './production.js'

const MINUTE_SECONDS = 60

export interface Alarm {
  /** Words of letters and digits that make its name in templates. */
  readonly id: readonly string[]
  readonly message: string
  readonly namespace: string
  readonly metric: string
  /** With the name of the table or of the queue, as the dimension says, where the value is undefined. */
  readonly dimensions: readonly { readonly name: string; readonly value: string | undefined }[]
  readonly statistic: 'Sum' | 'Maximum'
  readonly threshold: number
  readonly periodSeconds: number
  readonly periods: number
  readonly periodsOver: number
  readonly actionArns: readonly string[]
}

/**
 * Throttled reads and writes of the table and of each global index (a local one uses the table's capacity and metrics),
 * the lag of the stream's consumer, and what it could not handle.
 */
export function alarms(design: TableDesign, made: Production): Alarm[] {
  const { alarms: alarming } = made
  if (!alarming) return []
  const identifiers = indexIdentifiers(design)
  const indexes = [undefined, ...globalIndexes(design).map(index => index.name)]
  const throttles = indexes.flatMap(index => {
    const of = index === undefined ? [] : [identifiers.get(index)!]
    return [throttleAlarm(alarming, index, of, 'Read'), throttleAlarm(alarming, index, of, 'Write')]
  })
  if (design.stream === 'none' || alarming.consumer === undefined) return throttles
  const failures = hasQueue(made) ? [failuresAlarm(alarming)] : []
  return [...throttles, iteratorAgeAlarm(alarming, alarming.consumer), ...failures]
}

function throttleAlarm(
  alarming: Alarming,
  index: string | undefined,
  of: readonly string[],
  what: 'Read' | 'Write',
): Alarm {
  const where = index === undefined ? 'the table' : `the index ${index}`
  const harm = index !== undefined && what === 'Write' ? ', and with it every write to the table' : ''
  return {
    id: [...of, what, 'Throttles'],
    message: `${what === 'Read' ? 'Reads of' : 'Writes to'} ${where} are throttled${harm}.`,
    namespace: 'AWS/DynamoDB',
    metric: `${what}ThrottleEvents`,
    dimensions: [
      { name: 'TableName', value: undefined },
      ...(index === undefined ? [] : [{ name: 'GlobalSecondaryIndexName', value: index }]),
    ],
    statistic: 'Sum',
    threshold: alarming.throttles,
    periodSeconds: MINUTE_SECONDS,
    periods: 5,
    periodsOver: 3,
    actionArns: alarming.actionArns,
  }
}

function iteratorAgeAlarm(alarming: Alarming, consumer: string): Alarm {
  return {
    id: ['Iterator', 'Age'],
    message: 'The consumer of the stream is behind; what it has not read within 24 hours is lost to it.',
    namespace: 'AWS/Lambda',
    metric: 'IteratorAge',
    dimensions: [{ name: 'FunctionName', value: consumer }],
    statistic: 'Maximum',
    threshold: alarming.iteratorAgeMs,
    periodSeconds: MINUTE_SECONDS,
    periods: 5,
    periodsOver: 5,
    actionArns: alarming.actionArns,
  }
}

/** Whether there is a queue of our own for what could not be handled. */
export function hasQueue({ consumer }: Production): boolean {
  return consumer?.source !== undefined && consumer.source.queueArn === undefined
}

function failuresAlarm(alarming: Alarming): Alarm {
  return {
    id: ['Consumer', 'Failures'],
    message: 'Records of the stream could not be handled; what is derived from them must be verified.',
    namespace: 'AWS/SQS',
    metric: 'ApproximateNumberOfMessagesVisible',
    dimensions: [{ name: 'QueueName', value: undefined }],
    statistic: 'Maximum',
    threshold: 1,
    periodSeconds: MINUTE_SECONDS,
    periods: 1,
    periodsOver: 1,
    actionArns: alarming.actionArns,
  }
}

/** An alarm in the words that CloudFormation and the CLI share; the given is how table and queue are named there. */
export function alarmMembers<Named>(alarm: Alarm, named: { readonly table: Named; readonly queue: Named }) {
  return {
    AlarmDescription: alarm.message,
    Namespace: alarm.namespace,
    MetricName: alarm.metric,
    Dimensions: alarm.dimensions.map(({ name, value }) => ({
      Name: name,
      Value: value ?? (name === 'QueueName' ? named.queue : named.table),
    })),
    Statistic: alarm.statistic,
    Period: alarm.periodSeconds,
    EvaluationPeriods: alarm.periods,
    DatapointsToAlarm: alarm.periodsOver,
    Threshold: alarm.threshold,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    ...(alarm.actionArns.length > 0 && { AlarmActions: alarm.actionArns, OKActions: alarm.actionArns }),
  }
}
