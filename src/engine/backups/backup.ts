import type { TableDescription } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import type { Table } from '../tables/table.js'

/**
 * A snapshot of a table. The items are stored in a separate space, so the backup survives the deletion of the table.
 */
export interface Backup {
  readonly id: string
  readonly name: string
  readonly type: 'USER' | 'SYSTEM'
  readonly createdMs: number
  /** The time at which the backup becomes available. Its status is CREATING until then. */
  readonly availableMs: number
  /** The time at which the service deletes a backup that it created automatically. */
  readonly expiryMs?: number
  /** The space that holds the items. */
  readonly spaceName: string
  readonly source: BackupSource
}

/** The definition of a table at the time of the backup, without its items. */
export interface BackupSource {
  /** The description without ARNs. */
  readonly description: TableDescription
  readonly expiryAttribute?: string
}

/**
 * Backups by the resource part of their ARN. The register counts its changes, so a save need not compare every backup.
 */
export class BackupRegister extends Map<string, Backup> {
  changeCount = 0

  override set(resource: string, backup: Backup): this {
    this.changeCount++
    return super.set(resource, backup)
  }

  override delete(resource: string): boolean {
    this.changeCount++
    return super.delete(resource)
  }
}

type BackupKind = Pick<Backup, 'name' | 'type' | 'expiryMs'>

/** Takes a snapshot of a table. Must run within a write, so that all items are from the same moment. */
export function takeBackup(engine: Engine, table: Table, kind: BackupKind): Backup {
  removeExpiredBackups(engine)
  const createdMs = Math.floor(engine.now())
  const backup: Backup = {
    ...kind,
    id: newBackupId(engine, createdMs, kind.type),
    createdMs,
    availableMs: createdMs + engine.settings.transitionMs,
    spaceName: `backup/${crypto.randomUUID()}`,
    source: toBackupSource(table),
  }
  engine.keyValues.copy(table.description.TableId!, backup.spaceName)
  engine.backups.set(backupResourceOf(table.name, backup.id), backup)
  return backup
}

export function removeBackup(engine: Engine, backup: Backup): void {
  engine.backups.delete(backupResourceOf(backup.source.description.TableName!, backup.id))
  engine.keyValues.drop(backup.spaceName)
}

/** Removes the system backups of a table that is being deleted. */
export function removeSystemBackups(engine: Engine, { description, transition }: Table): void {
  if (transition?.status !== 'DELETING') return
  for (const backup of engine.backups.values())
    if (backup.type === 'SYSTEM' && backup.source.description.TableId === description.TableId)
      removeBackup(engine, backup)
}

export function isBackupExpired({ expiryMs }: Backup, nowMs: number): boolean {
  return expiryMs !== undefined && expiryMs <= nowMs
}

export const isBackupCreating = ({ availableMs }: Backup, nowMs: number) => nowMs < availableMs

export function toBackupSource(table: Table): BackupSource {
  const { description, itemCount, sizeBytes, expiry } = table
  return {
    description: { ...structuredClone(description), ItemCount: itemCount, TableSizeBytes: sizeBytes },
    ...(expiry && { expiryAttribute: expiry.attributeName }),
  }
}

/** Returns the resource part of an ARN. */
export function backupResourceOf(tableName: string, id: string): string {
  return `table/${tableName}/backup/${id}`
}

function removeExpiredBackups(engine: Engine): void {
  for (const backup of engine.backups.values()) if (isBackupExpired(backup, engine.now())) removeBackup(engine, backup)
}

const MS_DIGITS = 14
const NUMBER_DIGITS = 8
const FIRST_NUMBERS = 2 ** 31
const STEPS = 2 ** 16

/**
 * Returns the creation time and a number. The number orders the backups of one millisecond; it grows by random steps,
 * so that no backup gets the number of a deleted one.
 */
function newBackupId({ backups }: Engine, createdMs: number, type: Backup['type']): string {
  const time = `${String(createdMs).padStart(MS_DIGITS, '0')}-`
  const numbers = Array.from(backups.values(), ({ id }) => id)
    .filter(id => id.startsWith(time))
    .map(id => Number.parseInt(id.slice(time.length), 16))
  const first = type === 'SYSTEM' ? 0 : randomBelow(FIRST_NUMBERS)
  const number = numbers.length > 0 ? Math.max(...numbers) + 1 + randomBelow(STEPS) : first
  return time + number.toString(16).padStart(NUMBER_DIGITS, '0')
}

const randomBelow = (end: number) => Math.floor(Math.random() * end)
