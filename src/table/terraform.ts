import type { TableDesign } from '../layout/design.js'
import { type Alarm, alarms } from './alarms.js'
import { type Scaling, scalings } from './autoscaling.js'
import { globalIndexes } from './definition.js'
import { ALARM_NAME_CHARACTERS, fitting, POLICY_NAME_CHARACTERS } from './fitting.js'
import { block, blockLines, fromData, type HclBlock, type HclValue, resource } from './hcl.js'
import { indexIdentifiers } from './identifiers.js'
import { applicationPolicy, consumerPolicy, type PolicyDocument, type ResourceNames } from './policies.js'
import { type Production, type ProductionOptions, production } from './production.js'
import { consumerBlocks } from './terraform-consumer.js'
import { tableBlock } from './terraform-table.js'

/** Keys of global indexes are blocks since 6.29; before 6.37 the removal of one index removed them all. */
const PROVIDER = '>= 6.37.0'
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

/** The table, what scales and watches it, and the policies of those who use it, as a module of Terraform. */
export function terraform(design: TableDesign, options: ProductionOptions = {}): string {
  const made = production(design, options)
  const { queueArn } = made.consumer?.source ?? {}
  const names = queueArn === undefined ? NAMES : { ...NAMES, queue: queueArn }
  const consumer = consumerPolicy(design, options, names)
  const blocks = [
    providerBlock(),
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

function providerBlock(): HclBlock {
  const aws = fromData({ source: 'hashicorp/aws', version: PROVIDER })
  return block('terraform', [], [], [block('required_providers', [], [['aws', aws]])])
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
    ['alarm_description', alarm.says],
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
