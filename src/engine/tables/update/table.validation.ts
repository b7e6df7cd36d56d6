import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import type { Engine } from '../../engine.js'
import { invalidParameter, validation } from '../../errors.js'
import { describeEncryption, describeTable, isEncrypting } from '../describe.js'
import { checkQuotas } from '../quotas.validation.js'
import type { Table } from '../table.js'
import { refuseWhileCreatingOrDeleting } from '../transition.js'
import { refuseWhileUpdating } from './busy.validation.js'
import { checkChangeLimits } from './change-limits.validation.js'
import { checkIndexesOfTable } from './indexes.validation.js'
import { checkReplicasOfTable } from './replicas.validation.js'
import { checkTableCapacity } from './throughput.validation.js'
import { checkVectorIndexesOfTable } from './vector-indexes.validation.js'

/** What is wrong with a request on this table as it is. */
export function validateUpdateOfTable(engine: Engine, table: Table, request: UpdateTableRequest): void {
  refuseWhileCreatingOrDeleting(table)
  const live = describeTable(engine, table)
  refuseWhileUpdating(engine, table, live, request)
  checkTableCapacity(live, request, engine.now())
  checkIndexesOfTable(live, request, engine.now())
  checkVectorIndexesOfTable(table.description, request)
  checkStreamOfTable(table, request)
  checkEncryptionOfTable(engine, table, request)
  checkReplicasOfTable(request)
  checkReplicationMode(request)
  checkChangeLimits(table, request, engine.now())
  checkQuotasOfUpdate(engine, request)
}

function checkStreamOfTable({ name, stream }: Table, { StreamSpecification: wanted }: UpdateTableRequest): void {
  if (wanted?.StreamEnabled && stream) throw validation(`Table already has an enabled stream: TableName: ${name}`)
  if (wanted && !wanted.StreamEnabled && !stream) throw validation(`Table has no stream to disable: TableName: ${name}`)
}

/** A key that is named as it is described is the one that the table has. */
function checkEncryptionOfTable(engine: Engine, { description }: Table, request: UpdateTableRequest): void {
  const { SSESpecification: wanted } = request
  const current = description.SSEDescription
  if (!wanted) return
  if (!isEncrypting(wanted) && !current) throw invalidParameter('Table is already encrypted by default')
  const arn = wanted.KMSMasterKeyId?.startsWith('arn:') && describeEncryption(engine, wanted).KMSMasterKeyArn
  if (arn && arn === current?.KMSMasterKeyArn)
    throw invalidParameter(
      'Table is already encrypted with given KMSMasterKeyId. ' +
        'Use KMSMasterKeyId parameter if you want to change Master Key',
    )
}

/** The third mode is one that a table has by its replicas, and there are none. */
function checkReplicationMode({ GlobalTableSettingsReplicationMode: mode }: UpdateTableRequest): void {
  if (mode === 'ENABLED_WITH_OVERRIDES')
    throw validation(
      `Value '${mode}' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: ` +
        'Only ENABLED and DISABLED settings replication are supported for a Regional Table.',
    )
}

function checkQuotasOfUpdate(engine: Engine, request: UpdateTableRequest): void {
  checkQuotas(engine, request)
  for (const { Create, Update } of request.GlobalSecondaryIndexUpdates ?? []) {
    const index = Create ?? Update
    if (index) checkQuotas(engine, index, index.IndexName)
  }
}
