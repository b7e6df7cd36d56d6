import type { SSESpecification } from '../../../dynamodb/operation-types.js'
import type { TableDesign } from '../../../layout/design.js'
import { checkOptions, rejectDeclarationIf } from '../../../schema/checks/assertions.js'
import { type Alarm, toAlarmProperties } from '../../production/alarm.js'
import { alarmsOf } from '../../production/alarms.js'
import { type ScalingTarget, scalingTargetsOf } from '../../production/autoscaling.js'
import { PRODUCTION_OPTION_NAMES } from '../../production/check-options.js'
import { consumersDesign } from '../../production/consumers-table.js'
import {
  applicationPolicy,
  consumerPolicy,
  type PolicyDocument,
  type ResourceNames,
} from '../../production/policies.js'
import { type ProductionOptions, type ProductionSettings, resolveProduction } from '../../production/production.js'
import { failureQueueName } from '../../production/stream-consumer.js'
import { globalIndexesOf, toCreateTableInput, toTimeToLiveInput } from '../../table-definition.js'
import { fitName, MAX_ALARM_NAME_CHARACTERS } from '../fit-name.js'
import { consumerCommands, eventSourceCommands, policyNameOf } from './consumer.js'

/** The options of the CLI export. Policies contain ARNs, which need the region and the account. */
export interface CliOptions extends ProductionOptions {
  readonly region: string
  readonly account: string
  /**
   * The AWS partition; by default that of the region: `aws`, or `aws-cn` or `aws-us-gov` for regions in China or
   * GovCloud.
   */
  readonly partition?: string | undefined
}

/** One call of the AWS CLI: `aws <service> <command> --cli-input-json <input>`. */
export interface CliCommand {
  readonly service: string
  readonly command: string
  readonly input: Readonly<Record<string, unknown>>
  /**
   * The table whose latest stream is the `EventSourceArn` of the call. The input lacks it, because the ARN of a stream
   * contains the time of its creation. `cliScript` looks it up.
   */
  readonly streamOf?: string | undefined
}

/**
 * Exports a design as calls of the AWS CLI in their order: the table, its indexes, autoscaling, alarms and policies.
 *
 * @throws {call.argument} if the region or the account is missing, or an option is invalid
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { cliCommands } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * for (const { service, command } of cliCommands(design, { region: 'eu-central-1', account: '123456789012' }))
 *   console.log(service, command)
 * ```
 */
export function cliCommands(design: TableDesign, input: CliOptions): CliCommand[] {
  checkOptions('cliCommands', input, `region, account, partition, ${PRODUCTION_OPTION_NAMES}`)
  for (const name of ['region', 'account'] as const)
    rejectDeclarationIf(
      'cliCommands',
      typeof input[name] !== 'string',
      'call.argument',
      name,
      `'${name}' is missing, which ARNs contain; give it.`,
    )
  const { region, account, partition = partitionOf(region), ...options } = input
  rejectDeclarationIf(
    'cliCommands',
    !REGION.test(region),
    'call.argument',
    'region',
    "'region' is not the name of a region; give one, such as eu-west-1.",
  )
  const settings = resolveProduction(design, options)
  // The calls would need ids that only the responses of earlier calls have.
  const advice = "AWS CLI commands cannot create a batch; use 'cloudFormation', 'cdk' or 'terraform'."
  rejectDeclarationIf('cliCommands', settings.batch, 'call.argument', 'batch', advice)
  const names = resourceArns(settings, { region, account, partition })
  const timeToLive = toTimeToLiveInput(design, { table: settings.table })
  const consumer = consumerPolicy(design, options, names)
  return [
    ...tableCommands(design, settings),
    ...(timeToLive ? [dynamodbCommand('update-time-to-live', { ...timeToLive })] : []),
    ...recoveryCommands(settings),
    ...consumerCommands(settings, consumersSettings => [
      ...tableCommands(consumersDesign(consumersSettings.table), consumersSettings),
      ...recoveryCommands(consumersSettings),
    ]),
    ...insightCommands(design, settings),
    ...scalingTargetsOf(design, settings).flatMap(scaling => scalingCommands(scaling, settings)),
    ...alarmsOf(design, settings).map(alarm => alarmCommand(alarm, settings)),
    policyCommand('application', settings, applicationPolicy(design, options, names)),
    ...(consumer ? [policyCommand('consumer', settings, consumer)] : []),
    ...eventSourceCommands(settings, names.queue, name => `arn:${partition}:iam::${account}:policy/${name}`),
  ]
}

/**
 * A shell function that retries a command: backups of a new table are available after some seconds, and Lambda sees the
 * policy of a role with a delay.
 */
const RETRY_FUNCTION = 'again() { for _ in 1 2 3 4 5; do "$@" && return; sleep 3; done; "$@"; }\n'
const RETRIED_COMMANDS: ReadonlySet<string> = new Set(['update-continuous-backups', 'create-event-source-mapping'])

/**
 * Exports a design as a shell script of AWS CLI calls.
 *
 * @throws {call.argument} if the region or the account is missing, or an option is invalid
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { cliScript } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * console.log(cliScript(design, { region: 'eu-central-1', account: '123456789012' }))
 * ```
 */
export function cliScript(design: TableDesign, options: CliOptions): string {
  const commands = cliCommands(design, options)
  const calls = commands.map(command => scriptCall(command, options.region))
  const helpers = commands.some(({ command }) => RETRIED_COMMANDS.has(command)) ? [RETRY_FUNCTION] : []
  return ['#!/usr/bin/env bash\nset -euo pipefail\n', ...helpers, ...calls].join('\n')
}

function scriptCall({ service, command, input, streamOf }: CliCommand, region: string): string {
  const json = JSON.stringify(input, null, 2).replaceAll("'", "'\\''")
  const retry = RETRIED_COMMANDS.has(command) ? 'again ' : ''
  const stream = streamOf === undefined ? '' : '--event-source-arn "$stream" '
  return `${streamLookup(streamOf, region)}${retry}aws ${service} ${command} --region ${region} ${stream}--cli-input-json '${json}'\n`
}

/** A separate assignment, because `set -e` ignores a failure inside an argument. */
function streamLookup(streamOf: string | undefined, region: string): string {
  if (streamOf === undefined) return ''
  const query = '--query Table.LatestStreamArn --output text'
  return `stream=$(aws dynamodb describe-table --region ${region} --table-name '${streamOf}' ${query})\n`
}

/** The region is inserted into a script without quotes. */
const REGION = /^[a-z\d-]+$/

const PARTITIONS_BY_REGION = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-iso-', 'aws-iso'],
  ['us-isob-', 'aws-iso-b'],
  ['eu-isoe-', 'aws-iso-e'],
  ['us-isof-', 'aws-iso-f'],
  ['eusc-', 'aws-eusc'],
] as const

/** Returns the partition of a region. AWS rejects an ARN whose partition differs from that of its region. */
const partitionOf = (region: string): string =>
  PARTITIONS_BY_REGION.find(([head]) => region.startsWith(head))?.[1] ?? 'aws'

function resourceArns(
  settings: ProductionSettings,
  { region, account, partition }: Required<Pick<CliOptions, 'region' | 'account' | 'partition'>>,
): ResourceNames<string> {
  const table = `arn:${partition}:dynamodb:${region}:${account}:table/${settings.table}`
  // The label of a stream is the time of its creation, so its ARN is unknown before.
  const streams = `${table}/stream/*`
  const { consumer } = settings
  return {
    table,
    index: name => `${table}/index/${name}`,
    stream: streams,
    streams,
    consumers: `arn:${partition}:dynamodb:${region}:${account}:table/${consumer?.consumersTable}`,
    queue:
      consumer?.eventSource?.queueArn ??
      `arn:${partition}:sqs:${region}:${account}:${failureQueueName(settings.table)}`,
  }
}

function dynamodbCommand(command: string, input: CliCommand['input']): CliCommand {
  return { service: 'dynamodb', command, input }
}

function tableProtection(settings: ProductionSettings) {
  return {
    ...(settings.encryption !== 'aws-owned' && { SSESpecification: toSseSpecification(settings.encryption) }),
    ...(settings.tags.length > 0 && { Tags: settings.tags }),
    DeletionProtectionEnabled: settings.deletionProtection,
  }
}

function toSseSpecification(key: 'aws-managed' | { readonly keyArn: string }): SSESpecification {
  return { Enabled: true, SSEType: 'KMS', ...(typeof key === 'object' && { KMSMasterKeyId: key.keyArn }) }
}

function tableCommands(design: TableDesign, settings: ProductionSettings): CliCommand[] {
  const TableName = settings.table
  return [
    dynamodbCommand('create-table', {
      ...toCreateTableInput(design, { table: TableName }),
      ...tableProtection(settings),
    }),
    dynamodbCommand('wait table-exists', { TableName }),
  ]
}

function recoveryCommands({ table, recoveryDays }: ProductionSettings): CliCommand[] {
  if (recoveryDays === 0) return []
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: recoveryDays }
  return [dynamodbCommand('update-continuous-backups', { TableName: table, PointInTimeRecoverySpecification })]
}

function insightCommands(design: TableDesign, settings: ProductionSettings): CliCommand[] {
  if (!settings.contributorInsights) return []
  const enable = { TableName: settings.table, ContributorInsightsAction: 'ENABLE' }
  return [{}, ...globalIndexesOf(design).map(({ name }) => ({ IndexName: name }))].map(index =>
    dynamodbCommand('update-contributor-insights', { ...enable, ...index }),
  )
}

function scalingCommands(scaling: ScalingTarget, settings: ProductionSettings): CliCommand[] {
  const target = {
    ServiceNamespace: 'dynamodb',
    ResourceId: `table/${settings.table}${scaling.index === undefined ? '' : `/index/${scaling.index}`}`,
    ScalableDimension: scaling.dimension,
  }
  return [
    {
      service: 'application-autoscaling',
      command: 'register-scalable-target',
      input: { ...target, MinCapacity: scaling.minCapacity, MaxCapacity: scaling.maxCapacity },
    },
    {
      service: 'application-autoscaling',
      command: 'put-scaling-policy',
      input: {
        ...target,
        PolicyName: `${scaling.id.join('')}Utilization`,
        PolicyType: 'TargetTrackingScaling',
        TargetTrackingScalingPolicyConfiguration: {
          TargetValue: scaling.targetPercent,
          PredefinedMetricSpecification: { PredefinedMetricType: scaling.metric },
        },
      },
    },
  ]
}

function alarmCommand(alarm: Alarm, settings: ProductionSettings): CliCommand {
  return {
    service: 'cloudwatch',
    command: 'put-metric-alarm',
    input: {
      AlarmName: fitName(settings.table, `-${alarm.id.join('')}`, MAX_ALARM_NAME_CHARACTERS),
      ...toAlarmProperties(alarm, { TableName: settings.table, QueueName: failureQueueName(settings.table) }),
    },
  }
}

function policyCommand(user: string, settings: ProductionSettings, document: PolicyDocument): CliCommand {
  return {
    service: 'iam',
    command: 'create-policy',
    input: {
      PolicyName: policyNameOf(settings, user),
      PolicyDocument: JSON.stringify(document),
    },
  }
}
