import type { Engine } from '../engine.js'
import { ServiceError, validation } from '../errors.js'
import { type Backup, isExpired, resourceOf } from './backup.js'

const ARN = /^arn:([^:]*):([^:]*):([^:]*):([^:]*):(.*)$/
const REGION = /^(af|ap|ca|eu|il|me|mx|sa|us)-\w+-\d+$/
const RESOURCE = /^table\/([a-zA-Z0-9_.-]+)\/backup\/(\d{14}-[0-9a-f]{8})$/

/** What the ARN of a backup names, there or not. */
export interface BackupName {
  readonly region: string
  readonly tableName: string
  readonly id: string
}

export function backupNameIn(engine: Engine, arn: string): BackupName {
  const [, partition, service, region, itsAccount, resource = ''] = ARN.exec(arn) ?? []
  if (itsAccount === undefined) throw validation('Invalid Backup ARN')
  if (itsAccount !== engine.accountId || region === '')
    throw new ServiceError('AccessDeniedException', 'Access is denied')
  const isRegion = region === engine.region || REGION.test(region!)
  if (partition !== 'aws' || service !== 'dynamodb' || !isRegion)
    throw validation('Invalid Request: BackupArn is not valid')
  const [, tableName, id] = RESOURCE.exec(resource) ?? []
  if (id === undefined) throw validation('Invalid Backup ARN')
  return { region: region!, tableName: tableName!, id }
}

/** Whichever of the regions its ARN names: the service looks where it is asked. */
export function findBackup(engine: Engine, arn: string): Backup {
  const { tableName, id } = backupNameIn(engine, arn)
  const backup = engine.backups.get(resourceOf(tableName, id))
  if (!backup || isExpired(backup, engine.now()))
    throw new ServiceError('BackupNotFoundException', `Backup not found: ${arn}`)
  return backup
}

export function backupArn({ region, accountId }: Engine, { id, source }: Backup): string {
  return `arn:aws:dynamodb:${region}:${accountId}:${resourceOf(source.description.TableName!, id)}`
}
