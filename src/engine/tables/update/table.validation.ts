import type { UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import type { Engine } from '../../engine.js'
import { inUse, invalidParameter, validation } from '../../errors.js'
import { describeEncryption, describeTable, isEncrypting } from '../describe.js'
import type { Table } from '../table.js'
import { refuseWhileCreatingOrDeleting, STILL_IN_USE } from '../transition.js'
import { changesIn, indexesMadeOrDeleted } from './changes.js'
import { checkIndexesOfTable, onlyOneIndex } from './indexes.validation.js'
import { checkTableCapacity } from './throughput.validation.js'
import { checkVectorIndexesOfTable } from './vector-indexes.validation.js'

/** What is wrong with a request on this table as it is. */
export function validateUpdateOfTable(engine: Engine, table: Table, request: UpdateTableRequest): void {
  refuseWhileCreatingOrDeleting(table)
  refuseWhileUpdating(table, request)
  const live = describeTable(engine, table)
  checkTableCapacity(live, request, engine.now())
  checkIndexesOfTable(live, request, engine.now())
  checkVectorIndexesOfTable(table.description, request)
  checkStreamOfTable(table, request)
  checkEncryptionOfTable(engine, table, request)
}

/** Protection can be changed at any time, and so can keys. */
const UNHINDERED: ReadonlySet<string> = new Set(['DeletionProtectionEnabled', 'SSESpecification'])

function refuseWhileUpdating({ name, transition }: Table, request: UpdateTableRequest): void {
  if (!transition || changesIn(request).every(change => UNHINDERED.has(change))) return
  const indexes = transition.shown.GlobalSecondaryIndexes ?? []
  const building = indexes.some(({ IndexStatus }) => IndexStatus === 'CREATING' || IndexStatus === 'DELETING')
  if (building && indexesMadeOrDeleted(request) > 0) throw onlyOneIndex()
  const units = request.ProvisionedThroughput || request.BillingMode
  throw inUse(
    units && !building
      ? `${STILL_IN_USE}Table IOPS are currently being updated. Table: ${name}`
      : `${STILL_IN_USE}Table is being updated: ${name}`,
  )
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
