import { describe, expect, test } from 'vitest'
import { diff } from '../../../src/table/diff/difference.js'
import { designed, global } from '../designs.js'
import { described } from './live-table.js'
import { codes, steps } from './steps.js'

const PROVISIONED = { read: 5, write: 5 }
const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }

describe('a global index that is missing', () => {
  const wanted = designed({ indexes: [global('GSI1'), global('GSI2', { project: ['born'] })] })

  test('a missing index is created with only the types of its keys', async () => {
    const [step, ...more] = await steps(designed(), wanted)
    expect(more).toEqual([])
    expect(step).toMatchObject({ code: 'index.create', operation: 'UpdateTable', optional: false })
    expect(step?.input).toEqual({
      TableName: 'cinema',
      AttributeDefinitions: [
        { AttributeName: 'GSI2PK', AttributeType: 'S' },
        { AttributeName: 'GSI2SK', AttributeType: 'S' },
      ],
      GlobalSecondaryIndexUpdates: [
        {
          Create: {
            IndexName: 'GSI2',
            KeySchema: [
              { AttributeName: 'GSI2PK', KeyType: 'HASH' },
              { AttributeName: 'GSI2SK', KeyType: 'RANGE' },
            ],
            Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['born'] },
          },
        },
      ],
    })
  })

  test('a missing index of an on-demand table costs a write per item in dollars', async () => {
    const live = await described(designed(), { ItemCount: 2_000_000, TableSizeBytes: 2_000_000 * 1500 })
    expect(diff(wanted, live).steps[0]?.cost).toBe(
      'The service reads 2,000,000 items of 1,500 B on average, at no charge, and writes those with the keys of the index: if all have them and are of that size, 4,000,000 write units, $2.50 (us-east-1, late 2025), 17 minutes at the 4,000 a second that a new index takes.',
    )
  })

  test('a missing index of a Standard-IA table has no price in dollars', async () => {
    const TableClassSummary = { TableClass: 'STANDARD_INFREQUENT_ACCESS' } as const
    const live = await described(designed(), { ItemCount: 1000, TableSizeBytes: 1000, TableClassSummary })
    const cost = diff(wanted, live).steps[0]?.cost
    expect(cost).toContain('1,000 write units, at the price of Standard-IA, under a minute')
    expect(cost).not.toContain('$')
  })

  test('a missing index of a provisioned table is created with its WCU, which determine the duration', async () => {
    const live = await described(designed({ capacity: PROVISIONED }), {
      ItemCount: 36_000,
      TableSizeBytes: 36_000 * 100,
    })
    const [step] = diff({ ...wanted, capacity: PROVISIONED }, live).steps
    expect(step?.cost).toContain('36,000 write units, 2 hours at 5 WCU')
    expect(step?.input).toMatchObject({ GlobalSecondaryIndexUpdates: [{ Create: { ProvisionedThroughput: UNITS } }] })
  })

  test('a missing index has no price while the table is not counted', async () => {
    expect((await steps(designed(), wanted))[0]?.cost).toContain('not yet counted')
  })

  test('several missing indexes are created by one request each', async () => {
    const three = designed({ indexes: [global('GSI1'), global('GSI2'), global('GSI3'), global('GSI4')] })
    const all = await steps(designed(), three)
    expect(all.map(step => step.wait)).toEqual(['GSI2 is ACTIVE', 'GSI3 is ACTIVE', 'GSI4 is ACTIVE'])
    for (const { input } of all) expect(input).toMatchObject({ GlobalSecondaryIndexUpdates: [expect.anything()] })
  })
})

describe('a global index that the design does not have', () => {
  test('an extra index is deleted last, as an optional step', async () => {
    const all = await steps(designed({ indexes: [global('old')] }), designed())
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.create', false],
      ['index.delete', true],
    ])
    expect(all[1]?.input).toEqual({
      TableName: 'cinema',
      GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'old' } }],
    })
  })

  test('an extra index is deleted first if there would be over 20 with the new one', async () => {
    const twenty = Array.from({ length: 20 }, (_, at) => global(`GSI${at}`))
    const all = await steps(designed({ indexes: twenty }), designed({ indexes: [...twenty.slice(1), global('new')] }))
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', false],
      ['index.create', false],
    ])
  })

  test('an extra index may stay if there is room for the new ones', async () => {
    const twenty = Array.from({ length: 20 }, (_, at) => global(`GSI${at}`))
    const all = await steps(designed({ indexes: twenty }), designed({ indexes: [...twenty.slice(3), global('new')] }))
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', false],
      ['index.create', false],
      ['index.delete', true],
      ['index.delete', true],
    ])
  })

  test('an extra index may stay if another required deletion makes room', async () => {
    const twenty = Array.from({ length: 20 }, (_, at) => global(`GSI${at}`))
    const live = designed({ indexes: twenty })
    const wanted = designed({ indexes: [...twenty.slice(2), global('new', { partition: ['GSI0PK'], sort: [] })] })
    const all = await steps(live, { ...wanted, attributes: { ...wanted.attributes, GSI0PK: 'N' } })
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', false],
      ['index.create', false],
      ['index.delete', true],
    ])
  })

  test('an extra index may stay if the quota was raised and no index is created', async () => {
    const indexes = Array.from({ length: 22 }, (_, at) => global(`GSI${at}`))
    const live = await described(designed({ indexes: indexes.slice(0, 20) }))
    const more = (live.GlobalSecondaryIndexes ?? []).slice(0, 2)
    const GlobalSecondaryIndexes = [
      ...(live.GlobalSecondaryIndexes ?? []),
      ...more.map((index, at) => ({ ...index, IndexName: `GSI${20 + at}` })),
    ]
    const { steps: all } = diff(designed({ indexes: indexes.slice(0, 20) }), { ...live, GlobalSecondaryIndexes })
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', true],
      ['index.delete', true],
    ])
  })

  test('an extra index is deleted first if it fixes the type of a key attribute', async () => {
    const old = global('old', { partition: ['GSI1PK'], sort: [] })
    const all = await steps(designed({ indexes: [old], attributes: { PK: 'S', SK: 'S', GSI1PK: 'N' } }), designed())
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', false],
      ['index.create', false],
    ])
  })
})

describe('a global index that differs from the design', () => {
  test.each([
    ['another key', global('GSI1', { sort: ['born'] })],
    ['a projection that lacks something', global('GSI1', { project: ['name'] })],
  ])('an index is deleted and created again for %s, and the cost names the gap', async (_, from) => {
    const all = await steps(
      designed({ indexes: [from] }),
      designed({ indexes: [global('GSI1', { project: ['born'] })] }),
    )
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', false],
      ['index.create', false],
    ])
    expect(all[0]?.cost).toBe(
      'Until it is built again, no index serves the roles of an actor. To avoid that, give the new index another name.',
    )
  })

  test('an index may stay if it only projects more than is read', async () => {
    const all = await steps(designed(), designed({ indexes: [global('GSI1', { project: 'keys' })] }))
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', true],
      ['index.create', true],
    ])
  })

  test('an index gets its capacity whether or not it is created again', async () => {
    const wide = designed({ capacity: PROVISIONED })
    const wanted = designed({
      capacity: PROVISIONED,
      indexes: [global('GSI1', { project: 'keys', capacity: { read: 5, write: 9 } })],
    })
    const [first, ...more] = await steps(wide, wanted)
    const wait = 'the table and its indexes are ACTIVE'
    expect(first).toMatchObject({ code: 'capacity', optional: false, wait })
    const ProvisionedThroughput = { ...UNITS, WriteCapacityUnits: 9 }
    expect(first?.input).toMatchObject({
      GlobalSecondaryIndexUpdates: [{ Update: { IndexName: 'GSI1', ProvisionedThroughput } }],
    })
    expect(more.map(step => [step.code, step.optional])).toEqual([
      ['index.delete', true],
      ['index.create', true],
    ])
  })

  test('a projection always includes the keys of the index and of the table', async () => {
    const read = global('GSI1', { project: ['PK', 'GSI1SK'] })
    expect(
      await codes(designed({ indexes: [global('GSI1', { project: 'keys' })] }), designed({ indexes: [read] })),
    ).toEqual([])
  })

  test('an index is deleted before others are created if the type of a key changed', async () => {
    const indexes = [global('GSI1', { sort: ['born'] }), global('GSI2', { sort: ['born'] })]
    const text = designed({ indexes })
    const all = await steps(text, { ...text, attributes: { ...text.attributes, born: 'N' } })
    expect(all.map(step => step.code)).toEqual(['index.delete', 'index.delete', 'index.create', 'index.create'])
  })
})
