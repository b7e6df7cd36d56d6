import type { OperationName } from '../dynamodb/model/operations.js'
import type { Answer, CallOptions, Operation, Request, Store } from '../store/port.js'
import type { Engine } from './engine.js'
import { batchGetItem } from './operations/batch-get-item.js'
import { batchWriteItem } from './operations/batch-write-item.js'
import { createTable } from './operations/create-table.js'
import { deleteItem } from './operations/delete-item.js'
import { deleteTable } from './operations/delete-table.js'
import { describeTable } from './operations/describe-table.js'
import { describeTimeToLive } from './operations/describe-time-to-live.js'
import { getItem } from './operations/get-item.js'
import { listTables } from './operations/list-tables.js'
import { putItem } from './operations/put-item.js'
import { query } from './operations/query.js'
import { scan } from './operations/scan.js'
import { transactGetItems } from './operations/transact-get-items.js'
import { transactWriteItems } from './operations/transact-write-items.js'
import { updateItem } from './operations/update-item.js'
import { updateTimeToLive } from './operations/update-time-to-live.js'
import { checkShape } from './request/check.js'

type Implementation<Name extends Operation> = (
  engine: Engine,
  request: Request<Name>,
) => Answer<Name> | Promise<Answer<Name>>

const IMPLEMENTATIONS: { readonly [Name in Operation]: Implementation<Name> } = {
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
  createTable,
  describeTable,
  deleteTable,
  listTables,
  updateTimeToLive,
  describeTimeToLive,
}

/** The port in front of an engine. Every call goes the same way: its shape is checked, then its operation runs. */
export function engineStore(engine: Engine): Store {
  const methods = Object.entries(IMPLEMENTATIONS).map(([name, run]) => [name, method(engine, name, run)])
  return Object.fromEntries(methods) as Store
}

function method(engine: Engine, name: string, run: (engine: Engine, request: never) => unknown) {
  const operation = (name.charAt(0).toUpperCase() + name.slice(1)) as OperationName
  return async (request: unknown, options?: CallOptions): Promise<unknown> => {
    options?.abortSignal?.throwIfAborted()
    return run(engine, checkShape(operation, request) as never)
  }
}
