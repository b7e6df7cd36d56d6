import type { OperationName } from '../dynamodb/model/operations.js'
import type { CallOptions, Every } from '../store/port.js'
import type { Engine } from './engine.js'
import { batchExecuteStatement } from './operations/batch-execute-statement.js'
import { batchGetItem } from './operations/batch-get-item.js'
import { batchWriteItem } from './operations/batch-write-item.js'
import { createBackup } from './operations/create-backup.js'
import { createGlobalTable } from './operations/create-global-table.js'
import { createTable } from './operations/create-table.js'
import { deleteBackup } from './operations/delete-backup.js'
import { deleteItem } from './operations/delete-item.js'
import { deleteResourcePolicy } from './operations/delete-resource-policy.js'
import { deleteTable } from './operations/delete-table.js'
import { describeBackup } from './operations/describe-backup.js'
import { describeContinuousBackups } from './operations/describe-continuous-backups.js'
import { describeContributorInsights } from './operations/describe-contributor-insights.js'
import { describeEndpoints } from './operations/describe-endpoints.js'
import { describeGlobalTable } from './operations/describe-global-table.js'
import { describeGlobalTableSettings } from './operations/describe-global-table-settings.js'
import { describeLimits } from './operations/describe-limits.js'
import { describeStream } from './operations/describe-stream.js'
import { describeTable } from './operations/describe-table.js'
import { describeTableReplicaAutoScaling } from './operations/describe-table-replica-auto-scaling.js'
import { describeTimeToLive } from './operations/describe-time-to-live.js'
import { executeStatement } from './operations/execute-statement.js'
import { executeTransaction } from './operations/execute-transaction.js'
import { getItem } from './operations/get-item.js'
import { getRecords } from './operations/get-records.js'
import { getResourcePolicy } from './operations/get-resource-policy.js'
import { getShardIterator } from './operations/get-shard-iterator.js'
import { listBackups } from './operations/list-backups.js'
import { listContributorInsights } from './operations/list-contributor-insights.js'
import { listGlobalTables } from './operations/list-global-tables.js'
import { listStreams } from './operations/list-streams.js'
import { listTables } from './operations/list-tables.js'
import { listTagsOfResource } from './operations/list-tags-of-resource.js'
import { putItem } from './operations/put-item.js'
import { putResourcePolicy } from './operations/put-resource-policy.js'
import { query } from './operations/query.js'
import { restoreTableFromBackup } from './operations/restore-table-from-backup.js'
import { restoreTableToPointInTime } from './operations/restore-table-to-point-in-time.js'
import { scan } from './operations/scan.js'
import { searchVectors } from './operations/search-vectors.js'
import { tagResource } from './operations/tag-resource.js'
import { transactGetItems } from './operations/transact-get-items.js'
import { transactWriteItems } from './operations/transact-write-items.js'
import { untagResource } from './operations/untag-resource.js'
import { updateContinuousBackups } from './operations/update-continuous-backups.js'
import { updateContributorInsights } from './operations/update-contributor-insights.js'
import { updateGlobalTable } from './operations/update-global-table.js'
import { updateGlobalTableSettings } from './operations/update-global-table-settings.js'
import { updateItem } from './operations/update-item.js'
import { updateTable } from './operations/update-table.js'
import { updateTableReplicaAutoScaling } from './operations/update-table-replica-auto-scaling.js'
import { updateTimeToLive } from './operations/update-time-to-live.js'
import { checkShape } from './request/check.js'
import { doWhatIsDue } from './tables/due.js'
import { Turns } from './turns.js'

type Implementation<Method> = Method extends (request: infer Request, options?: CallOptions) => Promise<infer Answer>
  ? (engine: Engine, request: Request) => Answer | Promise<Answer>
  : never

const IMPLEMENTATIONS: { readonly [Name in keyof Every]: Implementation<Every[Name]> } = {
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
  listStreams,
  describeStream,
  getShardIterator,
  getRecords,
}

/** Operations that are a write as a whole. */
const WHOLE_WRITES: ReadonlySet<string> = new Set<keyof Every>([
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

/** The port in front of an engine. Every call goes the same way: its shape is checked, then its operation runs. */
export function engineStore(engine: Engine): Every {
  const turns = new Turns()
  const due = dueBefore(engine)
  const methods = Object.entries(IMPLEMENTATIONS).map(([name, run]) => [name, method(engine, name, run, due, turns)])
  return Object.fromEntries(methods) as Every
}

type Run = (engine: Engine, request: never) => unknown
type Due = () => Promise<void> | undefined

function method(engine: Engine, name: string, run: Run, due: Due, turns: Turns) {
  const operation = (name.charAt(0).toUpperCase() + name.slice(1)) as OperationName
  const isWholeWrite = WHOLE_WRITES.has(name)
  return async (request: unknown, options?: CallOptions): Promise<unknown> => {
    options?.abortSignal?.throwIfAborted()
    const ready = whatComesFirst(engine, due())
    // The caller may change the request before its turn comes.
    const given = ready ? structuredClone(request) : request
    if (ready) await ready
    const region = options?.region
    const called = region === undefined || region === engine.region ? engine : { ...engine, region }
    const checked = checkShape(operation, given)
    if (!isWholeWrite) return turns.answered(run(called, checked as never))
    const own = structuredClone(checked)
    return engine.keyValues.write(() => run(called, own as never))
  }
}

/** What a call waits for. Done at once, it leaves calls that are made together in their order. */
function whatComesFirst(engine: Engine, due: Promise<void> | undefined): Promise<void> | undefined {
  return due || engine.keyValues.settling() ? settled(engine, due) : undefined
}

async function settled({ keyValues }: Engine, due: Promise<void> | undefined): Promise<void> {
  await due
  for (let settling = keyValues.settling(); settling; settling = keyValues.settling()) await settling
}

/**
 * What the service does by itself is done here, before whatever is asked for next; those who come before it has begun
 * wait for the same. Where it fails nobody has asked for it, and it is tried again before the next call.
 */
function dueBefore(engine: Engine): Due {
  let waiting: Promise<void> | undefined
  return () => {
    if (waiting || !isAnythingDue(engine)) return waiting
    let hasBegun = false
    const done = engine.keyValues.write(() => {
      hasBegun = true
      waiting = undefined
      doWhatIsDue(engine)
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

function isAnythingDue({ agenda, now }: Engine): boolean {
  return agenda.nextMs !== Number.POSITIVE_INFINITY && agenda.nextMs <= now()
}
