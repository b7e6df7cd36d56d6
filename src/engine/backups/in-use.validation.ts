import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { pendingRestoreOf } from '../tables/table-transition.js'
import { type Backup, isBackupCreating } from './backup.js'
import { parseBackupArn } from './find-backup.js'

/** Returns whether a table is currently being restored from this backup. */
export function isRestoringFrom(engine: Engine, { id }: Backup): boolean {
  return [...engine.tables.values()].some(table => {
    const arn = pendingRestoreOf(engine, table)?.SourceBackupArn
    return arn !== undefined && parseBackupArn(engine, arn).id === id
  })
}

export function checkBackupAvailable(engine: Engine, backup: Backup): void {
  if (!isBackupCreating(backup, engine.now())) return
  throw new ServiceError(
    'BackupInUseException',
    'There is another ongoing conflicting backup control plane operation on the table. ' +
      'The backup is either being created, deleted or restored to a table.',
  )
}
