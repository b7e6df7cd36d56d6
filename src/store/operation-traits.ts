import type { Operation } from './port.js'

export interface OperationTraits {
  /** Reads may be sent again after any failure. */
  readonly effect: 'read' | 'write'
  /** Operations on items consume capacity and report it on request; operations on tables do not. */
  readonly target: 'items' | 'tables'
}

const ITEM_READ: OperationTraits = { effect: 'read', target: 'items' }
const ITEM_WRITE: OperationTraits = { effect: 'write', target: 'items' }
const TABLE_READ: OperationTraits = { effect: 'read', target: 'tables' }
const TABLE_WRITE: OperationTraits = { effect: 'write', target: 'tables' }

/** Every operation of a store. */
export const OPERATION_TRAITS: Readonly<Record<Operation, OperationTraits>> = {
  getItem: ITEM_READ,
  putItem: ITEM_WRITE,
  updateItem: ITEM_WRITE,
  deleteItem: ITEM_WRITE,
  batchGetItem: ITEM_READ,
  batchWriteItem: ITEM_WRITE,
  transactGetItems: ITEM_READ,
  transactWriteItems: ITEM_WRITE,
  query: ITEM_READ,
  scan: ITEM_READ,
  createTable: TABLE_WRITE,
  describeTable: TABLE_READ,
  updateTable: TABLE_WRITE,
  deleteTable: TABLE_WRITE,
  listTables: TABLE_READ,
  updateTimeToLive: TABLE_WRITE,
  describeTimeToLive: TABLE_READ,
}
