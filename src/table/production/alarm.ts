export const MINUTE_SECONDS = 60

/** The references of an export format to the resources whose names an alarm cannot know, by dimension. */
export type DimensionReferences<Reference> = Readonly<
  Record<'TableName' | 'QueueName' | 'ApplicationId' | 'ScheduleGroup', Reference>
>

export interface Alarm {
  /** The words of its identifier in templates, of letters and digits. */
  readonly id: readonly string[]
  readonly message: string
  readonly namespace: string
  readonly metric: string
  /**
   * The dimensions. An undefined value stands for a resource of the export that the name of the dimension determines.
   */
  readonly dimensions: readonly { readonly name: string; readonly value: string | undefined }[]
  readonly statistic: 'Sum' | 'Maximum'
  readonly threshold: number
  readonly periodSeconds: number
  readonly evaluationPeriods: number
  readonly datapointsToAlarm: number
  readonly actionArns: readonly string[]
}

/** Converts an alarm to the properties that CloudFormation and the CLI share. */
export function toAlarmProperties<Reference>(alarm: Alarm, references: Partial<DimensionReferences<Reference>>) {
  return {
    AlarmDescription: alarm.message,
    Namespace: alarm.namespace,
    MetricName: alarm.metric,
    Dimensions: alarm.dimensions.map(({ name, value }) => ({
      Name: name,
      Value: value ?? references[name as keyof DimensionReferences<Reference>],
    })),
    Statistic: alarm.statistic,
    Period: alarm.periodSeconds,
    EvaluationPeriods: alarm.evaluationPeriods,
    DatapointsToAlarm: alarm.datapointsToAlarm,
    Threshold: alarm.threshold,
    ComparisonOperator: 'GreaterThanOrEqualToThreshold',
    TreatMissingData: 'notBreaching',
    ...(alarm.actionArns.length > 0 && { AlarmActions: alarm.actionArns, OKActions: alarm.actionArns }),
  }
}
