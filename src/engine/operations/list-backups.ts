import { LIST_BACKUPS } from '../../dynamodb/limits.js'
import type { BackupSummary, ListBackupsAnswer, ListBackupsRequest } from '../../dynamodb/operations/backups.js'
import { type Backup, isExpired } from '../backups/backup.js'
import { describeDetails } from '../backups/describe.js'
import { backupNameIn } from '../backups/find.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { tableArn } from '../tables/arns.js'
import { tableName } from '../tables/find.js'
import { validateListBackups } from './list-backups.validation.js'

/** In the order in which they were made, whether or not their tables are still there. */
export function listBackups(engine: Engine, request: ListBackupsRequest): ListBackupsAnswer {
  const { fromMs, toMs } = validateListBackups(request)
  const { BackupType = 'USER', Limit = LIST_BACKUPS } = request
  const name = request.TableName === undefined ? undefined : tableName(engine, request.TableName)
  const start = startOf(engine, request.ExclusiveStartBackupArn)
  const found = [...engine.backups.values()]
    .filter(backup => !isExpired(backup, engine.now()))
    .filter(({ type }) => BackupType === 'ALL' || BackupType === type)
    .filter(({ createdMs }) => createdMs >= fromMs && createdMs < toMs)
    .filter(({ source }) => name === undefined || source.description.TableName === name)
    .filter(backup => placeOf(backup) > start)
    .sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const BackupSummaries = found.slice(0, Limit).map(backup => summaryOf(engine, backup))
  if (found.length <= Limit) return { BackupSummaries }
  return { BackupSummaries, LastEvaluatedBackupArn: BackupSummaries.at(-1)!.BackupArn }
}

/** Where to go on, also after a backup that is gone. */
function startOf(engine: Engine, arn: string | undefined): string {
  if (arn === undefined) return ''
  const { region, tableName, id } = backupNameIn(engine, arn)
  if (region !== engine.region)
    throw validation('Invalid Request: The supplied ExclusiveStartBackupArn does not match the region')
  return `${id}/${tableName}`
}

const placeOf = ({ id, source }: Backup) => `${id}/${source.description.TableName}`

function summaryOf(engine: Engine, backup: Backup): BackupSummary {
  const { TableName, TableId } = backup.source.description
  return { TableName, TableId, TableArn: tableArn(engine, TableName!), ...describeDetails(engine, backup) }
}
