import type { TableDesign } from '../../layout/design.js'
import { type ProductionOptions, type ProductionSettings, resolveProduction } from './production.js'

/** A statement of an IAM policy. `Arn` is the type of resource references in the export format. */
export interface Statement<Arn = string> {
  readonly Sid: string
  readonly Effect: 'Allow'
  readonly Action: readonly string[]
  readonly Resource: readonly Arn[]
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, string | readonly string[]>>>>
}

/** An IAM policy. */
export interface PolicyDocument<Arn = string> {
  readonly Version: '2012-10-17'
  readonly Statement: readonly Statement<Arn | string>[]
}

/** The references of an export format to the resources of policies: an ARN, or a resource of the same template. */
export interface ResourceNames<Arn> {
  readonly table: Arn
  readonly index: (name: string) => Arn
  readonly stream: Arn
  /** All streams of the table, also former ones. */
  readonly streams: Arn
  /** The consumers table of `follow`. */
  readonly consumers: Arn
  /** The queue for records that Lambda could not handle. */
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
 * Returns the policy of an application: exactly the permissions that calls of a graph need. A transaction needs the
 * permissions of its actions. With tenants, only keys that begin with the tenant of the caller are allowed.
 *
 * @param names - the ARNs of the table and its resources
 * @throws {call.argument} if an option is invalid
 *
 * @example
 * ```ts
 * import { graph, layout, node, string } from 'edgewise'
 * import { applicationPolicy } from 'edgewise/table'
 *
 * const { design } = layout(graph('social', [node('user', { name: string() }, { id: 'name' })]))
 * const table = 'arn:aws:dynamodb:eu-central-1:123456789012:table/social'
 * const names = {
 *   table,
 *   index: (name: string) => `${table}/index/${name}`,
 *   stream: `${table}/stream/*`,
 *   streams: `${table}/stream/*`,
 *   consumers: `${table}-consumers`,
 *   queue: 'arn:aws:sqs:eu-central-1:123456789012:social-consumer-failures',
 * }
 * console.log(JSON.stringify(applicationPolicy(design, {}, names)))
 * ```
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
 * Returns the policy of the stream consumer: consistent reads of the table and conditional writes to it, but no index
 * and no scan. It serves every tenant.
 *
 * @param names - the ARNs of the table and its resources
 * @returns the policy, or undefined if the design has no stream
 * @throws {call.argument} if an option is invalid
 *
 * @example
 * ```ts
 * import { counter, edge, graph, layout, node, string } from 'edgewise'
 * import { consumerPolicy } from 'edgewise/table'
 *
 * const user = node('user', { name: string(), followers: counter() }, { id: 'name' })
 * const follows = edge(
 *   'follows',
 *   { follower: user, followed: user },
 *   {},
 *   { count: { followed: { into: 'followers', by: 'stream' } } },
 * )
 * const { design } = layout(graph('social', [user, follows]))
 * const table = 'arn:aws:dynamodb:eu-central-1:123456789012:table/social'
 * const names = {
 *   table,
 *   index: (name: string) => `${table}/index/${name}`,
 *   stream: `${table}/stream/*`,
 *   streams: `${table}/stream/*`,
 *   consumers: `${table}-consumers`,
 *   queue: 'arn:aws:sqs:eu-central-1:123456789012:social-consumer-failures',
 * }
 * console.log(JSON.stringify(consumerPolicy(design, {}, names)))
 * ```
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
 * The permissions to read the stream. A follower finds the stream in the description of the table and reads former
 * streams to their ends. Lambda reads one stream and lists the others.
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

/** The permissions for the consumer's state: checkpoints of a follower, or the failure queue of a function. */
function consumerStateStatements<Arn>({ consumer }: ProductionSettings, names: ResourceNames<Arn>): Statement<Arn>[] {
  if (!consumer) return []
  if (consumer.eventSource)
    return [{ Sid: 'Failures', Effect: 'Allow', Action: ['sqs:SendMessage'], Resource: [names.queue] }]
  return [{ Sid: 'Checkpoints', Effect: 'Allow', Action: CHECKPOINTS, Resource: [names.consumers] }]
}

/**
 * The permission to describe the table, which `open` needs before its first call and a follower needs to find the
 * stream.
 */
function describeTableStatement<Arn>(names: ResourceNames<Arn>): Statement<Arn> {
  return { Sid: 'Description', Effect: 'Allow', Action: ['dynamodb:DescribeTable'], Resource: [names.table] }
}

export function createPolicy<Arn>(statements: readonly Statement<Arn | string>[]): PolicyDocument<Arn> {
  return { Version: '2012-10-17', Statement: statements }
}

/**
 * ForAllValues also matches a request without keys, so a second condition requires them. On an index the leading key is
 * the partition key of the index.
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
export function encryptionKeyStatements({ encryption }: ProductionSettings, writes: readonly string[]): Statement[] {
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
