import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
} from '../../src/dynamodb/operations/indexes.js'
import type { CreateTableInput } from '../../src/dynamodb/operations/tables.js'
import { type Engine, type EngineOptions, newEngine } from '../../src/engine/engine.js'
import { newMemoryKeyValues } from '../../src/engine/keyvalues/memory-key-values.js'

export const NOW_MS = Date.UTC(2026, 10, 15, 12, 30, 45, 678)
export const TABLE_ARN = 'arn:aws:dynamodb:eu-west-1:123456789012:table/Orders'
export const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

export function emptyEngine(options: EngineOptions = {}): Engine {
  return newEngine(newMemoryKeyValues(), {
    cachedExpressions: 10,
    now: () => NOW_MS,
    region: 'eu-west-1',
    accountId: '123456789012',
    ...options,
  })
}

/** Definitions of text attributes. */
export function defined(...names: string[]): AttributeDefinition[] {
  return names.map(AttributeName => ({ AttributeName, AttributeType: 'S' }))
}

/** A key of a HASH, and perhaps a RANGE. */
export function key(hash: string, range?: string): KeySchemaElement[] {
  return range === undefined ? keyOf([hash]) : keyOf([hash], [range])
}

/** A key of several parts. */
export function keyOf(hashes: string[], ranges: string[] = []): KeySchemaElement[] {
  return [
    ...hashes.map(AttributeName => ({ AttributeName, KeyType: 'HASH' as const })),
    ...ranges.map(AttributeName => ({ AttributeName, KeyType: 'RANGE' as const })),
  ]
}

export function index(name: string, schema: KeySchemaElement[], more: Partial<GlobalSecondaryIndex> = {}) {
  return { IndexName: name, KeySchema: schema, Projection: { ProjectionType: 'ALL' as const }, ...more }
}

/** An on-demand table with a partition key `pk`, unless told otherwise. */
export function request(more: Partial<CreateTableInput> = {}): CreateTableInput {
  return {
    TableName: 'Orders',
    AttributeDefinitions: defined('pk'),
    KeySchema: key('pk'),
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  }
}
