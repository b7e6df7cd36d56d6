import type { TableDescription, UpdateTableInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { describeEncryption, isKmsEncryption } from '../description/table-description.js'
import type { Table } from '../table.js'
import { startStream, stopStream } from '../table-stream.js'
import { applyIndexUpdates } from './apply-indexes.js'
import { applyTableCapacity } from './apply-throughput.js'
import { withChangeTimes } from './change-limits.validation.js'

/** Applies a valid request to a table. */
export function applyUpdate(engine: Engine, table: Table, request: UpdateTableInput): void {
  const { TableClass: currentClass = 'STANDARD' } = table.description.TableClassSummary ?? {}
  table.changeTimes = withChangeTimes(table.changeTimes, request, currentClass, engine.now())
  table.description = structuredClone(table.description)
  applyTableCapacity(table.description, request, new Date(engine.now()))
  applyIndexUpdates(engine, table, request)
  applySettings(engine, table.description, request)
  const { StreamSpecification: stream } = request
  if (stream?.StreamEnabled) startStream(engine, table, stream.StreamViewType!)
  else if (stream) stopStream(engine, table)
}

function applySettings(engine: Engine, description: TableDescription, request: UpdateTableInput): void {
  const { SSESpecification: encryption, TableClass } = request
  if (encryption) {
    if (isKmsEncryption(encryption)) description.SSEDescription = describeEncryption(engine, encryption)
    else delete description.SSEDescription
  }
  // A table whose class was never changed does not show the default class.
  if (TableClass && TableClass !== (description.TableClassSummary?.TableClass ?? 'STANDARD'))
    description.TableClassSummary = { TableClass, LastUpdateDateTime: new Date(engine.now()) }
  if (request.DeletionProtectionEnabled !== undefined)
    description.DeletionProtectionEnabled = request.DeletionProtectionEnabled
  if (request.GlobalTableSettingsReplicationMode)
    description.GlobalTableSettingsReplicationMode = request.GlobalTableSettingsReplicationMode
}
