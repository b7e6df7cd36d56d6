import type { Key } from '../../dynamodb/attribute-value.js'
import type { ReadConsistency } from '../../dynamodb/capacity.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import type { BatchGetItemRequest, KeysAndAttributes } from '../../dynamodb/operations/batches.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import type { Projection } from '../expressions/projection.js'
import { refuseMixed } from '../items/request.js'
import { readAttributesToGet } from '../legacy/attributes-to-get.js'
import { readCurrent } from '../request/read.js'
import { findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import { takeKey } from '../values/intake.js'
import type { Layer } from '../values/layer.js'

export interface ReadBatchGet {
  readonly name: string
  readonly table: Table
  readonly keys: Key[]
  readonly projection: Projection | undefined
  readonly consistency: ReadConsistency
}

const LEGACY = ['AttributesToGet'] as const

export function readBatchGetItem(engine: Engine, request: BatchGetItemRequest): ReadBatchGet[] {
  const { RequestItems } = request
  refuseTooManyKeys(RequestItems)
  const reads = readCurrent('BatchGetItem', request, layer => {
    // The request as a whole is by expressions or without, whatever the tables.
    refuseMixed<KeysAndAttributes>(Object.assign({}, ...Object.values(RequestItems)), LEGACY)
    return Object.keys(RequestItems).map(name => ({ name, ...readKeys(engine, RequestItems[name]!, layer) }))
  })
  return reads.map(read => {
    if (!engine.tables.has(read.name)) refuseDuplicateKeys(read.keys.map(comparable))
    return { ...read, table: findTable(engine, read.name) }
  })
}

function readKeys(engine: Engine, read: KeysAndAttributes, layer: Layer) {
  const projection = engine.expressions.readProjection(read, layer) ?? readAttributesToGet(read.AttributesToGet)
  const keys = read.Keys!.map(key => takeKey(key, layer))
  const consistency: ReadConsistency = read.ConsistentRead ? 'strong' : 'eventual'
  return { keys, projection, consistency }
}

function refuseTooManyKeys(RequestItems: BatchGetItemRequest['RequestItems']): void {
  let total = 0
  for (const name in RequestItems) total += RequestItems[name]!.Keys!.length
  if (total > BATCH_GET_KEYS) throw validation('Too many items requested for the BatchGetItem call')
}

/** Keys as texts in which equal ones are equal. */
export function refuseDuplicateKeys(keys: string[]): void {
  if (new Set(keys).size < keys.length) throw validation('Provided list of item keys contains duplicates')
}

function comparable(key: Key): string {
  return JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)))
}
