import { LIST_BACKUPS } from '../../../dynamodb/limits.js'
import type { BackupSummary, ListBackupsInput, ListBackupsOutput } from '../../../dynamodb/operation-types.js'
import { type Backup, isBackupExpired } from '../../backups/backup.js'
import { toBackupDetails } from '../../backups/backup-description.js'
import { parseBackupArn } from '../../backups/find-backup.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import { tableArn } from '../../tables/arns.js'
import { resolveTableName } from '../../tables/find-table.js'
import { validateListBackups } from './list-backups.validation.js'

/** Lists backups in the order of their creation, whether or not their tables still exist. */
export function listBackups(engine: Engine, request: ListBackupsInput): ListBackupsOutput {
  const { fromMs, toMs } = validateListBackups(request)
  const { BackupType = 'USER', Limit = LIST_BACKUPS } = request
  const name = request.TableName === undefined ? undefined : resolveTableName(engine, request.TableName)
  const start = resolveStart(engine, request.ExclusiveStartBackupArn)
  const found = [...engine.backups.values()]
    .filter(backup => !isBackupExpired(backup, engine.now()))
    .filter(({ type }) => BackupType === 'ALL' || BackupType === type)
    .filter(({ createdMs }) => createdMs >= fromMs && createdMs < toMs)
    .filter(({ source }) => name === undefined || source.description.TableName === name)
    .filter(backup => sortKeyOf(backup) > start)
    .sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1))
  const BackupSummaries = found.slice(0, Limit).map(backup => toBackupSummary(engine, backup))
  if (found.length <= Limit) return { BackupSummaries }
  return { BackupSummaries, LastEvaluatedBackupArn: BackupSummaries.at(-1)!.BackupArn }
}

/** Returns the position after a backup, which may have been deleted. */
function resolveStart(engine: Engine, arn: string | undefined): string {
  if (arn === undefined) return ''
  const { region, tableName, id } = parseBackupArn(engine, arn)
  if (region !== engine.region)
    throw validationError('Invalid Request: The supplied ExclusiveStartBackupArn does not match the region')
  return `${id}/${tableName}`
}

const sortKeyOf = ({ id, source }: Backup) => `${id}/${source.description.TableName}`

function toBackupSummary(engine: Engine, backup: Backup): BackupSummary {
  const { TableName, TableId } = backup.source.description
  return { TableName, TableId, TableArn: tableArn(engine, TableName!), ...toBackupDetails(engine, backup) }
}
