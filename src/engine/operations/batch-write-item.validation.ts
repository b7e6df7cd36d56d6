import type { Key } from '../../dynamodb/attribute-value.js'
import { BATCH_WRITE_BYTES } from '../../dynamodb/limits.js'
import type { BatchWriteItemRequest, WriteRequest } from '../../dynamodb/operations/batches.js'
import { itemBytes } from '../../dynamodb/size.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { locate, type PlannedWrite } from '../items/action.js'
import { takeWholeItem } from '../items/put.js'
import { checkIndexKeys, checkKey } from '../keys/check.js'
import { encodeKey } from '../keys/schema.js'
import { findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import { attribute } from '../values/compare.js'
import { takeKey } from '../values/intake.js'
import type { Stored } from '../values/stored.js'
import { refuseDuplicateKeys } from './batch-get-item.validation.js'

interface TableWrites {
  readonly name: string
  readonly writes: readonly ({ put: Stored } | { remove: Key })[]
}

export function readBatchWriteItem({ RequestItems }: BatchWriteItemRequest): TableWrites[] {
  let bytes = 0
  const tables = Object.keys(RequestItems).map(name => ({
    name,
    writes: RequestItems[name]!.map(request => {
      const write = readWrite(request)
      bytes += 'put' in write ? write.put.sizeBytes : itemBytes(write.remove)
      return write
    }),
  }))
  if (bytes > BATCH_WRITE_BYTES)
    throw validation('Item collection too large: aggregate size of items in BatchWriteItem exceeds 16MB limit')
  return tables
}

function readWrite({ PutRequest, DeleteRequest }: WriteRequest): { put: Stored } | { remove: Key } {
  // The service says it in these words, which speak of something else.
  if (!PutRequest === !DeleteRequest)
    throw validation(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    )
  return PutRequest ? { put: takeWholeItem(PutRequest.Item!) } : { remove: takeKey(DeleteRequest!.Key!) }
}

/** Every write is checked before the first is made: a bad one refuses the whole request. */
export function planBatchWrite(engine: Engine, tables: readonly TableWrites[]): PlannedWrite[] {
  return tables.flatMap(({ name, writes }) => {
    const table = findTable(engine, name)
    const planned = writes.map(write =>
      'put' in write ? planPut(table, write.put) : { ...locate(engine, name, write.remove), after: undefined },
    )
    refuseDuplicateKeys(planned.map(write => write.key))
    return planned
  })
}

/** As a single put, but for the words in which a wrong key is refused. */
function planPut(table: Table, stored: Stored): PlannedWrite {
  const key: Key = {}
  for (const { name } of [...table.keys.partition, ...table.keys.sort]) {
    const value = attribute(stored.item, name)
    if (value !== undefined) key[name] = value
  }
  checkKey(table.keys, key)
  checkIndexKeys(table, stored.item)
  const encoded = encodeKey(table.keys, key)
  return { table, key: encoded, before: table.space.get(encoded), after: stored }
}
