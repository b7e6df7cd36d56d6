import { type Alarm, MINUTE_SECONDS } from './alarm.js'
import type { AlarmSettings } from './production.js'
import type { ScheduledBatchSettings } from './scheduled-batch.js'

/**
 * The alarms of a scheduled batch: failed and cancelled runs, and requests of its schedules that failed or were given
 * up.
 */
export function batchAlarms({ actionArns }: AlarmSettings, { name }: ScheduledBatchSettings): Alarm[] {
  const alarm = (id: readonly string[], metric: string, message: string) => ({
    id,
    message,
    metric,
    statistic: 'Sum' as const,
    threshold: 1,
    periodSeconds: MINUTE_SECONDS,
    evaluationPeriods: 1,
    datapointsToAlarm: 1,
    actionArns,
  })
  const runs = {
    namespace: 'AWS/EMRServerless',
    dimensions: [
      { name: 'ApplicationId', value: undefined },
      { name: 'ApplicationName', value: name },
    ],
  }
  const requests = { namespace: 'AWS/Scheduler', dimensions: [{ name: 'ScheduleGroup', value: undefined }] }
  return [
    { ...alarm(['Batch', 'Failures'], 'FailedJobs', 'A run of the batch failed.'), ...runs },
    // A run that exceeds its maximum duration is cancelled and does not count as failed.
    {
      ...alarm(['Batch', 'Cancellations'], 'CancelledJobs', 'A run of the batch was cancelled or took too long.'),
      ...runs,
    },
    {
      ...alarm(
        ['Schedule', 'Errors'],
        'TargetErrorCount',
        'The export or the batch could not be started; it is retried.',
      ),
      ...requests,
    },
    // A role that cannot be assumed does not count as an error of the target.
    {
      ...alarm(['Schedule', 'Drops'], 'InvocationDroppedCount', 'The export or the batch was not started.'),
      ...requests,
    },
  ]
}
