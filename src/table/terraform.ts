import type { TableDesign } from '../layout/design.js'
import { checkOptions, refuse } from '../schema/refusal.js'
import { type Alarm, alarms } from './alarms.js'
import { type Scaling, scalings } from './autoscaling.js'
import { globalIndexes } from './definition.js'
import { ALARM_NAME_CHARACTERS, fitting, POLICY_NAME_CHARACTERS } from './fitting.js'
import { block, blockLines, fromData, type HclBlock, type HclValue, resource } from './hcl.js'
import { indexIdentifiers } from './identifiers.js'
import { applicationPolicy, consumerPolicy, type PolicyDocument, type ResourceNames } from './policies.js'
import { type Production, type ProductionOptions, production } from './production.js'
import { PRODUCTION } from './production-given.js'
import { consumerBlocks } from './terraform-consumer.js'
import { needsKeySchema, tableBlock } from './terraform-table.js'

/** The oldest provider with every argument that is always written. */
const OLDEST_PROVIDER = '5.0.0'
/** The first provider with `recovery_period_in_days`. */
const RECOVERY_PERIOD_PROVIDER = '5.98.0'
/** `key_schema` came with 6.29, but until 6.37 the removal of one index with it removed all of them. */
const KEY_SCHEMA_PROVIDER = '6.37.0'
const ARN = 'aws_dynamodb_table.table.arn'
const QUEUE = 'aws_sqs_queue.consumer_failures'
const NAME = { raw: 'aws_dynamodb_table.table.name' }
const NAMES: ResourceNames<HclValue> = {
  table: { raw: ARN },
  index: name => ({ raw: `"\${${ARN}}/index/${name}"` }),
  stream: { raw: 'aws_dynamodb_table.table.stream_arn' },
  streams: { raw: `"\${${ARN}}/stream/*"` },
  consumers: { raw: 'aws_dynamodb_table.consumers.arn' },
  queue: { raw: `${QUEUE}.arn` },
}

/** The options of `terraform`. */
export interface TerraformOptions extends ProductionOptions {
  /**
   * Writes a `terraform` block that requires the AWS provider, for a folder without one. The default is `false`, because
   * Terraform rejects a second `required_providers` block, and most projects have one in `versions.tf`.
   */
  readonly requiredProviders?: boolean | undefined
}

/** Writes the table, its autoscaling, its alarms and the policies of its users as a module of Terraform. */
export function terraform(design: TableDesign, given: TerraformOptions = {}): string {
  checkOptions('terraform', given, `requiredProviders, ${PRODUCTION}`)
  const { requiredProviders = false, ...options } = given
  const isBoolean = typeof requiredProviders === 'boolean'
  refuse('terraform', !isBoolean, 'call.given', 'requiredProviders', "give 'requiredProviders' as true or false")
  const made = production(design, options)
  const { queueArn } = made.consumer?.source ?? {}
  const names = queueArn === undefined ? NAMES : { ...NAMES, queue: queueArn }
  const consumer = consumerPolicy(design, options, names)
  const blocks = [
    ...(requiredProviders ? [providerBlock(design, made)] : []),
    tableBlock(design, made),
    ...insightBlocks(design, made),
    ...scalings(design, made).flatMap(scalingBlocks),
    ...alarms(design, made).map(alarm => alarmBlock(alarm, made)),
    policyBlock('application', made, applicationPolicy(design, options, NAMES)),
    ...(consumer ? [policyBlock('consumer', made, consumer)] : []),
    ...consumerBlocks(made, names),
    output('table_arn', NAMES.table),
    ...(consumer ? [output('stream_arn', NAMES.stream)] : []),
  ]
  return `${blocks.map(block => blockLines(block).join('\n')).join('\n\n')}\n`
}

function output(name: string, value: HclValue): HclBlock {
  return block('output', [name], [['value', value]])
}

function providerBlock(design: TableDesign, made: Production): HclBlock {
  const aws = fromData({ source: 'hashicorp/aws', version: `>= ${oldestProvider(design, made)}` })
  return block('terraform', [], [], [block('required_providers', [], [['aws', aws]])])
}

/** The oldest provider that knows every argument of this module. */
function oldestProvider(design: TableDesign, { recoveryDays }: Production): string {
  if (globalIndexes(design).some(needsKeySchema)) return KEY_SCHEMA_PROVIDER
  return recoveryDays > 0 ? RECOVERY_PERIOD_PROVIDER : OLDEST_PROVIDER
}

function insightBlocks(design: TableDesign, made: Production): HclBlock[] {
  if (!made.contributorInsights) return []
  const identifiers = indexIdentifiers(design)
  const type = 'aws_dynamodb_contributor_insights'
  return [
    resource(type, 'table', [['table_name', NAME]]),
    ...globalIndexes(design).map(({ name }) =>
      resource(type, identifiers.get(name)!.toLowerCase(), [
        ['table_name', NAME],
        ['index_name', name],
      ]),
    ),
  ]
}

function scalingBlocks(scaling: Scaling): HclBlock[] {
  const name = snake(scaling.id)
  const target = `aws_appautoscaling_target.${name}`
  const path = scaling.index === undefined ? '' : `/index/${scaling.index}`
  const metric = block('predefined_metric_specification', [], [['predefined_metric_type', scaling.metric]])
  return [
    resource('aws_appautoscaling_target', name, [
      ['service_namespace', 'dynamodb'],
      ['resource_id', { raw: `"table/\${${NAME.raw}}${path}"` }],
      ['scalable_dimension', scaling.dimension],
      ['min_capacity', scaling.least],
      ['max_capacity', scaling.most],
    ]),
    resource(
      'aws_appautoscaling_policy',
      name,
      [
        ['name', `${scaling.id.join('')}Utilization`],
        ['policy_type', 'TargetTrackingScaling'],
        ...(['service_namespace', 'resource_id', 'scalable_dimension'] as const).map(
          attribute => [attribute, { raw: `${target}.${attribute}` }] as const,
        ),
      ],
      [block('target_tracking_scaling_policy_configuration', [], [['target_value', scaling.targetPercent]], [metric])],
    ),
  ]
}

function alarmBlock(alarm: Alarm, made: Production): HclBlock {
  const actions = alarm.actionArns.length > 0 ? alarm.actionArns : undefined
  return resource('aws_cloudwatch_metric_alarm', snake(alarm.id), [
    ['alarm_name', fitting(made.table, `-${alarm.id.join('')}`, ALARM_NAME_CHARACTERS)],
    ['alarm_description', alarm.message],
    ['namespace', alarm.namespace],
    ['metric_name', alarm.metric],
    ['dimensions', { members: alarm.dimensions.map(({ name, value }) => [name, value ?? named(name)] as const) }],
    ['statistic', alarm.statistic],
    ['period', alarm.periodSeconds],
    ['evaluation_periods', alarm.periods],
    ['datapoints_to_alarm', alarm.periodsOver],
    ['threshold', alarm.threshold],
    ['comparison_operator', 'GreaterThanOrEqualToThreshold'],
    ['treat_missing_data', 'notBreaching'],
    ['alarm_actions', actions],
    ['ok_actions', actions],
  ])
}

function named(dimension: string): HclValue {
  return dimension === 'QueueName' ? { raw: `${QUEUE}.name` } : NAME
}

function policyBlock(name: string, made: Production, document: PolicyDocument<HclValue>): HclBlock {
  return resource('aws_iam_policy', name, [
    ['name', fitting(made.table, `-${name}`, POLICY_NAME_CHARACTERS)],
    ['policy', { call: 'jsonencode', argument: fromData(document) }],
  ])
}

function snake(id: readonly string[]): string {
  return id.join('_').toLowerCase()
}
