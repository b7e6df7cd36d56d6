import type { UpdateTableInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { invalidParameterError, validationError } from '../../errors.js'
import { checkCapacityQuotas } from '../definition/quotas.validation.js'
import { describeEncryption, isKmsEncryption, toTableDescription } from '../description/table-description.js'
import type { Table } from '../table.js'
import { checkNotCreatingOrDeleting } from '../table-transition.js'
import { checkChangeLimits } from './change-limits.validation.js'
import { checkConcurrentUpdates } from './concurrent-updates.validation.js'
import { checkIndexesOfTable } from './indexes.validation.js'
import { checkReplicasOfTable } from './replicas.validation.js'
import { checkTableCapacityUpdate } from './throughput.validation.js'
import { checkVectorIndexesOfTable } from './vector-indexes.validation.js'

/** Checks a request against the current state of the table. */
export function validateTableUpdate(engine: Engine, table: Table, request: UpdateTableInput): void {
  checkNotCreatingOrDeleting(table)
  const live = toTableDescription(engine, table)
  checkConcurrentUpdates(engine, table, live, request)
  checkTableCapacityUpdate(live, request, engine.now())
  checkIndexesOfTable(live, request, engine.now())
  checkVectorIndexesOfTable(table.description, request)
  checkStreamOfTable(table, request)
  checkEncryptionOfTable(engine, table, request)
  checkReplicasOfTable(request)
  checkReplicationMode(request)
  checkChangeLimits(table, request, engine.now())
  checkQuotasOfUpdate(engine, request)
}

function checkStreamOfTable({ name, stream }: Table, { StreamSpecification: wanted }: UpdateTableInput): void {
  if (wanted?.StreamEnabled && stream) throw validationError(`Table already has an enabled stream: TableName: ${name}`)
  if (wanted && !wanted.StreamEnabled && !stream)
    throw validationError(`Table has no stream to disable: TableName: ${name}`)
}

/** Checks a change of encryption. Only a key that is named by its full ARN is recognized as the current one. */
function checkEncryptionOfTable(engine: Engine, { description }: Table, request: UpdateTableInput): void {
  const { SSESpecification: wanted } = request
  const current = description.SSEDescription
  if (!wanted) return
  if (!isKmsEncryption(wanted) && !current) throw invalidParameterError('Table is already encrypted by default')
  const arn = wanted.KMSMasterKeyId?.startsWith('arn:') && describeEncryption(engine, wanted).KMSMasterKeyArn
  if (arn && arn === current?.KMSMasterKeyArn)
    throw invalidParameterError(
      'Table is already encrypted with given KMSMasterKeyId. ' +
        'Use KMSMasterKeyId parameter if you want to change Master Key',
    )
}

/** Checks the replication mode. The third mode requires replicas, which this engine does not have. */
function checkReplicationMode({ GlobalTableSettingsReplicationMode: mode }: UpdateTableInput): void {
  if (mode === 'ENABLED_WITH_OVERRIDES')
    throw validationError(
      `Value '${mode}' at 'GlobalTableSettingsReplicationMode' failed to satisfy constraint: ` +
        'Only ENABLED and DISABLED settings replication are supported for a Regional Table.',
    )
}

function checkQuotasOfUpdate(engine: Engine, request: UpdateTableInput): void {
  checkCapacityQuotas(engine, request)
  for (const { Create, Update } of request.GlobalSecondaryIndexUpdates ?? []) {
    const index = Create ?? Update
    if (index) checkCapacityQuotas(engine, index, index.IndexName)
  }
}
