import {
  type BatchNames,
  batchPolicy,
  batchTrustPolicy,
  scheduleTrustPolicy,
  type TrustPolicy,
} from '../../production/batch-policies.js'
import { type BatchSchedule, batchSchedules, RETRY_ATTEMPTS, RETRY_SECONDS } from '../../production/batch-schedules.js'
import type { PolicyDocument } from '../../production/policies.js'
import type { ProductionSettings } from '../../production/production.js'
import { IDLE_MINUTES, MEMORY_GB_PER_VCPU, type ScheduledBatchSettings } from '../../production/scheduled-batch.js'
import type { Resource, Value } from './template.js'

const APPLICATION = 'BatchApplication'
const ROLE = 'BatchRole'
const GROUP = 'BatchScheduleGroup'
const ROLE_ARN = { 'Fn::GetAtt': [ROLE, 'Arn'] }

/** The references of alarms to the resources of the batch. */
export const CLOUDFORMATION_BATCH_DIMENSIONS = { ApplicationId: { Ref: APPLICATION }, ScheduleGroup: { Ref: GROUP } }

/** The outputs of the batch: the application, and the role for permissions that only its owner knows. */
export const CLOUDFORMATION_BATCH_OUTPUTS = { application: { Ref: APPLICATION }, role: ROLE_ARN }

function batchNames(bucket: string): BatchNames<Value> {
  return {
    table: { 'Fn::GetAtt': ['Table', 'Arn'] },
    application: { 'Fn::GetAtt': [APPLICATION, 'Arn'] },
    applicationId: { Ref: APPLICATION },
    role: ROLE_ARN,
    scheduleGroup: { 'Fn::GetAtt': [GROUP, 'Arn'] },
    bucket: path => ({ 'Fn::Sub': `arn:\${AWS::Partition}:s3:::${bucket}${path === undefined ? '' : `/${path}`}` }),
    operation: name => ({ 'Fn::Sub': `arn:\${AWS::Partition}:scheduler:::aws-sdk:${name}` }),
  }
}

/** The resources of the batch: the application, the role of its program, and the schedules with a role each. */
export function batchResources(
  settings: ProductionSettings,
  policyResource: (description: string, document: PolicyDocument<Value>, role: Value) => Resource,
): Record<string, Resource> {
  const { batch, tags } = settings
  if (!batch) return {}
  const names = batchNames(batch.bucket)
  const tagged = tags.length > 0 && { Tags: tags.map(({ Key, Value }) => ({ Key, Value })) }
  return {
    [APPLICATION]: applicationResource(batch, tagged),
    [ROLE]: roleResource('What the program of the batch may do', batchTrustPolicy(names), tagged),
    BatchPolicy: policyResource('What the program of the batch may do', batchPolicy(batch, names), {
      Ref: ROLE,
    }),
    [GROUP]: { Type: 'AWS::Scheduler::ScheduleGroup', Properties: { ...tagged } },
    ...Object.fromEntries(
      batchSchedules(settings, names).flatMap((schedule): [string, Resource][] => {
        const [description, role] = [`What the schedule does: ${schedule.message}`, `${schedule.id}ScheduleRole`]
        return [
          [role, roleResource(description, scheduleTrustPolicy(names), tagged)],
          [`${schedule.id}SchedulePolicy`, policyResource(description, schedule.policy, { Ref: role })],
          [`${schedule.id}Schedule`, scheduleResource(schedule, { 'Fn::GetAtt': [role, 'Arn'] })],
        ]
      }),
    ),
  }
}

type Tagged = false | { readonly Tags: Value }

function applicationResource({ name, release, maxVcpus }: ScheduledBatchSettings, tagged: Tagged): Resource {
  return {
    Type: 'AWS::EMRServerless::Application',
    Properties: {
      Name: name,
      Type: 'SPARK',
      ReleaseLabel: release,
      AutoStartConfiguration: { Enabled: true },
      AutoStopConfiguration: { Enabled: true, IdleTimeoutMinutes: IDLE_MINUTES },
      MaximumCapacity: { Cpu: `${maxVcpus} vCPU`, Memory: `${maxVcpus * MEMORY_GB_PER_VCPU} GB` },
      ...tagged,
    },
  }
}

function roleResource(Description: string, trust: TrustPolicy<Value>, tagged: Tagged): Resource {
  return {
    Type: 'AWS::IAM::Role',
    Properties: { Description, AssumeRolePolicyDocument: trust, ...tagged },
  }
}

function scheduleResource(schedule: BatchSchedule<Value>, role: Value): Resource {
  return {
    Type: 'AWS::Scheduler::Schedule',
    Properties: {
      Description: schedule.message,
      GroupName: { Ref: GROUP },
      ScheduleExpression: schedule.expression,
      ScheduleExpressionTimezone: schedule.timezone,
      FlexibleTimeWindow: { Mode: 'OFF' },
      Target: {
        Arn: schedule.operation,
        RoleArn: role,
        Input: { 'Fn::Sub': substitutedJson(schedule.request) },
        RetryPolicy: { MaximumEventAgeInSeconds: RETRY_SECONDS, MaximumRetryAttempts: RETRY_ATTEMPTS },
      },
    },
  }
}

/** A request as JSON in which CloudFormation replaces references, which must not contain those of the whole text. */
function substitutedJson(request: object): string {
  return JSON.stringify(request, (_, value) => {
    const [[name, argument] = []] = typeof value === 'object' && value !== null ? Object.entries<unknown>(value) : []
    if (name === 'Ref') return `\${${String(argument)}}`
    return name === 'Fn::GetAtt' ? `\${${(argument as string[]).join('.')}}` : value
  })
}
