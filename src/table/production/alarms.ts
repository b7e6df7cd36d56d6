import type { TableDesign } from '../../layout/design.js'
import { indexIdentifiersOf } from '../export/index-identifiers.js'
import { globalIndexesOf } from '../table-definition.js'
import { type Alarm, MINUTE_SECONDS } from './alarm.js'
import { batchAlarms } from './batch-alarms.js'
import type { AlarmSettings, ProductionSettings } from './production.js'

/**
 * Returns the alarms of a table: throttled reads and writes of the table and of each global index, the lag of the
 * stream consumer and its failures, and those of the scheduled batch. A local index uses the capacity and metrics of
 * the table.
 */
export function alarmsOf(design: TableDesign, settings: ProductionSettings): Alarm[] {
  const { alarms: alarmSettings, batch } = settings
  if (!alarmSettings) return []
  return [...tableAlarms(design, settings, alarmSettings), ...(batch ? batchAlarms(alarmSettings, batch) : [])]
}

function tableAlarms(design: TableDesign, settings: ProductionSettings, alarmSettings: AlarmSettings): Alarm[] {
  const identifiers = indexIdentifiersOf(design)
  const indexes = [undefined, ...globalIndexesOf(design).map(index => index.name)]
  const throttleAlarms = indexes.flatMap(index => {
    const indexId = index === undefined ? [] : [identifiers.get(index)!]
    return [throttleAlarm(alarmSettings, index, indexId, 'Read'), throttleAlarm(alarmSettings, index, indexId, 'Write')]
  })
  if (design.stream === 'none' || alarmSettings.consumer === undefined) return throttleAlarms
  const failures = hasFailureQueue(settings) ? [failuresAlarm(alarmSettings)] : []
  return [...throttleAlarms, iteratorAgeAlarm(alarmSettings, alarmSettings.consumer), ...failures]
}

function throttleAlarm(
  settings: AlarmSettings,
  index: string | undefined,
  indexId: readonly string[],
  operation: 'Read' | 'Write',
): Alarm {
  const subject = index === undefined ? 'the table' : `the index ${index}`
  const consequence = index !== undefined && operation === 'Write' ? ', and with it every write to the table' : ''
  return {
    id: [...indexId, operation, 'Throttles'],
    message: `${operation === 'Read' ? 'Reads of' : 'Writes to'} ${subject} are throttled${consequence}.`,
    namespace: 'AWS/DynamoDB',
    metric: `${operation}ThrottleEvents`,
    dimensions: [
      { name: 'TableName', value: undefined },
      ...(index === undefined ? [] : [{ name: 'GlobalSecondaryIndexName', value: index }]),
    ],
    statistic: 'Sum',
    threshold: settings.throttles,
    periodSeconds: MINUTE_SECONDS,
    evaluationPeriods: 5,
    datapointsToAlarm: 3,
    actionArns: settings.actionArns,
  }
}

function iteratorAgeAlarm(settings: AlarmSettings, consumer: string): Alarm {
  return {
    id: ['Iterator', 'Age'],
    message: 'The consumer of the stream is behind; what it has not read within 24 hours is lost to it.',
    namespace: 'AWS/Lambda',
    metric: 'IteratorAge',
    dimensions: [{ name: 'FunctionName', value: consumer }],
    statistic: 'Maximum',
    threshold: settings.iteratorAgeMs,
    periodSeconds: MINUTE_SECONDS,
    evaluationPeriods: 5,
    datapointsToAlarm: 5,
    actionArns: settings.actionArns,
  }
}

/** Whether there is a queue of our own for what could not be handled. */
export function hasFailureQueue({ consumer }: ProductionSettings): boolean {
  return consumer?.eventSource !== undefined && consumer.eventSource.queueArn === undefined
}

function failuresAlarm(settings: AlarmSettings): Alarm {
  return {
    id: ['Consumer', 'Failures'],
    message: 'Records of the stream could not be handled; what is derived from them must be verified.',
    namespace: 'AWS/SQS',
    metric: 'ApproximateNumberOfMessagesVisible',
    dimensions: [{ name: 'QueueName', value: undefined }],
    statistic: 'Maximum',
    threshold: 1,
    periodSeconds: MINUTE_SECONDS,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    actionArns: settings.actionArns,
  }
}
