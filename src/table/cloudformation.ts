import type { TableDesign } from '../layout/design.js'
import { type Alarm, alarmMembers, alarms, hasQueue } from './alarms.js'
import { type Scaling, scalings } from './autoscaling.js'
import { consumerResources } from './cloudformation-consumer.js'
import { createTableRequest } from './definition.js'
import { applicationPolicy, consumerPolicy, type PolicyDocument, type ResourceNames } from './policies.js'
import { type Production, type ProductionOptions, production } from './production.js'

/** What a template may have for a value: text, or a function that CloudFormation calls. */
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

/** A template of CloudFormation. */
export interface Template {
  readonly AWSTemplateFormatVersion: '2010-09-09'
  readonly Description: string
  readonly Resources: Readonly<Record<string, Resource>>
  readonly Outputs: Readonly<Record<string, { readonly Description: string; readonly Value: Value }>>
}

const TABLE = { Ref: 'Table' }
const NAMED: Readonly<Record<'table' | 'queue', Value>> = {
  table: TABLE,
  queue: { 'Fn::GetAtt': ['FailureQueue', 'QueueName'] },
}
/** How a template refers to the resources that policies name. */
export const CLOUDFORMATION_NAMES: ResourceNames<Value> = {
  table: { 'Fn::GetAtt': ['Table', 'Arn'] },
  index: name => ({ 'Fn::Sub': `\${Table.Arn}/index/${name}` }),
  stream: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
  streams: { 'Fn::Sub': `\${Table.Arn}/stream/*` },
  consumers: { 'Fn::GetAtt': ['ConsumersTable', 'Arn'] },
  queue: { 'Fn::GetAtt': ['FailureQueue', 'Arn'] },
}

/** A template with the table, what scales and watches it, and the policies of those who use it. */
export function cloudFormation(design: TableDesign, options: ProductionOptions = {}): Template {
  const made = production(design, options)
  const { source } = made.consumer ?? {}
  const names =
    source?.queueArn === undefined ? CLOUDFORMATION_NAMES : { ...CLOUDFORMATION_NAMES, queue: source.queueArn }
  const consumer = consumerPolicy(design, options, names)
  const output = (Description: string, Value: Value) => ({ Description, Value })
  return {
    AWSTemplateFormatVersion: '2010-09-09',
    Description: `The table ${made.table} of the graph ${design.name}`,
    Resources: {
      Table: tableResource(design, made),
      ...Object.fromEntries(scalings(design, made).flatMap(scalingResources)),
      ...Object.fromEntries(alarms(design, made).map(alarm => [`${alarm.id.join('')}Alarm`, alarmResource(alarm)])),
      ApplicationPolicy: policyResource(
        'What the application may do',
        applicationPolicy(design, options, CLOUDFORMATION_NAMES),
      ),
      ...(consumer && {
        ConsumerPolicy: policyResource('What the consumer of the stream may do', consumer, source?.role),
      }),
      ...consumerResources(made, names.queue, tableResource),
    },
    Outputs: {
      TableName: output('The name of the table', TABLE),
      TableArn: output('The ARN of the table', CLOUDFORMATION_NAMES.table),
      ...(consumer && { StreamArn: output('The ARN of the stream', CLOUDFORMATION_NAMES.stream) }),
      ApplicationPolicyArn: output('For the role of the application', { Ref: 'ApplicationPolicy' }),
      ...(consumer && { ConsumerPolicyArn: output('For the role of the consumer', { Ref: 'ConsumerPolicy' }) }),
      ...(hasQueue(made) && { FailureQueueUrl: output('What the consumer could not handle', { Ref: 'FailureQueue' }) }),
    },
  }
}

function tableResource(design: TableDesign, made: Production): Resource {
  const request = createTableRequest(design, { table: made.table })
  const insights = made.contributorInsights && { ContributorInsightsSpecification: { Enabled: true } }
  return {
    Type: 'AWS::DynamoDB::Table',
    DeletionPolicy: made.deletionProtection ? 'Retain' : 'Delete',
    UpdateReplacePolicy: made.deletionProtection ? 'Retain' : 'Delete',
    Properties: {
      TableName: request.TableName,
      ...plain({
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
        PointInTimeRecoverySpecification: recovery(made),
        SSESpecification: encryption(made),
        Tags: made.tags.length > 0 ? made.tags : undefined,
      }),
      DeletionProtectionEnabled: made.deletionProtection,
      ...insights,
    },
  }
}

function recovery({ recoveryDays }: Production) {
  if (recoveryDays === 0) return { PointInTimeRecoveryEnabled: false }
  return { PointInTimeRecoveryEnabled: true, RecoveryPeriodInDays: recoveryDays }
}

function encryption({ encryption: key }: Production) {
  if (key === 'aws-owned') return { SSEEnabled: false }
  if (key === 'aws-managed') return { SSEEnabled: true, SSEType: 'KMS' }
  return { SSEEnabled: true, SSEType: 'KMS', KMSMasterKeyId: key.keyArn }
}

function scalingResources(scaling: Scaling): [string, Resource][] {
  const { index } = scaling
  const id = scaling.id.join('')
  const target: Resource = {
    Type: 'AWS::ApplicationAutoScaling::ScalableTarget',
    Properties: {
      ServiceNamespace: 'dynamodb',
      ResourceId: { 'Fn::Sub': `table/\${Table}${index === undefined ? '' : `/index/${index}`}` },
      ScalableDimension: scaling.dimension,
      MinCapacity: scaling.least,
      MaxCapacity: scaling.most,
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
    Properties: alarmMembers(alarm, NAMED),
  }
}

function policyResource(Description: string, document: PolicyDocument<Value>, role?: string): Resource {
  const roles = role !== undefined && { Roles: [role] }
  return { Type: 'AWS::IAM::ManagedPolicy', Properties: { Description, PolicyDocument: plain(document), ...roles } }
}

/** The same as data of a template: without members that are undefined, and without what only types know. */
function plain(value: object): { readonly [member: string]: Value } {
  return JSON.parse(JSON.stringify(value))
}
