import type { Engine } from '../engine.js'
import { invalidParameterError, notFoundError, ServiceError, validationError } from '../errors.js'
import type { Stream } from '../streams/stream.js'
import { findCreatedTable } from './find-table.js'
import type { Table } from './table.js'
import { checkNotCreatingOrDeleting, isTableCreating, settleTable } from './table-transition.js'

const TABLE = 'table/'
const ARN = /^arn:([^:]*):([^:]*):([^:]*):([^:]*):(.*)$/

/** Returns the resource of an ARN, a table or a stream, for operations on tags, which accept no names. */
export function parseTaggedArn({ region, accountId }: Engine, arn: string, operation: string): string {
  if (arn === '') throw validationError('Invalid TableArn')
  checkArnPrefix(arn)
  const [, , service = 'dynamodb', itsRegion, itsAccount, resource = ''] = ARN.exec(arn) ?? []
  if (service !== 'dynamodb')
    throw new ServiceError(
      'AccessDeniedException',
      `User: arn:aws:iam::${accountId}:root is not authorized to perform: dynamodb:${operation} on resource: ${arn}`,
    )
  checkResourceKind(resource, arn)
  if (itsAccount !== accountId) throw new ServiceError('AccessDeniedException', 'Access is denied')
  if (itsRegion !== region) throw validationError(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`)
  return resource
}

/** A resource that can have a policy: a table or one of its streams. */
export interface PolicyResource {
  readonly tableName: string
  readonly label: string | undefined
}

/** Returns the resource of an ARN for operations on policies, which report invalid ARNs with other messages. */
export function parsePolicyArn({ region, accountId }: Engine, arn: string): PolicyResource {
  checkArnPrefix(arn)
  const [, partition, service, itsRegion, itsAccount, resource = ''] = ARN.exec(arn) ?? []
  checkResourceKind(service === 'dynamodb' ? resource : '', arn)
  if (itsAccount !== accountId)
    throw validationError('This action is only supported by accounts that match the resource owner’s account.')
  if (itsRegion !== region || partition !== 'aws') throw invalidParameterError(`Invalid resource Arn: ${arn}`)
  const [, tableName, , label] = resource.split('/')
  return { tableName: tableName!, label }
}

/** Finds the resource of a policy. A table that is being created is not found. */
export function findPolicyHolder(engine: Engine, { tableName, label }: PolicyResource): Table | Stream {
  if (label === undefined) return findCreatedTable(engine, tableName)
  const stream = findReadableStream(engine, `${TABLE}${tableName}/stream/${label}`)
  if (!stream) throw notFoundError(`Requested resource not found: Stream: ${label} not found for Table: ${tableName}`)
  return stream
}

function checkArnPrefix(arn: string): void {
  if (!arn.startsWith('arn:')) throw invalidParameterError(`ARNs must start with 'arn:': ${arn}`)
}

function checkResourceKind(resource: string, arn: string): void {
  const [kind, name, part] = resource.split('/')
  if (kind !== 'table' || !name || (part && part !== 'index' && part !== 'stream'))
    throw invalidParameterError(`Provided Arn is not a DynamoDB resource arn: ${arn}`)
  if (part === 'index')
    throw invalidParameterError(
      `Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${arn}`,
    )
}

/** Finds a table or a stream by its resource. Streams have their own tags. */
export function findTaggedResource(engine: Engine, resource: string, arn: string): Table | Stream {
  const tagged = findReadableStream(engine, resource) ?? findCreatedTableByResource(engine, resource)
  if (!tagged) throw notFoundError(`Requested resource not found: ResourceArn: ${arn} not found`)
  return tagged
}

/** Finds a resource whose tags can be changed. */
export function findTaggableResource(engine: Engine, resource: string, arn: string): Table | Stream {
  const tagged = findTaggedResource(engine, resource, arn)
  if ('transition' in tagged) checkNotCreatingOrDeleting(tagged)
  return tagged
}

function findReadableStream(engine: Engine, resource: string): Stream | undefined {
  const stream = engine.streams.get(resource)
  return stream?.isReadable(engine.now()) ? stream : undefined
}

function findCreatedTableByResource(engine: Engine, resource: string): Table | undefined {
  const table = engine.tables.get(resource.slice(TABLE.length))
  return table && settleTable(engine, table) && !isTableCreating(table) ? table : undefined
}
