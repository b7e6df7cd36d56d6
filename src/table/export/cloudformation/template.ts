import type { TableDesign } from '../../../layout/design.js'
import { type Alarm, type DimensionReferences, toAlarmProperties } from '../../production/alarm.js'
import { alarmsOf, hasFailureQueue } from '../../production/alarms.js'
import { type ScalingTarget, scalingTargetsOf } from '../../production/autoscaling.js'
import {
  applicationPolicy,
  consumerPolicy,
  type PolicyDocument,
  type ResourceNames,
} from '../../production/policies.js'
import { type ProductionOptions, type ProductionSettings, resolveProduction } from '../../production/production.js'
import { toCreateTableInput } from '../../table-definition.js'
import { batchResources, CLOUDFORMATION_BATCH_DIMENSIONS, CLOUDFORMATION_BATCH_OUTPUTS } from './batch.js'
import { consumerResources } from './consumer.js'

/** A value of a template: text, or a function that CloudFormation calls. */
export type Value =
  | string
  | number
  | boolean
  | readonly Value[]
  | { readonly [member: string]: Value | undefined }
  | undefined

/** A resource of a template. */
export interface Resource {
  readonly Type: string
  readonly DeletionPolicy?: 'Retain' | 'Delete'
  readonly UpdateReplacePolicy?: 'Retain' | 'Delete'
  readonly DependsOn?: readonly string[]
  readonly Properties: { readonly [property: string]: Value }
}

/** A CloudFormation template. */
export interface Template {
  readonly AWSTemplateFormatVersion: '2010-09-09'
  readonly Description: string
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs: Readonly<Record<string, { readonly Description: string; readonly Value: Value }>>
}

const TABLE_NAME = { Ref: 'Table' }
const DIMENSION_VALUES: DimensionReferences<Value> = {
  TableName: TABLE_NAME,
  QueueName: { 'Fn::GetAtt': ['FailureQueue', 'QueueName'] },
  ...CLOUDFORMATION_BATCH_DIMENSIONS,
}
/** The references of a template to the resources of policies. */
export const CLOUDFORMATION_NAMES: ResourceNames<Value> = {
  table: { 'Fn::GetAtt': ['Table', 'Arn'] },
  index: name => ({ 'Fn::Sub': `\${Table.Arn}/index/${name}` }),
  stream: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
  streams: { 'Fn::Sub': `\${Table.Arn}/stream/*` },
  consumers: { 'Fn::GetAtt': ['ConsumersTable', 'Arn'] },
  queue: { 'Fn::GetAtt': ['FailureQueue', 'Arn'] },
}

/**
 * Exports a design as a CloudFormation template: the table, its autoscaling, its alarms and the policies of its users.
 *
 * @throws {call.argument} if an option is invalid
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { cloudFormation } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * console.log(JSON.stringify(cloudFormation(design, { tags: { team: 'social' } }), null, 2))
 * ```
 */
export function cloudFormation(design: TableDesign, options: ProductionOptions = {}): Template {
  const settings = resolveProduction(design, options)
  const { eventSource } = settings.consumer ?? {}
  const names =
    eventSource?.queueArn === undefined
      ? CLOUDFORMATION_NAMES
      : { ...CLOUDFORMATION_NAMES, queue: eventSource.queueArn }
  const consumer = consumerPolicy(design, options, names)
  const output = (Description: string, Value: Value) => ({ Description, Value })
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The table ${settings.table} of the graph ${design.name}`,
    Resources: {
      Table: tableResource(design, settings),
      ...Object.fromEntries(scalingTargetsOf(design, settings).flatMap(scalingResources)),
      ...Object.fromEntries(
        alarmsOf(design, settings).map(alarm => [`${alarm.id.join('')}Alarm`, alarmResource(alarm)]),
      ),
      ApplicationPolicy: policyResource(
        'What the application may do',
        applicationPolicy(design, options, CLOUDFORMATION_NAMES),
      ),
      ...(consumer && {
        ConsumerPolicy: policyResource('What the consumer of the stream may do', consumer, eventSource?.role),
      }),
      ...consumerResources(settings, names.queue, tableResource),
      ...batchResources(settings, policyResource),
    },
    Outputs: {
      TableName: output('The name of the table', TABLE_NAME),
      TableArn: output('The ARN of the table', CLOUDFORMATION_NAMES.table),
      ...(consumer && { StreamArn: output('The ARN of the stream', CLOUDFORMATION_NAMES.stream) }),
      ApplicationPolicyArn: output('For the role of the application', { Ref: 'ApplicationPolicy' }),
      ...(consumer && { ConsumerPolicyArn: output('For the role of the consumer', { Ref: 'ConsumerPolicy' }) }),
      ...(hasFailureQueue(settings) && {
        FailureQueueUrl: output('What the consumer could not handle', { Ref: 'FailureQueue' }),
      }),
      ...(settings.batch && {
        BatchApplicationId: output('The application of the batch', CLOUDFORMATION_BATCH_OUTPUTS.application),
        BatchRoleArn: output('The role of the program of the batch', CLOUDFORMATION_BATCH_OUTPUTS.role),
      }),
    },
  }
}

function tableResource(design: TableDesign, settings: ProductionSettings): Resource {
  const request = toCreateTableInput(design, { table: settings.table })
  const insights = settings.contributorInsights && { ContributorInsightsSpecification: { Enabled: true } }
  return {
    Type: 'AWS::DynamoDB::Table',
    DeletionPolicy: settings.deletionProtection ? 'Retain' : 'Delete',
    UpdateReplacePolicy: settings.deletionProtection ? 'Retain' : 'Delete',
    Properties: {
      TableName: request.TableName,
      ...toTemplateData({
        AttributeDefinitions: request.AttributeDefinitions,
        KeySchema: request.KeySchema,
        LocalSecondaryIndexes: request.LocalSecondaryIndexes,
        GlobalSecondaryIndexes: request.GlobalSecondaryIndexes?.map(index => ({ ...index, ...insights })),
        BillingMode: request.BillingMode,
        ProvisionedThroughput: request.ProvisionedThroughput,
        StreamSpecification: request.StreamSpecification && {
          StreamViewType: request.StreamSpecification.StreamViewType,
        },
        TimeToLiveSpecification:
          design.expires === undefined ? undefined : { AttributeName: design.expires, Enabled: true },
        PointInTimeRecoverySpecification: recoverySpecificationOf(settings),
        SSESpecification: sseSpecificationOf(settings),
        Tags: settings.tags.length > 0 ? settings.tags : undefined,
      }),
      DeletionProtectionEnabled: settings.deletionProtection,
      ...insights,
    },
  }
}

function recoverySpecificationOf({ recoveryDays }: ProductionSettings) {
  if (recoveryDays === 0) return { PointInTimeRecoveryEnabled: false }
  return { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: recoveryDays }
}

function sseSpecificationOf({ encryption: key }: ProductionSettings) {
  if (key === 'aws-owned') return { SSEEnabled: false }
  if (key === 'aws-managed') return { SSEEnabled: true, SSEType: 'KMS' }
  return { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: key.keyArn }
}

function scalingResources(scaling: ScalingTarget): [string, Resource][] {
  const { index } = scaling
  const id = scaling.id.join('')
  const target: Resource = {
    Type: 'AWS::ApplicationAutoScaling::ScalableTarget',
    Properties: {
      ServiceNamespace: 'dynamodb',
      ResourceId: { 'Fn::Sub': `table/\${Table}${index === undefined ? '' : `/index/${index}`}` },
      ScalableDimension: scaling.dimension,
      MinCapacity: scaling.minCapacity,
      MaxCapacity: scaling.maxCapacity,
    },
  }
  const policy: Resource = {
    Type: 'AWS::ApplicationAutoScaling::ScalingPolicy',
    Properties: {
      PolicyName: `${id}Utilization`,
      PolicyType: 'TargetTrackingScaling',
      ScalingTargetId: { Ref: `${id}Target` },
      TargetTrackingScalingPolicyConfiguration: {
        TargetValue: scaling.targetPercent,
        PredefinedMetricSpecification: { PredefinedMetricType: scaling.metric },
      },
    },
  }
  return [
    [`${id}Target`, target],
    [`${id}Scaling`, policy],
  ]
}

function alarmResource(alarm: Alarm): Resource {
  return {
    Type: 'AWS::CloudWatch::Alarm',
    Properties: toAlarmProperties(alarm, DIMENSION_VALUES),
  }
}

function policyResource(Description: string, document: PolicyDocument<Value>, role?: Value): Resource {
  const roles = role !== undefined && { Roles: [role] }
  return {
    Type: 'AWS::IAM::ManagedPolicy',
    Properties: { Description, PolicyDocument: toTemplateData(document), ...roles },
  }
}

/** Converts to plain template data, without undefined members. */
function toTemplateData(value: object): { readonly [member: string]: Value } {
  return JSON.parse(JSON.stringify(value))
}
