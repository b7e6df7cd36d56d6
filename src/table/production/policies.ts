import type { TableDesign } from '../../layout/design.js'
import { type ProductionOptions, type ProductionSettings, resolveProduction } from './production.js'

/** One statement of an IAM policy, with resources as the writer of the format names them. */
export interface Statement<Arn = string> {
  readonly Sid: string
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: readonly Arn[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

/** A policy of IAM. */
export interface PolicyDocument<Arn = string> {
  readonly Version: '2012-10-17'
  readonly Statement: readonly Statement<Arn | string>[]
}

/** How a format names what policies are about: by an ARN, or by a reference to a resource of the same template. */
export interface ResourceNames<Arn> {
  readonly table: Arn
  readonly index: (name: string) => Arn
  readonly stream: Arn
  /** Every stream that the table has had. */
  readonly streams: Arn
  /** The small table of those who follow the stream. */
  readonly consumers: Arn
  /** Where Lambda leaves what could not be handled. */
  readonly queue: Arn
}

const READS = ['dynamodb:BatchGetItem', 'dynamodb:GetItem', 'dynamodb:Query']
const WRITES = [
  'dynamodb:BatchWriteItem',
  'dynamodb:ConditionCheckItem',
  'dynamodb:DeleteItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
]
const CHECKPOINTS = [
  'dynamodb:DeleteItem',
  'dynamodb:DescribeTable',
  'dynamodb:PutItem',
  'dynamodb:Query',
  'dynamodb:UpdateItem',
]
const KEY_READS = ['kms:Decrypt', 'kms:DescribeKey']
const KEY_WRITES = ['kms:Encrypt', 'kms:GenerateDataKey*', 'kms:ReEncrypt*']
const STREAM_READS = ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator']

/**
 * What the calls of a graph need, and no more: transactions are authorised by the actions they are made of. Where there
 * are tenants, only keys that begin with the tenant of the caller.
 */
export function applicationPolicy<Arn>(
  design: TableDesign,
  options: ProductionOptions,
  names: ResourceNames<Arn>,
): PolicyDocument<Arn> {
  const settings = resolveProduction(design, options)
  return createPolicy([
    ...dataStatements(design, settings, names, WRITES),
    ...encryptionKeyStatements(settings, KEY_WRITES),
  ])
}

/** The permissions of reads alone: those of the application without writes. */
export function readerPolicy<Arn>(
  design: TableDesign,
  options: ProductionOptions,
  names: ResourceNames<Arn>,
): PolicyDocument<Arn> {
  const settings = resolveProduction(design, options)
  return createPolicy([...dataStatements(design, settings, names, []), ...encryptionKeyStatements(settings, [])])
}

function dataStatements<Arn>(
  design: TableDesign,
  settings: ProductionSettings,
  names: ResourceNames<Arn>,
  writes: readonly string[],
): Statement<Arn>[] {
  const scan = settings.scan && !design.tenant ? ['dynamodb:Scan'] : []
  const tenant = design.tenant && {
    Condition: leadingKeysCondition('StringLike', `\${aws:PrincipalTag/${settings.tenantTag}}#*`),
  }
  const data: Statement<Arn> = {
    Sid: 'Data',
    Effect: 'Allow',
    Action: [...READS, ...scan, ...writes],
    Resource: [names.table],
    ...tenant,
  }
  const indexes: Statement<Arn> = {
    Sid: 'Indexes',
    Effect: 'Allow',
    Action: ['dynamodb:Query'],
    Resource: design.indexes.map(index => names.index(index.name)),
    ...tenant,
  }
  return [
    data,
    ...(design.indexes.length > 0 ? [indexes] : []),
    ...fingerprintStatements(design, names),
    describeTableStatement(names),
  ]
}

/**
 * What reads the stream and keeps derived data: consistent reads of the table and conditioned writes to it, never an
 * index, never a scan. It serves every tenant. Undefined where there is no stream.
 */
export function consumerPolicy<Arn>(
  design: TableDesign,
  options: ProductionOptions,
  names: ResourceNames<Arn>,
): PolicyDocument<Arn> | undefined {
  const settings = resolveProduction(design, options)
  if (design.stream === 'none') return undefined
  return createPolicy([
    ...streamStatements(settings, names),
    {
      Sid: 'Data',
      Effect: 'Allow',
      Action: [...READS, ...WRITES.filter(action => action !== 'dynamodb:BatchWriteItem')],
      Resource: [names.table],
    },
    ...(settings.consumer?.eventSource ? [] : [describeTableStatement(names)]),
    ...consumerStateStatements(settings, names),
    ...encryptionKeyStatements(settings, KEY_WRITES),
  ])
}

/**
 * A follower finds the stream in the description of the table, and reads those before it to their ends. Lambda reads the
 * one that it is given, and asks for the list.
 */
function streamStatements<Arn>({ consumer, alarms }: ProductionSettings, names: ResourceNames<Arn>): Statement<Arn>[] {
  const isFollowed = consumer !== undefined && !consumer.eventSource
  const reads = isFollowed ? names.streams : names.stream
  const isListed = !isFollowed || alarms?.consumer !== undefined
  return [
    { Sid: 'Stream', Effect: 'Allow', Action: STREAM_READS, Resource: [reads] },
    ...(isListed
      ? [{ Sid: 'Streams', Effect: 'Allow' as const, Action: ['dynamodb:ListStreams'], Resource: [names.streams] }]
      : []),
  ]
}

/** Where the consumer keeps its checkpoints, or what it could not handle. */
function consumerStateStatements<Arn>({ consumer }: ProductionSettings, names: ResourceNames<Arn>): Statement<Arn>[] {
  if (!consumer) return []
  if (consumer.eventSource)
    return [{ Sid: 'Failures', Effect: 'Allow', Action: ['sqs:SendMessage'], Resource: [names.queue] }]
  return [{ Sid: 'Checkpoints', Effect: 'Allow', Action: CHECKPOINTS, Resource: [names.consumers] }]
}

/** What `open` looks at before the first call, and who follows the stream to find it. */
function describeTableStatement<Arn>(names: ResourceNames<Arn>): Statement<Arn> {
  return { Sid: 'Description', Effect: 'Allow', Action: ['dynamodb:DescribeTable'], Resource: [names.table] }
}

function createPolicy<Arn>(statements: readonly Statement<Arn | string>[]): PolicyDocument<Arn> {
  return { Version: '2012-10-17', Statement: statements }
}

/**
 * ForAllValues holds for a request that has no such keys at all, so their absence is refused by itself. On an index the
 * leading key is the partition key of the index.
 */
function leadingKeysCondition(operator: 'StringEquals' | 'StringLike', key: string) {
  return {
    [`ForAllValues:${operator}`]: { 'dynamodb:LeadingKeys': [key] },
    Null: { 'dynamodb:LeadingKeys': 'false' },
  }
}

function fingerprintStatements<Arn>(design: TableDesign, names: ResourceNames<Arn>): Statement<Arn>[] {
  if (!design.tenant || design.fingerprint === undefined) return []
  return [
    {
      Sid: 'Fingerprint',
      Effect: 'Allow',
      Action: ['dynamodb:GetItem'],
      Resource: [names.table],
      Condition: leadingKeysCondition('StringEquals', design.fingerprint),
    },
  ]
}

/** DynamoDB asks for data keys on behalf of the caller, so the caller must be allowed to use the key through it. */
function encryptionKeyStatements({ encryption }: ProductionSettings, writes: readonly string[]): Statement[] {
  if (typeof encryption === 'string') return []
  return [
    {
      Sid: 'EncryptionKey',
      Effect: 'Allow',
      Action: [...KEY_READS, ...writes],
      Resource: [encryption.keyArn],
      Condition: { StringLike: { 'kms:ViaService': ['dynamodb.*.amazonaws.com', 'dynamodb.*.amazonaws.com.cn'] } },
    },
  ]
}
