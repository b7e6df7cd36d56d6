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
import {
  IDLE_MINUTES,
  MAX_NAME_CHARACTERS,
  MEMORY_GB_PER_VCPU,
  type ScheduledBatchSettings,
} from '../../production/scheduled-batch.js'
import { fitName } from '../fit-name.js'
import {
  createBlock,
  createResourceBlock,
  type HclAttributes,
  type HclBlock,
  type HclValue,
  toHclValue,
} from './hcl.js'

const APPLICATION = 'aws_emrserverless_application.batch'
const ROLE = 'aws_iam_role.batch'
const GROUP = 'aws_scheduler_schedule_group.batch'
/** A name of its own, because a folder may have another data source for the partition. */
const PARTITION = 'data.aws_partition.batch.partition'

/** The references of alarms to the resources of the batch. */
export const TERRAFORM_BATCH_DIMENSIONS = {
  ApplicationId: { raw: `${APPLICATION}.id` },
  ScheduleGroup: { raw: `${GROUP}.name` },
}

/** The outputs of the batch: the application, and the role for permissions that only its owner knows. */
export const TERRAFORM_BATCH_OUTPUTS = {
  application: TERRAFORM_BATCH_DIMENSIONS.ApplicationId,
  role: { raw: `${ROLE}.arn` },
}

function batchNames(bucket: string): BatchNames<HclValue> {
  return {
    table: { raw: 'aws_dynamodb_table.table.arn' },
    application: { raw: `${APPLICATION}.arn` },
    applicationId: TERRAFORM_BATCH_DIMENSIONS.ApplicationId,
    role: TERRAFORM_BATCH_OUTPUTS.role,
    scheduleGroup: { raw: `${GROUP}.arn` },
    bucket: path => ({ raw: `"arn:\${${PARTITION}}:s3:::${bucket}${path === undefined ? '' : `/${path}`}"` }),
    operation: name => ({ raw: `"arn:\${${PARTITION}}:scheduler:::aws-sdk:${name}"` }),
  }
}

/** The blocks of the batch: the application, the role of its program, and the schedules with a role each. */
export function batchBlocks(settings: ProductionSettings): HclBlock[] {
  const { batch, tags } = settings
  if (!batch) return []
  const names = batchNames(batch.bucket)
  const tagged: Tags = tags.length > 0 ? { members: tags.map(({ Key, Value }) => [Key, Value] as const) } : undefined
  return [
    createBlock('data', ['aws_partition', 'batch'], []),
    applicationBlock(batch, tagged),
    ...roleBlocks(
      { name: 'batch', roleName: batch.name, tags: tagged },
      batchTrustPolicy(names),
      batchPolicy(batch, names),
    ),
    createResourceBlock('aws_scheduler_schedule_group', 'batch', [
      ['name', batch.name],
      ['tags', tagged],
    ]),
    ...batchSchedules(settings, names).flatMap(schedule => {
      const name = `${schedule.id.toLowerCase()}_schedule`
      const roleName = fitName(settings.table, `-${name.replace('_', '-')}`, MAX_NAME_CHARACTERS)
      return [
        ...roleBlocks({ name, roleName, tags: tagged }, scheduleTrustPolicy(names), schedule.policy),
        scheduleBlock(schedule, { raw: `aws_iam_role.${name}.arn` }),
      ]
    }),
  ]
}

type Tags = HclValue | undefined

function applicationBlock({ name, release, maxVcpus }: ScheduledBatchSettings, tags: Tags): HclBlock {
  const stop: HclAttributes = [
    ['enabled', true],
    ['idle_timeout_minutes', IDLE_MINUTES],
  ]
  const capacity: HclAttributes = [
    ['cpu', `${maxVcpus} vCPU`],
    ['memory', `${maxVcpus * MEMORY_GB_PER_VCPU} GB`],
  ]
  return createResourceBlock(
    'aws_emrserverless_application',
    'batch',
    [
      ['name', name],
      ['type', 'spark'],
      ['release_label', release],
      ['tags', tags],
    ],
    [
      createBlock('auto_start_configuration', [], [['enabled', true]]),
      createBlock('auto_stop_configuration', [], stop),
      createBlock('maximum_capacity', [], capacity),
    ],
  )
}

function roleBlocks(
  { name, roleName, tags }: { readonly name: string; readonly roleName: string; readonly tags: Tags },
  trust: TrustPolicy<HclValue>,
  policy: PolicyDocument<HclValue>,
): HclBlock[] {
  return [
    createResourceBlock('aws_iam_role', name, [
      ['name', roleName],
      ['assume_role_policy', { call: 'jsonencode', argument: toHclValue(trust) }],
      ['tags', tags],
    ]),
    createResourceBlock('aws_iam_role_policy', name, [
      ['name', roleName],
      ['role', { raw: `aws_iam_role.${name}.id` }],
      ['policy', { call: 'jsonencode', argument: toHclValue(policy) }],
    ]),
  ]
}

function scheduleBlock(schedule: BatchSchedule<HclValue>, role: HclValue): HclBlock {
  const retries: HclAttributes = [
    ['maximum_event_age_in_seconds', RETRY_SECONDS],
    ['maximum_retry_attempts', RETRY_ATTEMPTS],
  ]
  const target: HclAttributes = [
    ['arn', schedule.operation],
    ['role_arn', role],
    ['input', toJsonDocument(schedule.request)],
  ]
  return createResourceBlock(
    'aws_scheduler_schedule',
    schedule.id.toLowerCase(),
    [
      ['name', schedule.id.toLowerCase()],
      ['description', schedule.message],
      ['group_name', TERRAFORM_BATCH_DIMENSIONS.ScheduleGroup],
      ['schedule_expression', schedule.expression],
      ['schedule_expression_timezone', schedule.timezone],
    ],
    [
      createBlock('flexible_time_window', [], [['mode', 'OFF']]),
      createBlock('target', [], target, [createBlock('retry_policy', [], retries)]),
    ],
  )
}

/**
 * A request as a heredoc. `jsonencode` would escape the angle brackets of `<aws.scheduler.execution-id>`, which
 * EventBridge Scheduler then does not replace.
 */
function toJsonDocument(request: object): HclValue {
  const json = JSON.stringify(request, (_, value) => (typeof value?.raw === 'string' ? `\${${value.raw}}` : value), 2)
  return { raw: `<<-JSON\n${json}\nJSON` }
}
