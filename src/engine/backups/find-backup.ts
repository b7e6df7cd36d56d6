import type { Engine } from '../engine.js'
import { ServiceError, validationError } from '../errors.js'
import { type Backup, backupResourceOf, isBackupExpired } from './backup.js'

const ARN = /^arn:([^:]*):([^:]*):([^:]*):([^:]*):(.*)$/
const REGION = /^(af|ap|ca|eu|il|me|mx|sa|us)-\w+-\d+$/
const RESOURCE = /^table\/([a-zA-Z0-9_.-]+)\/backup\/(\d{14}-[0-9a-f]{8})$/

/** The backup that an ARN names, whether or not it exists. */
export interface BackupReference {
  readonly region: string
  readonly tableName: string
  readonly id: string
}

export function parseBackupArn(engine: Engine, arn: string): BackupReference {
  const [, partition, service, region, itsAccount, resource = ''] = ARN.exec(arn) ?? []
  if (itsAccount === undefined) throw validationError('Invalid Backup ARN')
  if (itsAccount !== engine.accountId || region === '')
    throw new ServiceError('AccessDeniedException', 'Access is denied')
  const isRegion = region === engine.region || REGION.test(region!)
  if (partition !== 'aws' || service !== 'dynamodb' || !isRegion)
    throw validationError('Invalid Request: BackupArn is not valid')
  const [, tableName, id] = RESOURCE.exec(resource) ?? []
  if (id === undefined) throw validationError('Invalid Backup ARN')
  return { region: region!, tableName: tableName!, id }
}

/**
 * Finds a backup in this region, even if the ARN names another one. The service does the same: it looks only in the region
 * that receives the request.
 */
export function findBackup(engine: Engine, arn: string): Backup {
  const { tableName, id } = parseBackupArn(engine, arn)
  const backup = engine.backups.get(backupResourceOf(tableName, id))
  if (!backup || isBackupExpired(backup, engine.now()))
    throw new ServiceError('BackupNotFoundException', `Backup not found: ${arn}`)
  return backup
}

export function backupArn({ region, accountId }: Engine, { id, source }: Backup): string {
  return `arn:aws:dynamodb:${region}:${accountId}:${backupResourceOf(source.description.TableName!, id)}`
}
