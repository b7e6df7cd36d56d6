import type {
  AttributeDefinition,
  CreateTableInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
} from '../../src/dynamodb/operation-types.js'
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

/** Returns definitions of string attributes. */
export function defined(...names: string[]): AttributeDefinition[] {
  return names.map(AttributeName => ({ AttributeName, AttributeType: 'S' }))
}

/** Returns a key schema with HASH and optionally RANGE. */
export function key(hash: string, range?: string): KeySchemaElement[] {
  return range === undefined ? keyOf([hash]) : keyOf([hash], [range])
}

/** Returns a key schema with several attributes. */
export function keyOf(hashes: string[], ranges: string[] = []): KeySchemaElement[] {
  return [
    ...hashes.map(AttributeName => ({ AttributeName, KeyType: 'HASH' as const })),
    ...ranges.map(AttributeName => ({ AttributeName, KeyType: 'RANGE' as const })),
  ]
}

export function index(name: string, schema: KeySchemaElement[], more: Partial<GlobalSecondaryIndex> = {}) {
  return { IndexName: name, KeySchema: schema, Projection: { ProjectionType: 'ALL' as const }, ...more }
}

/** Returns a request for an on-demand table with the partition key `pk`. */
export function request(more: Partial<CreateTableInput> = {}): CreateTableInput {
  return {
    TableName: 'Orders',
    AttributeDefinitions: defined('pk'),
    KeySchema: key('pk'),
    BillingMode: 'PAY_PER_REQUEST',
    ...more,
  }
}
