import type { Key } from '../../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../../dynamodb/limits.js'
import type { BatchWriteItemRequest, WriteRequest } from '../../dynamodb/operations/batches.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { locateKey, type PlannedWrite } from '../items/action.js'
import { takeWholeItem } from '../items/put.js'
import { checkKey } from '../keys/check.js'
import { checkIndexKeys } from '../keys/check-indexes.js'
import { encodeKey, keyWithin } from '../keys/schema.js'
import { findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import { takeKey } from '../values/intake.js'
import type { Stored } from '../values/stored.js'
import { refuseDuplicateKeys } from './batch-get-item.validation.js'

interface TableWrites {
  readonly name: string
  readonly writes: readonly ({ put: Stored } | { remove: Key })[]
}

export function readBatchWriteItem({ RequestItems }: BatchWriteItemRequest): TableWrites[] {
  const names = Object.keys(RequestItems)
  // Items of the largest size in this number have less than the 16 MB that a batch may have.
  if (names.reduce((sum, name) => sum + RequestItems[name]!.length, 0) > BATCH_WRITE_ITEMS)
    throw validation('Too many items requested for the BatchWriteItem call')
  return names.map(name => ({ name, writes: RequestItems[name]!.map(readWrite) }))
}

function readWrite({ PutRequest, DeleteRequest }: WriteRequest): { put: Stored } | { remove: Key } {
  // The service says it in these words, which speak of something else.
  if (!PutRequest === !DeleteRequest)
    throw validation(
      'Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes',
    )
  return PutRequest
    ? { put: takeWholeItem(PutRequest.Item!, 'older') }
    : { remove: takeKey(DeleteRequest!.Key!, 'older') }
}

/** Every write is checked before the first is made: a bad one refuses the whole request. */
export function planBatchWrite(engine: Engine, tables: readonly TableWrites[]): PlannedWrite[] {
  const planned = tables.flatMap(({ name, writes }) => {
    const table = findTable(engine, name)
    return writes.map(write =>
      'put' in write ? planPut(table, write.put) : { ...locateKey(engine, name, write.remove), after: undefined },
    )
  })
  // A table may stand there twice, by its name and by its ARN.
  refuseDuplicateKeys(planned.map(({ table, key }) => `${table.name}/${key}`))
  return planned
}

/** As a single put, but for the words in which a wrong key is refused. */
function planPut(table: Table, stored: Stored): PlannedWrite {
  const key = keyWithin(table.keys, stored.item)
  checkKey(table.keys, key)
  checkIndexKeys(table, stored.item)
  const encoded = encodeKey(table.keys, key)
  return { table, key: encoded, before: table.space.get(encoded), after: stored }
}
