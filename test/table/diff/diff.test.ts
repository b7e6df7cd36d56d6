import { describe, expect, test } from 'vitest'
import { diff, formatDifference } from '../../../src/table/diff/difference.js'
import { designed, EVERYTHING, EXPORTED, global, local } from '../designs.js'
import { described } from './live-table.js'
import { codes, steps } from './steps.js'

const PROVISIONED = { read: 5, write: 5 }
const UNITS = { ReadCapacityUnits: 5, WriteCapacityUnits: 5 }

describe('a table that was created from its design', () => {
  test.each(EXPORTED)('a table created from its design does not differ from it, for $message', async ({ design }) => {
    const ttl = design.expires === undefined ? undefined : ({ TimeToLiveStatus: 'ENABLED' } as const)
    const difference = diff(design, await described(design), { ttl: ttl && { ...ttl, AttributeName: design.expires } })
    expect(difference).toEqual({ table: 'cinema', busy: [], steps: [], impossible: [] })
    expect(formatDifference(difference)).toBe('cinema: matches the schema, nothing to change.\n')
  })
})

describe('impossible changes', () => {
  test.each([
    ['key.schema', designed({ keys: { partition: 'pk', sort: 'SK' } }), designed()],
    ['key.type', designed({ indexes: [], attributes: { PK: 'S', SK: 'N' } }), designed({ indexes: [] })],
    ['local.missing', designed({ indexes: [] }), designed({ indexes: [local('LSI1')] })],
    [
      'local.changed',
      designed({ indexes: [local('LSI1')] }),
      designed({ indexes: [local('LSI1', { sort: ['born'] })] }),
    ],
    [
      'local.changed',
      designed({ indexes: [local('LSI1')] }),
      designed({ indexes: [local('LSI1', { project: 'all' })] }),
    ],
  ])('the impossible change %s has advice', async (code, from, to) => {
    const { impossible, steps: all } = diff(to, await described(from))
    expect(impossible).toMatchObject([{ code, optional: false }])
    expect(impossible[0]?.message).toContain('create another table and copy the items')
    expect(all).toEqual([])
  })

  test('an extra local index is local.left, and the layout works with it', async () => {
    const { impossible } = diff(designed({ indexes: [] }), await described(designed({ indexes: [local('LSI1')] })))
    expect(impossible).toMatchObject([{ code: 'local.left', optional: true }])
  })

  test('an extra local index with the name of a global index of the design is not optional', async () => {
    const live = await described(designed({ indexes: [local('byYear')] }))
    const { impossible } = diff(designed({ indexes: [global('byYear')] }), live)
    const message = expect.stringContaining('no global index can be created under its name')
    expect(impossible).toMatchObject([{ code: 'local.left', optional: false, message }])
  })

  test('an extra local index that fixes another type of a key attribute is not optional', async () => {
    const wanted = designed({ indexes: [global('GSI1', { sort: ['LSI1SK'] })] })
    const { AttributeDefinitions: all = [], ...live } = await described(designed({ indexes: [local('LSI1')] }))
    const others = all.filter(({ AttributeName }) => AttributeName !== 'LSI1SK')
    const left = (AttributeType: 'S' | 'N') =>
      diff(wanted, { ...live, AttributeDefinitions: [...others, { AttributeName: 'LSI1SK', AttributeType }] })
        .impossible
    expect(left('S')).toMatchObject([{ code: 'local.left', optional: true }])
    const message = expect.stringContaining('holds the key attribute LSI1SK')
    expect(left('N')).toMatchObject([{ code: 'local.left', optional: false, message }])
  })
})

describe('billing and capacity', () => {
  const onDemand = designed()
  const provisioned = designed({ capacity: PROVISIONED })

  test('a change to on-demand precedes the building of an index, which has no capacity', async () => {
    const all = await steps(provisioned, designed({ indexes: [global('GSI1'), global('GSI2')] }))
    expect(all.map(step => step.code)).toEqual(['billing.on-demand', 'index.create'])
    expect(all[0]?.input).toEqual({ TableName: 'cinema', BillingMode: 'PAY_PER_REQUEST' })
    expect(JSON.stringify(all[1]?.input)).not.toContain('ProvisionedThroughput')
  })

  test('a change to provisioned capacity follows the building of indexes and covers all of them', async () => {
    const from = designed({ indexes: [global('GSI1'), global('old')] })
    const all = await steps(from, designed({ indexes: [global('GSI1'), global('GSI2')], capacity: PROVISIONED }))
    expect(all.map(step => step.code)).toEqual(['index.create', 'billing.provisioned', 'index.delete'])
    expect(JSON.stringify(all[0]?.input)).not.toContain('ProvisionedThroughput')
    expect(all[1]?.input).toEqual({
      TableName: 'cinema',
      BillingMode: 'PROVISIONED',
      ProvisionedThroughput: UNITS,
      GlobalSecondaryIndexUpdates: ['GSI1', 'GSI2', 'old'].map(IndexName => ({
        Update: { IndexName, ProvisionedThroughput: UNITS },
      })),
    })
  })

  test('changed capacities are set in one request', async () => {
    const to = designed({ capacity: PROVISIONED, indexes: [global('GSI1', { capacity: { read: 7, write: 5 } })] })
    const [step, ...more] = await steps(provisioned, to)
    expect(more).toEqual([])
    expect(step).toMatchObject({ code: 'capacity', message: 'Change the capacity of GSI1 to 7 RCU and 5 WCU.' })
    expect(step?.input).toEqual({
      TableName: 'cinema',
      GlobalSecondaryIndexUpdates: [
        { Update: { IndexName: 'GSI1', ProvisionedThroughput: { ReadCapacityUnits: 7, WriteCapacityUnits: 5 } } },
      ],
    })
    const [table] = await steps(
      provisioned,
      designed({ capacity: { read: 5, write: 6 }, indexes: [global('GSI1', { capacity: PROVISIONED })] }),
    )
    expect(table?.input).toEqual({
      TableName: 'cinema',
      ProvisionedThroughput: { ReadCapacityUnits: 5, WriteCapacityUnits: 6 },
    })
  })

  test('capacities that autoscaling manages do not change', async () => {
    const live = await described(designed({ capacity: { read: 50, write: 50 } }))
    expect(diff(provisioned, live, { autoscaled: true }).steps).toEqual([])
    expect(diff(provisioned, live).steps).toHaveLength(1)
  })

  test('a table without a billing mode in its description is provisioned', async () => {
    const live = await described(provisioned, { BillingModeSummary: undefined })
    expect(diff(provisioned, live).steps).toEqual([])
    expect(diff(onDemand, live).steps).toMatchObject([{ code: 'billing.on-demand' }])
  })
})

describe('the stream', () => {
  test('a missing stream is enabled', async () => {
    const [step, ...more] = await steps(designed(), designed({ stream: 'both' }))
    expect(more).toEqual([])
    expect(step).toMatchObject({ code: 'stream.enable', message: 'Begin a stream of items before and after.' })
    expect(step?.input).toEqual({
      TableName: 'cinema',
      StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' },
    })
  })

  test('a stream with too few images is disabled and enabled again', async () => {
    const all = await steps(designed({ stream: 'new' }), designed({ stream: 'old' }))
    expect(all.map(step => [step.code, step.optional])).toEqual([
      ['stream.disable', false],
      ['stream.enable', false],
    ])
    expect(all[0]?.input).toEqual({ TableName: 'cinema', StreamSpecification: { StreamEnabled: false } })
  })

  test.each([
    ['both', 'keys'],
    ['both', 'new'],
    ['old', 'keys'],
  ] as const)('a stream of %s stays if %s is needed', async (from, to) => {
    expect(await codes(designed({ stream: from }), designed({ stream: to }))).toEqual([])
  })

  test('an extra stream is disabled as an optional step', async () => {
    expect(await steps(designed({ stream: 'keys' }), designed())).toMatchObject([
      { code: 'stream.disable', optional: true },
    ])
  })

  test('the stream of a global table stays, unless its replicas are strongly consistent', async () => {
    const Replicas = [{ RegionName: 'eu-west-1' }]
    const stepsOf = async (MultiRegionConsistency: 'EVENTUAL' | 'STRONG') =>
      diff(designed(), await described(designed({ stream: 'both' }), { Replicas, MultiRegionConsistency })).steps
    expect(await stepsOf('EVENTUAL')).toEqual([])
    expect(await stepsOf('STRONG')).toMatchObject([{ code: 'stream.disable', optional: true }])
  })
})

describe('the TTL', () => {
  const expiring = designed({ expires: 'expiresAt' })
  const on = (AttributeName: string) => ({ ttl: { TimeToLiveStatus: 'ENABLED', AttributeName } }) as const

  test('a missing TTL is enabled', async () => {
    const [step, ...more] = diff(expiring, await described(expiring)).steps
    expect(more).toEqual([])
    expect(step).toMatchObject({ code: 'ttl.enable', operation: 'UpdateTimeToLive' })
    expect(step?.input).toEqual({
      TableName: 'cinema',
      TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' },
    })
  })

  test('a TTL with another attribute is disabled and enabled again', async () => {
    const all = diff(expiring, await described(expiring), on('until')).steps
    expect(all.map(step => [step.code, step.input])).toMatchObject([
      ['ttl.disable', { TimeToLiveSpecification: { Enabled: false, AttributeName: 'until' } }],
      ['ttl.enable', { TimeToLiveSpecification: { Enabled: true, AttributeName: 'expiresAt' } }],
    ])
  })

  test('an extra TTL is disabled, because it deletes items', async () => {
    const all = diff(designed(), await described(designed()), on('until')).steps
    expect(all).toMatchObject([{ code: 'ttl.disable', optional: false }])
  })

  test.each([
    ['ENABLING', []],
    ['DISABLING', ['ttl.enable']],
    ['DISABLED', ['ttl.enable']],
  ] as const)('a TTL that is %s needs the steps %j', async (TimeToLiveStatus, expected) => {
    const ttl = { TimeToLiveStatus, AttributeName: 'expiresAt' }
    expect(diff(expiring, await described(expiring), { ttl }).steps.map(step => step.code)).toEqual(expected)
  })
})

describe('the text of a difference', () => {
  test('a difference is formatted as text', async () => {
    const from = designed({ indexes: [global('GSI1', { sort: ['born'] }), global('old')], stream: 'keys' })
    const live = await described(from, {
      TableStatus: 'UPDATING',
      ItemCount: 120_000,
      TableSizeBytes: 120_000 * 310,
    })
    const to = designed({ indexes: [global('GSI1'), local('LSI1')], stream: 'both', expires: 'expiresAt' })
    expect(formatDifference(diff(to, live))).toMatchInlineSnapshot(`
      "cinema: 5 steps needed, 1 optional, 1 not possible

      Wait first:
      - The table is UPDATING.

      Cannot be changed on a live table:
      - The local index LSI1 is missing. A local index comes and goes with its table only: serve this by a global index, or create another table and copy the items.

      1. Delete the index GSI1, whose key or projection is not as designed, to create it again.
         Until it is built again, no index serves the roles of an actor. To avoid that, give the new index another name.
         Before the next step, wait until GSI1 is gone.

      2. Create the index GSI1 on GSI1PK by GSI1SK, with all attributes.
         The service reads 120,000 items of 310 B on average, at no charge, and writes those with the keys of the index: if all have them and are of that size, 120,000 write units, $0.07 (us-east-1, late 2025), under a minute at the 4,000 a second that a new index takes.
         Before the next step, wait until GSI1 is ACTIVE.

      3. End the stream, which does not show enough.
         What it holds can be read for 24 hours more: let the consumer finish. Changes made while there is no stream are in none.
         Before the next step, wait until the table is ACTIVE.

      4. Begin a stream of items before and after.
         It has an ARN of its own and shows changes from now on only: point the consumer at it, then verify what was written before. Reading it by Lambda is free.
         Before the next step, wait until the table is ACTIVE.

      5. (optional) Delete the index old, which the design does not have.
         Saves its writes and its storage. Make sure first that nothing else reads it: building it again takes a backfill.
         Before the next step, wait until old is gone.

      6. Let items expire at the time in expiresAt.
         Takes up to an hour, within which it cannot be changed again. Expiry itself costs nothing.
      "
    `)
  })

  test('the text of a difference reports a busy table that matches', async () => {
    const live = await described(designed(), {
      GlobalSecondaryIndexes: [
        { ...(await described(designed())).GlobalSecondaryIndexes?.[0], IndexStatus: 'CREATING' },
      ],
    })
    expect(formatDifference(diff(designed(), live))).toBe(
      'cinema: matches the schema, but is busy\n\nWait first:\n- The index GSI1 is CREATING.\n',
    )
  })

  test('the text of a difference has every step of a table that lacks everything', async () => {
    const live = await described(designed({ indexes: [local('LSI1')], attributes: { PK: 'S', SK: 'S', LSI1SK: 'B' } }))
    const text = formatDifference(diff(EVERYTHING, live))
    expect(text.split('\n')[0]).toBe('cinema: 6 steps needed')
    expect(text.match(/^\d\. .*/gm)).toEqual([
      '1. Create the index GSI1 on GSI1PK by GSI1SK, with all attributes.',
      '2. Create the index GSI_2 on country and state by city, then zip, with keys and name, born.',
      '3. Create the index inverted on SK by PK, with keys only.',
      '4. Bill by capacity: 5 RCU and 5 WCU for the table.',
      '5. Begin a stream of items before and after.',
      '6. Let items expire at the time in expiresAt.',
    ])
  })
})
