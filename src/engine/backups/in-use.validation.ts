import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { restoreUnderWay } from '../tables/transition.js'
import { type Backup, isBeingMade } from './backup.js'
import { backupNameIn } from './find.js'

/** Whether a table is being made of it. */
export function restoringFrom(engine: Engine, { id }: Backup): boolean {
  return [...engine.tables.values()].some(table => {
    const arn = restoreUnderWay(engine, table)?.SourceBackupArn
    return arn !== undefined && backupNameIn(engine, arn).id === id
  })
}

export function refuseWhileBeingMade(engine: Engine, backup: Backup): void {
  if (!isBeingMade(backup, engine.now())) return
  throw new ServiceError(
    'BackupInUseException',
    'There is another ongoing conflicting backup control plane operation on the table. ' +
      'The backup is either being created, deleted or restored to a table.',
  )
}
