import type { Engine } from '../engine.js'
import { invalidParameter, notFound, ServiceError, validation } from '../errors.js'
import type { Table } from './table.js'
import { isBeingCreated, settle } from './transition.js'

const ARN = /^arn:[^:]*:([^:]*):([^:]*):([^:]*):(.*)$/

/** The name of the table that an ARN names, for the operations on tags, which take no name. */
export function taggedTableName({ region, accountId }: Engine, arn: string, operation: string): string {
  if (arn === '') throw validation('Invalid TableArn')
  if (!arn.startsWith('arn:')) throw invalidParameter(`ARNs must start with 'arn:': ${arn}`)
  const [, service = 'dynamodb', itsRegion, itsAccount, resource = ''] = ARN.exec(arn) ?? []
  const denied = () =>
    new ServiceError(
      'AccessDeniedException',
      `User: arn:aws:iam::${accountId}:root is not authorized to perform: dynamodb:${operation} on resource: ${arn}`,
    )
  if (service !== 'dynamodb') throw denied()
  const [kind, name, part] = resource.split('/')
  if (kind !== 'table' || !name || (part && part !== 'index' && part !== 'stream'))
    throw invalidParameter(`Provided Arn is not a DynamoDB resource arn: ${arn}`)
  if (part === 'index')
    throw invalidParameter(
      `Invalid resource arn provided, only table or stream is accepted. Provided resource arn: ${arn}`,
    )
  if (itsAccount !== accountId) throw denied()
  if (itsRegion !== region || part) throw validation(`Invalid TableArn: Invalid ResourceArn provided as input ${arn}`)
  return name
}

export function findTagged(engine: Engine, name: string, arn: string): Table {
  const table = engine.tables.get(name)
  if (!table || !settle(engine, table) || isBeingCreated(table))
    throw notFound(`Requested resource not found: ResourceArn: ${arn} not found`)
  return table
}
