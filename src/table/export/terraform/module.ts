import type { TableDesign } from '../../../layout/design.js'
import { checkOptions, rejectDeclarationIf } from '../../../schema/checks/assertions.js'
import type { Alarm, DimensionReferences } from '../../production/alarm.js'
import { alarmsOf } from '../../production/alarms.js'
import { type ScalingTarget, scalingTargetsOf } from '../../production/autoscaling.js'
import { PRODUCTION_OPTION_NAMES } from '../../production/check-options.js'
import {
  applicationPolicy,
  consumerPolicy,
  type PolicyDocument,
  type ResourceNames,
} from '../../production/policies.js'
import { type ProductionOptions, type ProductionSettings, resolveProduction } from '../../production/production.js'
import { globalIndexesOf } from '../../table-definition.js'
import { fitName, MAX_ALARM_NAME_CHARACTERS, MAX_POLICY_NAME_CHARACTERS } from '../fit-name.js'
import { indexIdentifiersOf } from '../index-identifiers.js'
import { batchBlocks, TERRAFORM_BATCH_DIMENSIONS, TERRAFORM_BATCH_OUTPUTS } from './batch.js'
import { consumerBlocks } from './consumer.js'
import { createBlock, createResourceBlock, formatBlock, type HclBlock, type HclValue, toHclValue } from './hcl.js'
import { needsKeySchema, tableBlock } from './table.js'

/** The oldest provider with all arguments of every module. */
const OLDEST_PROVIDER = '5.0.0'
/** The first provider with `recovery_period_in_days`. */
const RECOVERY_PERIOD_PROVIDER = '5.98.0'
/** `key_schema` came with 6.29, but until 6.37 the removal of one index with it removed all of them. */
const KEY_SCHEMA_PROVIDER = '6.37.0'
const TABLE_ARN = 'aws_dynamodb_table.table.arn'
const FAILURE_QUEUE = 'aws_sqs_queue.consumer_failures'
const TABLE_NAME = { raw: 'aws_dynamodb_table.table.name' }
const TERRAFORM_NAMES: ResourceNames<HclValue> = {
  table: { raw: TABLE_ARN },
  index: name => ({ raw: `"\${${TABLE_ARN}}/index/${name}"` }),
  stream: { raw: 'aws_dynamodb_table.table.stream_arn' },
  streams: { raw: `"\${${TABLE_ARN}}/stream/*"` },
  consumers: { raw: 'aws_dynamodb_table.consumers.arn' },
  queue: { raw: `${FAILURE_QUEUE}.arn` },
}

const DIMENSION_VALUES: DimensionReferences<HclValue> = {
  TableName: TABLE_NAME,
  QueueName: { raw: `${FAILURE_QUEUE}.name` },
  ...TERRAFORM_BATCH_DIMENSIONS,
}

/** The options of `terraform`. */
export interface TerraformOptions extends ProductionOptions {
  /**
   * Writes a `terraform` block that requires the AWS provider, for a folder without one. The default is `false`, because
   * Terraform rejects a second `required_providers` block, and most projects have one in `versions.tf`.
   */
  readonly requiredProviders?: boolean | undefined
}

/**
 * Exports a design as a Terraform module: the table, its autoscaling, its alarms and the policies of its users.
 *
 * @throws {call.argument} if an option is invalid
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { terraform } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * console.log(terraform(design, { requiredProviders: true }))
 * ```
 */
export function terraform(design: TableDesign, input: TerraformOptions = {}): string {
  checkOptions('terraform', input, `requiredProviders, ${PRODUCTION_OPTION_NAMES}`)
  const { requiredProviders = false, ...options } = input
  const isBoolean = typeof requiredProviders === 'boolean'
  rejectDeclarationIf(
    'terraform',
    !isBoolean,
    'call.argument',
    'requiredProviders',
    "'requiredProviders' is not a boolean; give true or false.",
  )
  const settings = resolveProduction(design, options)
  const { queueArn } = settings.consumer?.eventSource ?? {}
  const names = queueArn === undefined ? TERRAFORM_NAMES : { ...TERRAFORM_NAMES, queue: queueArn }
  const consumer = consumerPolicy(design, options, names)
  const blocks = [
    ...(requiredProviders ? [providerBlock(design, settings)] : []),
    tableBlock(design, settings),
    ...insightBlocks(design, settings),
    ...scalingTargetsOf(design, settings).flatMap(scalingBlocks),
    ...alarmsOf(design, settings).map(alarm => alarmBlock(alarm, settings)),
    policyBlock('application', settings, applicationPolicy(design, options, TERRAFORM_NAMES)),
    ...(consumer ? [policyBlock('consumer', settings, consumer)] : []),
    ...consumerBlocks(settings, names),
    ...batchBlocks(settings),
    outputBlock('table_arn', TERRAFORM_NAMES.table),
    ...(consumer ? [outputBlock('stream_arn', TERRAFORM_NAMES.stream)] : []),
    ...(settings.batch
      ? [
          outputBlock('batch_application_id', TERRAFORM_BATCH_OUTPUTS.application),
          outputBlock('batch_role_arn', TERRAFORM_BATCH_OUTPUTS.role),
        ]
      : []),
  ]
  return `${blocks.map(block => formatBlock(block).join('\n')).join('\n\n')}\n`
}

function outputBlock(name: string, value: HclValue): HclBlock {
  return createBlock('output', [name], [['value', value]])
}

function providerBlock(design: TableDesign, settings: ProductionSettings): HclBlock {
  const aws = toHclValue({ source: 'hashicorp/aws', version: `>= ${oldestProviderFor(design, settings)}` })
  return createBlock('terraform', [], [], [createBlock('required_providers', [], [['aws', aws]])])
}

/** Returns the oldest provider that supports every argument of this module. */
function oldestProviderFor(design: TableDesign, { recoveryDays }: ProductionSettings): string {
  if (globalIndexesOf(design).some(needsKeySchema)) return KEY_SCHEMA_PROVIDER
  return recoveryDays > 0 ? RECOVERY_PERIOD_PROVIDER : OLDEST_PROVIDER
}

function insightBlocks(design: TableDesign, settings: ProductionSettings): HclBlock[] {
  if (!settings.contributorInsights) return []
  const identifiers = indexIdentifiersOf(design)
  const type = 'aws_dynamodb_contributor_insights'
  return [
    createResourceBlock(type, 'table', [['table_name', TABLE_NAME]]),
    ...globalIndexesOf(design).map(({ name }) =>
      createResourceBlock(type, identifiers.get(name)!.toLowerCase(), [
        ['table_name', TABLE_NAME],
        ['index_name', name],
      ]),
    ),
  ]
}

function scalingBlocks(scaling: ScalingTarget): HclBlock[] {
  const name = toSnakeCase(scaling.id)
  const target = `aws_appautoscaling_target.${name}`
  const path = scaling.index === undefined ? '' : `/index/${scaling.index}`
  const metric = createBlock('predefined_metric_specification', [], [['predefined_metric_type', scaling.metric]])
  return [
    createResourceBlock('aws_appautoscaling_target', name, [
      ['service_namespace', 'dynamodb'],
      ['resource_id', { raw: `"table/\${${TABLE_NAME.raw}}${path}"` }],
      ['scalable_dimension', scaling.dimension],
      ['min_capacity', scaling.minCapacity],
      ['max_capacity', scaling.maxCapacity],
    ]),
    createResourceBlock(
      'aws_appautoscaling_policy',
      name,
      [
        ['name', `${scaling.id.join('')}Utilization`],
        ['policy_type', 'TargetTrackingScaling'],
        ...(['service_namespace', 'resource_id', 'scalable_dimension'] as const).map(
          attribute => [attribute, { raw: `${target}.${attribute}` }] as const,
        ),
      ],
      [
        createBlock(
          'target_tracking_scaling_policy_configuration',
          [],
          [['target_value', scaling.targetPercent]],
          [metric],
        ),
      ],
    ),
  ]
}

function alarmBlock(alarm: Alarm, settings: ProductionSettings): HclBlock {
  const actions = alarm.actionArns.length > 0 ? alarm.actionArns : undefined
  return createResourceBlock('aws_cloudwatch_metric_alarm', toSnakeCase(alarm.id), [
    ['alarm_name', fitName(settings.table, `-${alarm.id.join('')}`, MAX_ALARM_NAME_CHARACTERS)],
    ['alarm_description', alarm.message],
    ['namespace', alarm.namespace],
    ['metric_name', alarm.metric],
    [
      'dimensions',
      {
        members: alarm.dimensions.map(
          ({ name, value }) => [name, value ?? DIMENSION_VALUES[name as keyof typeof DIMENSION_VALUES]] as const,
        ),
      },
    ],
    ['statistic', alarm.statistic],
    ['period', alarm.periodSeconds],
    ['evaluation_periods', alarm.evaluationPeriods],
    ['datapoints_to_alarm', alarm.datapointsToAlarm],
    ['threshold', alarm.threshold],
    ['comparison_operator', 'GreaterThanOrEqualToThreshold'],
    ['treat_missing_data', 'notBreaching'],
    ['alarm_actions', actions],
    ['ok_actions', actions],
  ])
}

function policyBlock(user: string, settings: ProductionSettings, document: PolicyDocument<HclValue>): HclBlock {
  return createResourceBlock('aws_iam_policy', user, [
    ['name', fitName(settings.table, `-${user}`, MAX_POLICY_NAME_CHARACTERS)],
    ['policy', { call: 'jsonencode', argument: toHclValue(document) }],
  ])
}

function toSnakeCase(id: readonly string[]): string {
  return id.join('_').toLowerCase()
}
