import type { Key } from '../../../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../../../dynamodb/limits.js'
import type { BatchWriteItemInput, WriteRequest } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import { parseWholeItem } from '../../items/put-action.js'
import { locateKey, type PlannedWrite } from '../../items/write-action.js'
import { checkIndexKeys } from '../../keys/check-index-keys.js'
import { checkKey } from '../../keys/check-key.js'
import { encodeKey, pickKey } from '../../keys/key-schema.js'
import { findTable } from '../../tables/find-table.js'
import type { Table } from '../../tables/table.js'
import { parseInputKey } from '../../values/parse-item.js'
import type { StoredItem } from '../../values/stored-item.js'
import { checkNoDuplicateKeys } from './batch-get-item.validation.js'

interface TableWrites {
  readonly name: string
  readonly writes: readonly ({ put: StoredItem } | { remove: Key })[]
}

export function readBatchWriteItem({ RequestItems }: BatchWriteItemInput): TableWrites[] {
  const names = Object.keys(RequestItems)
  // This number of items of the maximum size is smaller than the 16 MB limit of a batch, so the limit needs no check.
  if (names.reduce((sum, name) => sum + RequestItems[name]!.length, 0) > BATCH_WRITE_ITEMS)
    throw validationError('Too many items requested for the BatchWriteItem call')
  return names.map(name => ({ name, writes: RequestItems[name]!.map(parseWriteRequest) }))
}

function parseWriteRequest({ PutRequest, DeleteRequest }: WriteRequest): { put: StoredItem } | { remove: Key } {
  // The service uses this message, although it describes another error.
  if (!PutRequest === !DeleteRequest)
    throw validationError(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    )
  return PutRequest
    ? { put: parseWholeItem(PutRequest.Item!, 'older') }
    : { remove: parseInputKey(DeleteRequest!.Key!, 'older') }
}

/** Plans all writes before the first is executed. One invalid write fails the whole request. */
export function planBatchWrite(engine: Engine, tables: readonly TableWrites[]): PlannedWrite[] {
  const planned = tables.flatMap(({ name, writes }) => {
    const table = findTable(engine, name)
    return writes.map(write =>
      'put' in write ? planPut(table, write.put) : { ...locateKey(engine, name, write.remove), after: undefined },
    )
  })
  // A request may contain a table twice, by its name and by its ARN.
  checkNoDuplicateKeys(planned.map(({ table, key }) => `${table.name}/${key}`))
  return planned
}

/** Plans a put. Unlike a single put, a batch reports a wrong key as a schema mismatch. */
function planPut(table: Table, stored: StoredItem): PlannedWrite {
  const key = pickKey(table.keys, stored.item)
  checkKey(table.keys, key)
  checkIndexKeys(table, stored.item)
  const encoded = encodeKey(table.keys, key)
  return { table, key: encoded, before: table.space.get(encoded), after: stored }
}
