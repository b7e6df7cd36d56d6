import type { Key } from '../../../dynamodb/attribute-value.js'
import type { ReadConsistency } from '../../../dynamodb/capacity.js'
import { BATCH_GET_KEYS } from '../../../dynamodb/limits.js'
import type { BatchGetItemInput, KeysAndAttributes } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import type { ProjectionExpression } from '../../expressions/projection.js'
import { checkLegacyParameters } from '../../items/request-parameters.js'
import { readAttributesToGet } from '../../legacy/attributes-to-get.js'
import { readWithCurrentValidator } from '../../request/validator-migration.js'
import { findTable } from '../../tables/find-table.js'
import type { Table } from '../../tables/table.js'
import { parseInputKey } from '../../values/parse-item.js'
import type { ValidatorLayer } from '../../values/validator-layer.js'

export interface BatchGetRead {
  readonly name: string
  readonly table: Table
  readonly keys: Key[]
  readonly projection: ProjectionExpression | undefined
  readonly consistency: ReadConsistency
}

const LEGACY = ['AttributesToGet'] as const

export function readBatchGetItem(engine: Engine, request: BatchGetItemInput): BatchGetRead[] {
  const { RequestItems } = request
  checkKeyCount(RequestItems)
  const reads = readWithCurrentValidator('BatchGetItem', request, layer => {
    // Legacy parameters and expressions cannot be mixed in one request, even for different tables.
    checkLegacyParameters<KeysAndAttributes>(Object.assign({}, ...Object.values(RequestItems)), LEGACY)
    return Object.keys(RequestItems).map(name => ({ name, ...readKeys(engine, RequestItems[name]!, layer) }))
  })
  return reads.map(read => {
    if (!engine.tables.has(read.name)) checkNoDuplicateKeys(read.keys.map(comparableTextOf))
    return { ...read, table: findTable(engine, read.name) }
  })
}

function readKeys(engine: Engine, read: KeysAndAttributes, layer: ValidatorLayer) {
  const projection = engine.expressions.readProjection(read, layer) ?? readAttributesToGet(read.AttributesToGet)
  const keys = read.Keys!.map(key => parseInputKey(key, layer))
  const consistency: ReadConsistency = read.ConsistentRead ? 'strong' : 'eventual'
  return { keys, projection, consistency }
}

function checkKeyCount(RequestItems: BatchGetItemInput['RequestItems']): void {
  let total = 0
  for (const name in RequestItems) total += RequestItems[name]!.Keys!.length
  if (total > BATCH_GET_KEYS) throw validationError('Too many items requested for the BatchGetItem call')
}

/** Throws if two keys are equal. The keys are passed as texts that are equal for equal keys. */
export function checkNoDuplicateKeys(keys: string[]): void {
  if (new Set(keys).size < keys.length) throw validationError('Provided list of item keys contains duplicates')
}

function comparableTextOf(key: Key): string {
  return JSON.stringify(Object.entries(key).sort(([a], [b]) => (a < b ? -1 : 1)))
}
