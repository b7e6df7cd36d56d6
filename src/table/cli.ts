import type { SSESpecification } from '../dynamodb/operations/tables.js'
import type { TableDesign } from '../layout/design.js'
import { checkOptions, refuse } from '../schema/refusal.js'
import { type Alarm, alarmMembers, alarms } from './alarms.js'
import { type Scaling, scalings } from './autoscaling.js'
import { consumerCommands, eventSourceCommands, policyName } from './cli-consumer.js'
import { consumersDesign } from './consumers.js'
import { failuresName } from './consuming.js'
import { createTableRequest, globalIndexes, timeToLiveRequest } from './definition.js'
import { ALARM_NAME_CHARACTERS, fitting } from './fitting.js'
import { applicationPolicy, consumerPolicy, type PolicyDocument, type ResourceNames } from './policies.js'
import { type Production, type ProductionOptions, production } from './production.js'
import { PRODUCTION } from './production-given.js'

/** Policies name the table by its ARN, which here nothing but these can give. */
export interface CliOptions extends ProductionOptions {
  readonly region: string
  readonly account: string
  /** That of the region unless said: `aws`, or `aws-cn` or `aws-us-gov` where it is in China or of the government. */
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

/** The calls that make the table with all that belongs to it, in their order. */
export function cliCommands(design: TableDesign, given: CliOptions): CliCommand[] {
  checkOptions('cliCommands', given, `region, account, partition, ${PRODUCTION}`)
  for (const name of ['region', 'account'] as const)
    refuse('cliCommands', typeof given[name] !== 'string', 'call.given', name, `give '${name}', which ARNs have`)
  const { region, account, partition = partitionOf(region), ...options } = given
  refuse(
    'cliCommands',
    !REGION.test(region),
    'call.given',
    'region',
    "give 'region' as AWS writes it, such as eu-west-1",
  )
  const made = production(design, options)
  const names = arns(made, { region, account, partition })
  const expires = timeToLiveRequest(design, { table: made.table })
  const consumer = consumerPolicy(design, options, names)
  return [
    ...tableCommands(design, made),
    ...(expires ? [dynamodb('update-time-to-live', { ...expires })] : []),
    ...recoveryCommands(made),
    ...consumerCommands(made, own => [...tableCommands(consumersDesign(own.table), own), ...recoveryCommands(own)]),
    ...insightCommands(design, made),
    ...scalings(design, made).flatMap(scaling => scalingCommands(scaling, made)),
    ...alarms(design, made).map(alarm => alarmCommand(alarm, made)),
    policyCommand('application', made, applicationPolicy(design, options, names)),
    ...(consumer ? [policyCommand('consumer', made, consumer)] : []),
    ...eventSourceCommands(made, names.queue, name => `arn:${partition}:iam::${account}:policy/${name}`),
  ]
}

/** Repeats a command for a while: backups follow a new table by some seconds, and so does Lambda the policy of a role. */
const AGAIN = 'again() { for _ in 1 2 3 4 5; do "$@" && return; sleep 3; done; "$@"; }\n'
const REPEATED_COMMANDS: ReadonlySet<string> = new Set(['update-continuous-backups', 'create-event-source-mapping'])

/** The same as a shell script. */
export function cliScript(design: TableDesign, options: CliOptions): string {
  const commands = cliCommands(design, options)
  const calls = commands.map(command => scriptCall(command, options.region))
  const helpers = commands.some(({ command }) => REPEATED_COMMANDS.has(command)) ? [AGAIN] : []
  return ['#!/usr/bin/env bash\nset -euo pipefail\n', ...helpers, ...calls].join('\n')
}

function scriptCall({ service, command, input, streamOf }: CliCommand, region: string): string {
  const json = JSON.stringify(input, null, 2).replaceAll("'", "'\\''")
  const repeated = REPEATED_COMMANDS.has(command) ? 'again ' : ''
  const stream = streamOf === undefined ? '' : '--event-source-arn "$stream" '
  return `${lookUp(streamOf, region)}${repeated}aws ${service} ${command} --region ${region} ${stream}--cli-input-json '${json}'\n`
}

/** An assignment of its own, since a failure within an argument would not end the script. */
function lookUp(streamOf: string | undefined, region: string): string {
  if (streamOf === undefined) return ''
  const query = '--query Table.LatestStreamArn --output text'
  return `stream=$(aws dynamodb describe-table --region ${region} --table-name '${streamOf}' ${query})\n`
}

/** It stands in a script as it is. */
const REGION = /^[a-z\d-]+$/

const PARTITIONS = [
  ['cn-', 'aws-cn'],
  ['us-gov-', 'aws-us-gov'],
  ['us-iso-', 'aws-iso'],
  ['us-isob-', 'aws-iso-b'],
  ['eu-isoe-', 'aws-iso-e'],
  ['us-isof-', 'aws-iso-f'],
  ['eusc-', 'aws-eusc'],
] as const

/** An ARN of another partition than its region's is refused. */
const partitionOf = (region: string): string => PARTITIONS.find(([head]) => region.startsWith(head))?.[1] ?? 'aws'

function arns(
  made: Production,
  { region, account, partition }: Required<Pick<CliOptions, 'region' | 'account' | 'partition'>>,
): ResourceNames<string> {
  const table = `arn:${partition}:dynamodb:${region}:${account}:table/${made.table}`
  // The label of a stream is the time of its creation, which is not known before.
  const streams = `${table}/stream/*`
  const { consumer } = made
  return {
    table,
    index: name => `${table}/index/${name}`,
    stream: streams,
    streams,
    consumers: `arn:${partition}:dynamodb:${region}:${account}:table/${consumer?.table}`,
    queue: consumer?.source?.queueArn ?? `arn:${partition}:sqs:${region}:${account}:${failuresName(made.table)}`,
  }
}

function dynamodb(command: string, input: CliCommand['input']): CliCommand {
  return { service: 'dynamodb', command, input }
}

function tableSettings(made: Production) {
  return {
    ...(made.encryption !== 'aws-owned' && { SSESpecification: encryption(made.encryption) }),
    ...(made.tags.length > 0 && { Tags: made.tags }),
    DeletionProtectionEnabled: made.deletionProtection,
  }
}

function encryption(key: 'aws-managed' | { readonly keyArn: string }): SSESpecification {
  return { Enabled: true, SSEType: 'KMS', ...(typeof key === 'object' && { KMSMasterKeyId: key.keyArn }) }
}

function tableCommands(design: TableDesign, made: Production): CliCommand[] {
  const TableName = made.table
  return [
    dynamodb('create-table', { ...createTableRequest(design, { table: TableName }), ...tableSettings(made) }),
    dynamodb('wait table-exists', { TableName }),
  ]
}

function recoveryCommands({ table, recoveryDays }: Production): CliCommand[] {
  if (recoveryDays === 0) return []
  const PointInTimeRecoverySpecification = { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: recoveryDays }
  return [dynamodb('update-continuous-backups', { TableName: table, PointInTimeRecoverySpecification })]
}

function insightCommands(design: TableDesign, made: Production): CliCommand[] {
  if (!made.contributorInsights) return []
  const enable = { TableName: made.table, ContributorInsightsAction: 'ENABLE' }
  return [{}, ...globalIndexes(design).map(({ name }) => ({ IndexName: name }))].map(index =>
    dynamodb('update-contributor-insights', { ...enable, ...index }),
  )
}

function scalingCommands(scaling: Scaling, made: Production): CliCommand[] {
  const target = {
    ServiceNamespace: 'dynamodb',
    ResourceId: `table/${made.table}${scaling.index === undefined ? '' : `/index/${scaling.index}`}`,
    ScalableDimension: scaling.dimension,
  }
  return [
    {
      service: 'application-autoscaling',
      command: 'register-scalable-target',
      input: { ...target, MinCapacity: scaling.least, MaxCapacity: scaling.most },
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

function alarmCommand(alarm: Alarm, made: Production): CliCommand {
  return {
    service: 'cloudwatch',
    command: 'put-metric-alarm',
    input: {
      AlarmName: fitting(made.table, `-${alarm.id.join('')}`, ALARM_NAME_CHARACTERS),
      ...alarmMembers(alarm, { table: made.table, queue: failuresName(made.table) }),
    },
  }
}

function policyCommand(name: string, made: Production, document: PolicyDocument): CliCommand {
  return {
    service: 'iam',
    command: 'create-policy',
    input: {
      PolicyName: policyName(made, name),
      PolicyDocument: JSON.stringify(document),
    },
  }
}
