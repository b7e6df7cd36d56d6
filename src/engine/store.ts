import type { OperationName } from '../dynamodb/model/operations.js'
import type { CallOptions, CompleteService } from '../store/port.js'
import type { Engine } from './engine.js'
import { EventLoopYield } from './event-loop-yield.js'
import { describeEndpoints } from './operations/account/describe-endpoints.js'
import { describeLimits } from './operations/account/describe-limits.js'
import { createBackup } from './operations/backups/create-backup.js'
import { deleteBackup } from './operations/backups/delete-backup.js'
import { describeBackup } from './operations/backups/describe-backup.js'
import { describeContinuousBackups } from './operations/backups/describe-continuous-backups.js'
import { listBackups } from './operations/backups/list-backups.js'
import { restoreTableFromBackup } from './operations/backups/restore-table-from-backup.js'
import { restoreTableToPointInTime } from './operations/backups/restore-table-to-point-in-time.js'
import { updateContinuousBackups } from './operations/backups/update-continuous-backups.js'
import { batchGetItem } from './operations/batches/batch-get-item.js'
import { batchWriteItem } from './operations/batches/batch-write-item.js'
import { createGlobalTable } from './operations/global-tables/create-global-table.js'
import { describeGlobalTable } from './operations/global-tables/describe-global-table.js'
import { describeGlobalTableSettings } from './operations/global-tables/describe-global-table-settings.js'
import { describeTableReplicaAutoScaling } from './operations/global-tables/describe-table-replica-auto-scaling.js'
import { listGlobalTables } from './operations/global-tables/list-global-tables.js'
import { updateGlobalTable } from './operations/global-tables/update-global-table.js'
import { updateGlobalTableSettings } from './operations/global-tables/update-global-table-settings.js'
import { updateTableReplicaAutoScaling } from './operations/global-tables/update-table-replica-auto-scaling.js'
import { describeContributorInsights } from './operations/insights/describe-contributor-insights.js'
import { listContributorInsights } from './operations/insights/list-contributor-insights.js'
import { updateContributorInsights } from './operations/insights/update-contributor-insights.js'
import { deleteItem } from './operations/items/delete-item.js'
import { getItem } from './operations/items/get-item.js'
import { putItem } from './operations/items/put-item.js'
import { updateItem } from './operations/items/update-item.js'
import { batchExecuteStatement } from './operations/partiql/batch-execute-statement.js'
import { executeStatement } from './operations/partiql/execute-statement.js'
import { executeTransaction } from './operations/partiql/execute-transaction.js'
import { deleteResourcePolicy } from './operations/policies/delete-resource-policy.js'
import { getResourcePolicy } from './operations/policies/get-resource-policy.js'
import { putResourcePolicy } from './operations/policies/put-resource-policy.js'
import { query } from './operations/reads/query.js'
import { scan } from './operations/reads/scan.js'
import { searchVectors } from './operations/reads/search-vectors.js'
import { describeStream } from './operations/streams/describe-stream.js'
import { getRecords } from './operations/streams/get-records.js'
import { getShardIterator } from './operations/streams/get-shard-iterator.js'
import { listStreams } from './operations/streams/list-streams.js'
import { createTable } from './operations/tables/create-table.js'
import { deleteTable } from './operations/tables/delete-table.js'
import { describeTable } from './operations/tables/describe-table.js'
import { describeTimeToLive } from './operations/tables/describe-time-to-live.js'
import { listTables } from './operations/tables/list-tables.js'
import { updateTable } from './operations/tables/update-table.js'
import { updateTimeToLive } from './operations/tables/update-time-to-live.js'
import { listTagsOfResource } from './operations/tags/list-tags-of-resource.js'
import { tagResource } from './operations/tags/tag-resource.js'
import { untagResource } from './operations/tags/untag-resource.js'
import { transactGetItems } from './operations/transactions/transact-get-items.js'
import { transactWriteItems } from './operations/transactions/transact-write-items.js'
import { describeExport } from './operations/transfers/describe-export.js'
import { describeImport } from './operations/transfers/describe-import.js'
import { exportTableToPointInTime } from './operations/transfers/export-table-to-point-in-time.js'
import { importTable } from './operations/transfers/import-table.js'
import { listExports } from './operations/transfers/list-exports.js'
import { listImports } from './operations/transfers/list-imports.js'
import { checkShape } from './request/check-shape.js'
import { runScheduledWork } from './tables/run-scheduled.js'

type Implementation<Method> = Method extends (request: infer Request, options?: CallOptions) => Promise<infer Output>
  ? (engine: Engine, request: Request) => Output | Promise<Output>
  : never

const IMPLEMENTATIONS: { readonly [Name in keyof CompleteService]: Implementation<CompleteService[Name]> } = {
  getItem,
  putItem,
  updateItem,
  deleteItem,
  batchGetItem,
  batchWriteItem,
  transactGetItems,
  transactWriteItems,
  query,
  scan,
  searchVectors,
  executeStatement,
  batchExecuteStatement,
  executeTransaction,
  createTable,
  describeTable,
  updateTable,
  deleteTable,
  listTables,
  updateTimeToLive,
  describeTimeToLive,
  tagResource,
  untagResource,
  listTagsOfResource,
  putResourcePolicy,
  getResourcePolicy,
  deleteResourcePolicy,
  updateContributorInsights,
  describeContributorInsights,
  listContributorInsights,
  createGlobalTable,
  updateGlobalTable,
  describeGlobalTable,
  listGlobalTables,
  describeGlobalTableSettings,
  updateGlobalTableSettings,
  describeTableReplicaAutoScaling,
  updateTableReplicaAutoScaling,
  describeLimits,
  describeEndpoints,
  describeContinuousBackups,
  updateContinuousBackups,
  createBackup,
  describeBackup,
  listBackups,
  deleteBackup,
  restoreTableFromBackup,
  restoreTableToPointInTime,
  exportTableToPointInTime,
  describeExport,
  listExports,
  importTable,
  describeImport,
  listImports,
  listStreams,
  describeStream,
  getShardIterator,
  getRecords,
}

/** Operations that run completely within one write. */
const WHOLE_WRITES: ReadonlySet<string> = new Set<keyof CompleteService>([
  'batchExecuteStatement',
  'createTable',
  'deleteTable',
  'updateTimeToLive',
  'tagResource',
  'untagResource',
  'putResourcePolicy',
  'deleteResourcePolicy',
  'updateContributorInsights',
  'updateContinuousBackups',
  'createBackup',
  'deleteBackup',
  'restoreTableFromBackup',
  'restoreTableToPointInTime',
])

/** Creates the operations of an engine. Every call checks the shape of its request and then runs its operation. */
export function newEngineStore(engine: Engine): CompleteService {
  const eventLoopYield = new EventLoopYield()
  const runDue = newDueWorkRunner(engine)
  const methods = Object.entries(IMPLEMENTATIONS).map(([name, run]) => [
    name,
    newMethod(engine, name, run, runDue, eventLoopYield),
  ])
  return Object.fromEntries(methods) as CompleteService
}

type OperationImplementation = (engine: Engine, request: never) => unknown
type RunDueWork = () => Promise<void> | undefined

function newMethod(
  engine: Engine,
  name: string,
  run: OperationImplementation,
  runDue: RunDueWork,
  eventLoopYield: EventLoopYield,
) {
  const operation = (name.charAt(0).toUpperCase() + name.slice(1)) as OperationName
  const isWholeWrite = WHOLE_WRITES.has(name)
  return async (request: unknown, options?: CallOptions): Promise<unknown> => {
    options?.abortSignal?.throwIfAborted()
    const ready = pendingBeforeCall(engine, runDue())
    // The caller may modify the request while the call waits.
    const input = ready ? structuredClone(request) : request
    if (ready) await ready
    const region = options?.region
    const called = region === undefined || region === engine.region ? engine : { ...engine, region }
    const checked = checkShape(operation, input)
    if (!isWholeWrite) return eventLoopYield.delayAfterMany(run(called, checked as never))
    const ownInput = structuredClone(checked)
    return engine.keyValues.write(() => run(called, ownInput as never))
  }
}

/**
 * Returns a promise if a call must wait. Otherwise the call continues synchronously, so that concurrent calls keep
 * their order.
 */
function pendingBeforeCall(engine: Engine, dueWork: Promise<void> | undefined): Promise<void> | undefined {
  return dueWork || engine.keyValues.pendingCommit() ? waitUntilSettled(engine, dueWork) : undefined
}

async function waitUntilSettled({ keyValues }: Engine, dueWork: Promise<void> | undefined): Promise<void> {
  await dueWork
  for (let settling = keyValues.pendingCommit(); settling; settling = keyValues.pendingCommit()) await settling
}

/**
 * Creates a function that runs due background work before the next call; concurrent calls wait for the same run. A
 * failure is ignored, because no caller requested the work, and the next call tries again.
 */
function newDueWorkRunner(engine: Engine): RunDueWork {
  let waiting: Promise<void> | undefined
  return () => {
    if (waiting || !isWorkDue(engine)) return waiting
    let hasBegun = false
    const done = engine.keyValues.write(() => {
      hasBegun = true
      waiting = undefined
      runScheduledWork(engine)
    })
    if (!(done instanceof Promise)) return undefined
    const settled = done.catch(() => {})
    if (hasBegun) return settled
    const own = settled.finally(() => {
      if (waiting === own) waiting = undefined
    })
    waiting = own
    return own
  }
}

function isWorkDue({ schedule, now }: Engine): boolean {
  return schedule.nextMs !== Number.POSITIVE_INFINITY && schedule.nextMs <= now()
}
