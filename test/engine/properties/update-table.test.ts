import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AttributeDefinition, TableDescription, UpdateTableInput } from '../../../src/dynamodb/operation-types.js'
import { ServiceError } from '../../../src/engine/errors.js'
import { memory } from '../../../src/engine/index.js'
import type { Service, Streams } from '../../../src/store/port.js'
import { defined, index, key, request } from '../tables.js'

const TableName = 'Orders'
const NAMES = ['first', 'second', 'third']
const ATTRIBUTES = ['pk', 'g', 'h']

const units = fc.record({
  ReadCapacityUnits: fc.integer({ min: 1, max: 3 }),
  WriteCapacityUnits: fc.integer({ min: 1, max: 3 }),
})
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 3 })
const IndexName = fc.constantFrom(...NAMES)
const bounds = fc.record({ MaxReadRequestUnits: maybe(fc.constantFrom(-2, -1, 0, 1, 5)) })
const warm = fc.record({ ReadUnitsPerSecond: maybe(fc.constantFrom(1, 12_000, 13_000)) })

const created = fc
  .record({ IndexName, attribute: fc.constantFrom(...ATTRIBUTES), ProvisionedThroughput: maybe(units) })
  .map(({ IndexName: name, attribute, ...more }) => index(name, key(attribute), more as object))

const indexUpdate = fc.oneof(
  fc.record({ Create: created }),
  fc.record({ Delete: fc.record({ IndexName }) }),
  fc.record({
    Update: fc.record({
      IndexName,
      ProvisionedThroughput: maybe(units),
      OnDemandThroughput: maybe(bounds),
      WarmThroughput: maybe(warm),
    }),
  }),
)

const definitions = fc
  .subarray(ATTRIBUTES)
  .map((names): AttributeDefinition[] => names.map(AttributeName => ({ AttributeName, AttributeType: 'S' })))

/** Mostly with one change, because several are mostly rejected. */
const update: fc.Arbitrary<Omit<UpdateTableInput, 'TableName'>> = fc.oneof(
  fc.record({
    ProvisionedThroughput: units,
    GlobalSecondaryIndexUpdates: maybe(fc.array(indexUpdate, { maxLength: 2 })),
  }),
  fc.record({ BillingMode: fc.constant('PAY_PER_REQUEST' as const), OnDemandThroughput: maybe(bounds) }),
  fc.record({
    BillingMode: fc.constant('PROVISIONED' as const),
    ProvisionedThroughput: maybe(units),
    GlobalSecondaryIndexUpdates: maybe(fc.array(indexUpdate, { minLength: 1, maxLength: 3 })),
  }),
  fc.record({
    AttributeDefinitions: definitions,
    GlobalSecondaryIndexUpdates: fc.array(indexUpdate, { maxLength: 2 }),
  }),
  fc.record({
    StreamSpecification: fc.record({
      StreamEnabled: fc.boolean(),
      StreamViewType: maybe(fc.constant('KEYS_ONLY' as const)),
    }),
    WarmThroughput: fc.option(warm, { nil: undefined, freq: 10 }),
  }),
  fc.record({ WarmThroughput: warm }),
  fc.record({ SSESpecification: fc.record({ Enabled: fc.boolean() }) }),
  fc.record({ DeletionProtectionEnabled: fc.boolean(), TableClass: maybe(fc.constant('STANDARD' as const)) }),
)

async function described(store: Service & Streams): Promise<TableDescription> {
  return (await store.describeTable({ TableName })).Table!
}

/** Checks the invariants of an active table. */
async function checkTable(store: Service & Streams): Promise<void> {
  const table = await described(store)
  const indexes = table.GlobalSecondaryIndexes ?? []
  const used = new Set([table, ...indexes].flatMap(({ KeySchema }) => KeySchema!.map(part => part.AttributeName!)))
  expect(table.AttributeDefinitions).toEqual(defined(...[...used].toSorted()))
  const provisioned = (table.BillingModeSummary?.BillingMode ?? 'PROVISIONED') === 'PROVISIONED'
  for (const { ProvisionedThroughput, OnDemandThroughput, WarmThroughput } of [table, ...indexes]) {
    expect(ProvisionedThroughput!.ReadCapacityUnits! > 0).toBe(provisioned)
    expect(WarmThroughput!.ReadUnitsPerSecond!).toBeGreaterThanOrEqual(ProvisionedThroughput!.ReadCapacityUnits!)
    if (provisioned) expect(OnDemandThroughput).toBeUndefined()
  }
  for (const { IndexName: name, ItemCount, IndexStatus } of indexes) {
    expect([(await store.scan({ TableName, IndexName: name })).Count, IndexStatus]).toEqual([ItemCount, 'ACTIVE'])
  }
  if (table.LatestStreamArn === undefined) return
  const { StreamDescription } = await store.describeStream({ StreamArn: table.LatestStreamArn })
  expect(StreamDescription!.StreamStatus === 'ENABLED').toBe(table.StreamSpecification !== undefined)
}

it('a table is consistent after every update, and unchanged after a rejected one', { timeout: 30_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(update, { maxLength: 10 }), async updates => {
      const store = memory({ now: () => Date.UTC(2026, 0, 1) })
      await store.createTable(request())
      for (const [i, change] of updates.entries()) {
        await store.putItem({ TableName, Item: { pk: { S: `${i}` }, g: { S: 'g' }, ...(i % 2 && { h: { S: 'h' } }) } })
        const before = await described(store)
        const error = await store.updateTable({ TableName, ...change }).then(
          () => undefined,
          (reason: unknown) => reason,
        )
        if (error !== undefined) {
          expect(error).toBeInstanceOf(ServiceError)
          expect(await described(store)).toEqual(before)
        }
        await checkTable(store)
      }
    }),
    { numRuns: 150 },
  )
})
