import { describe, expect, it, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { START_MS } from '../streams/read-stream.js'
import { defined, index, key, request } from '../tables.js'

const BUSY_MS = 5000
const ORDERS = { TableName: 'Orders' }
const BY_NAME = { ...ORDERS, IndexName: 'ByName' }
const ENABLE = { ContributorInsightsAction: 'ENABLE' } as const
const DISABLE = { ContributorInsightsAction: 'DISABLE' } as const
const ALL_KEYS = { ContributorInsightsMode: 'ACCESSED_AND_THROTTLED_KEYS' } as const
const THROTTLED = { ContributorInsightsMode: 'THROTTLED_KEYS' } as const
const status = (ContributorInsightsStatus: string) => ({ ContributorInsightsStatus })

/** A table with a sort key, a global index without one, and a local index. */
const TABLE = request({
  AttributeDefinitions: defined('pk', 'sk', 'name'),
  KeySchema: key('pk', 'sk'),
  GlobalSecondaryIndexes: [index('ByName', key('name'))],
  LocalSecondaryIndexes: [index('Local', key('pk', 'name'))],
})

async function storeWithTable({ transitionMs = 0, ...more }: Partial<typeof TABLE> & { transitionMs?: number } = {}) {
  const clock = { ms: START_MS }
  const store = memory({ now: () => clock.ms, transitionMs })
  await store.createTable({ ...TABLE, ...more })
  clock.ms += transitionMs
  return { store, clock }
}

const rules = (resource: string, atMs: number, ...kinds: string[]) =>
  kinds.map(kind => `DynamoDBContributorInsights-${kind}-${resource}-${atMs}`)

// As observed in us-west-2 in October 2026.
describe('contributor insights', () => {
  it('contributor insights of a table and its global indexes are disabled by default', async () => {
    const { store } = await storeWithTable()
    expect(await store.describeContributorInsights(ORDERS)).toEqual({ ...ORDERS, ...status('DISABLED') })
    expect(await store.describeContributorInsights(BY_NAME)).toEqual({ ...BY_NAME, ...status('DISABLED') })
    expect(await store.updateContributorInsights({ ...ORDERS, ...DISABLE })).toEqual({
      ...ORDERS,
      ...status('DISABLED'),
    })
    expect(await store.listContributorInsights({})).toEqual({ ContributorInsightsSummaries: [] })
  })

  it('enabling contributor insights creates rules for accessed and throttled keys', async () => {
    const { store, clock } = await storeWithTable()
    expect(await store.updateContributorInsights({ ...ORDERS, ...ENABLE })).toEqual({
      ...ORDERS,
      ...status('ENABLING'),
      ...ALL_KEYS,
    })
    expect(await store.describeContributorInsights(ORDERS)).toEqual({
      ...ORDERS,
      ...status('ENABLED'),
      ...ALL_KEYS,
      ContributorInsightsRuleList: rules('Orders', clock.ms, 'PKC', 'SKC', 'PKT', 'SKT'),
      LastUpdateDateTime: new Date(clock.ms),
    })
    await store.updateContributorInsights({ ...BY_NAME, ...ENABLE })
    const { ContributorInsightsRuleList } = await store.describeContributorInsights(BY_NAME)
    expect(ContributorInsightsRuleList).toEqual(rules('Orders-ByName', clock.ms, 'PKC', 'PKT'))
  })

  it('enabling or disabling contributor insights again changes nothing', async () => {
    const { store, clock } = await storeWithTable()
    await store.updateContributorInsights({ ...ORDERS, ...ENABLE })
    const before = await store.describeContributorInsights(ORDERS)
    clock.ms += 1000
    for (const mode of [{}, ALL_KEYS])
      expect(await store.updateContributorInsights({ ...ORDERS, ...ENABLE, ...mode })).toMatchObject(status('ENABLED'))
    expect(await store.describeContributorInsights(ORDERS)).toEqual(before)
    // The mode of the request is not the stored one.
    expect(await store.updateContributorInsights({ ...ORDERS, ...DISABLE, ...THROTTLED })).toEqual({
      ...ORDERS,
      ...status('DISABLING'),
      ...ALL_KEYS,
    })
    const disabled = { ...ORDERS, ...status('DISABLED'), ...ALL_KEYS }
    expect(await store.describeContributorInsights(ORDERS)).toEqual({
      ...disabled,
      LastUpdateDateTime: new Date(clock.ms),
    })
    expect(await store.updateContributorInsights({ ...ORDERS, ...DISABLE })).toEqual(disabled)
  })

  it('a change of mode keeps shared rules, and the default mode covers all keys', async () => {
    const { store, clock } = await storeWithTable()
    const update = (more: object) => store.updateContributorInsights({ ...ORDERS, ...ENABLE, ...more })
    await update({})
    const enabledMs = clock.ms
    clock.ms += 1000
    expect(await update(THROTTLED)).toMatchObject({ ...status('ENABLING'), ...THROTTLED })
    expect(await store.describeContributorInsights(ORDERS)).toMatchObject({
      ...THROTTLED,
      ContributorInsightsRuleList: rules('Orders', enabledMs, 'PKT', 'SKT'),
      LastUpdateDateTime: new Date(clock.ms),
    })
    expect(await update({})).toMatchObject({ ...status('ENABLING'), ...ALL_KEYS })
    await store.updateContributorInsights({ ...ORDERS, ...DISABLE })
    await update({})
    const { ContributorInsightsRuleList } = await store.describeContributorInsights(ORDERS)
    expect(ContributorInsightsRuleList).toEqual(rules('Orders', clock.ms, 'PKC', 'SKC', 'PKT', 'SKT'))
  })

  test.each(['Local', 'Nothing'])('%s has no contributor insights', async IndexName => {
    const { store } = await storeWithTable()
    const refused = {
      name: 'ResourceNotFoundException',
      message: `Requested resource not found: Index: ${IndexName} not found for table: Orders`,
    }
    await expect(store.describeContributorInsights({ ...ORDERS, IndexName })).rejects.toMatchObject(refused)
    await expect(store.updateContributorInsights({ ...ORDERS, IndexName, ...ENABLE })).rejects.toMatchObject(refused)
  })

  // As captured in us-west-2 in October 2026.
  test.each(['', 'xy', 'x'.repeat(256)])('contributor insights of an index named %j are rejected', async IndexName => {
    const { store } = await storeWithTable()
    const refused = {
      name: 'ValidationException',
      message: 'IndexName must be at least 3 characters long and at most 255 characters long',
    }
    await expect(store.describeContributorInsights({ ...ORDERS, IndexName })).rejects.toMatchObject(refused)
    await expect(store.updateContributorInsights({ ...ORDERS, IndexName, ...ENABLE })).rejects.toMatchObject(refused)
  })

  it('an unknown mode of contributor insights is rejected', async () => {
    const { store } = await storeWithTable()
    const update = { ...ORDERS, ...ENABLE, ContributorInsightsMode: 'KEYS' as 'THROTTLED_KEYS' }
    await expect(store.updateContributorInsights(update)).rejects.toThrow(
      "1 validation error detected: Value 'KEYS' at 'contributorInsightsMode' failed to satisfy constraint: " +
        'Member must satisfy enum value set: [THROTTLED_KEYS, ACCESSED_AND_THROTTLED_KEYS]',
    )
  })

  it('contributor insights of a missing table are rejected', async () => {
    const { store } = await storeWithTable()
    const TableName = 'Missing'
    const refused = {
      name: 'ResourceNotFoundException',
      message: 'Requested resource not found: Table: Missing not found',
    }
    await expect(store.describeContributorInsights({ TableName })).rejects.toMatchObject(refused)
    await expect(store.updateContributorInsights({ TableName, ...ENABLE })).rejects.toMatchObject(refused)
    await expect(store.listContributorInsights({ TableName })).rejects.toMatchObject(refused)
  })

  it('enabled contributor insights are listed by table name, each table before its indexes', async () => {
    const { store } = await storeWithTable()
    await store.createTable({ ...TABLE, TableName: 'Orders-2' })
    for (const named of [{ ...BY_NAME, TableName: 'Orders-2' }, BY_NAME, ORDERS])
      await store.updateContributorInsights({ ...named, ...ENABLE })
    const enabled = { ...status('ENABLED'), ...ALL_KEYS }
    const all = [
      { ...ORDERS, ...enabled },
      { ...BY_NAME, ...enabled },
      { ...BY_NAME, TableName: 'Orders-2', ...enabled },
    ]
    expect(await store.listContributorInsights({})).toEqual({ ContributorInsightsSummaries: all })
    expect(await store.listContributorInsights(ORDERS)).toEqual({ ContributorInsightsSummaries: all.slice(0, 2) })
    const pages = []
    let NextToken: string | undefined
    do {
      const page = await store.listContributorInsights({ MaxResults: 1, NextToken })
      pages.push(page.ContributorInsightsSummaries)
      NextToken = page.NextToken
    } while (NextToken)
    expect(pages).toEqual(all.map(each => [each]))
    await store.updateContributorInsights({ ...ORDERS, ...DISABLE })
    expect(await store.listContributorInsights(ORDERS)).toEqual({ ContributorInsightsSummaries: [all[1]] })
    await expect(store.listContributorInsights({ NextToken: 'made up' })).rejects.toMatchObject({
      name: 'ValidationException',
    })
  })

  it('contributor insights are removed with their index and their table', async () => {
    const { store } = await storeWithTable()
    for (const named of [ORDERS, BY_NAME]) await store.updateContributorInsights({ ...named, ...ENABLE })
    await store.updateTable({ ...ORDERS, GlobalSecondaryIndexUpdates: [{ Delete: { IndexName: 'ByName' } }] })
    expect((await store.listContributorInsights({})).ContributorInsightsSummaries).toHaveLength(1)
    await store.updateTable({
      ...ORDERS,
      AttributeDefinitions: defined('name'),
      GlobalSecondaryIndexUpdates: [{ Create: index('ByName', key('name')) }],
    })
    expect(await store.describeContributorInsights(BY_NAME)).toEqual({ ...BY_NAME, ...status('DISABLED') })
    await store.deleteTable(ORDERS)
    expect(await store.listContributorInsights({})).toEqual({ ContributorInsightsSummaries: [] })
    await store.createTable(TABLE)
    expect(await store.describeContributorInsights(ORDERS)).toEqual({ ...ORDERS, ...status('DISABLED') })
  })
})

describe('contributor insights with transitions', () => {
  it('contributor insights are listed while they are being enabled or disabled', async () => {
    const { store, clock } = await storeWithTable({ transitionMs: BUSY_MS })
    const beganMs = clock.ms
    await store.updateContributorInsights({ ...ORDERS, ...ENABLE })
    expect(await store.describeContributorInsights(ORDERS)).toEqual({
      ...ORDERS,
      ...status('ENABLING'),
      ...ALL_KEYS,
      LastUpdateDateTime: new Date(beganMs),
    })
    expect(await store.updateContributorInsights({ ...ORDERS, ...ENABLE })).toMatchObject(status('ENABLING'))
    clock.ms += BUSY_MS
    expect(await store.describeContributorInsights(ORDERS)).toMatchObject({
      ...status('ENABLED'),
      ContributorInsightsRuleList: rules('Orders', beganMs, 'PKC', 'SKC', 'PKT', 'SKT'),
      LastUpdateDateTime: new Date(clock.ms),
    })
    await store.updateContributorInsights({ ...ORDERS, ...DISABLE })
    const listed = { ...ORDERS, ...status('DISABLING'), ...ALL_KEYS }
    expect(await store.listContributorInsights({})).toEqual({ ContributorInsightsSummaries: [listed] })
    clock.ms += BUSY_MS
    expect(await store.listContributorInsights({})).toEqual({ ContributorInsightsSummaries: [] })
  })

  it('a table in creation has no contributor insights, and a table in deletion keeps them', async () => {
    const store = memory({ now: () => START_MS, transitionMs: BUSY_MS })
    await store.createTable(TABLE)
    const refused = { message: 'Requested resource not found: Table: Orders not found' }
    await expect(store.describeContributorInsights(BY_NAME)).rejects.toMatchObject(refused)
    await expect(store.updateContributorInsights({ ...ORDERS, ...ENABLE })).rejects.toMatchObject(refused)
    const deleting = await storeWithTable({ transitionMs: BUSY_MS })
    await deleting.store.deleteTable(ORDERS)
    expect(await deleting.store.describeContributorInsights(ORDERS)).toMatchObject(status('DISABLED'))
  })

  it('an index in creation has contributor insights only after allocation, and can enable them only when active', async () => {
    const { store, clock } = await storeWithTable({ transitionMs: BUSY_MS })
    const IndexName = 'Later'
    await store.updateTable({
      ...ORDERS,
      AttributeDefinitions: defined('name'),
      GlobalSecondaryIndexUpdates: [{ Create: index(IndexName, key('name')) }],
    })
    const missing = { message: 'Requested resource not found: Index: Later not found for table: Orders' }
    await expect(store.describeContributorInsights({ ...ORDERS, IndexName })).rejects.toMatchObject(missing)
    clock.ms += BUSY_MS - 1
    expect(await store.describeContributorInsights({ ...ORDERS, IndexName })).toMatchObject(status('DISABLED'))
    await expect(store.updateContributorInsights({ ...ORDERS, IndexName, ...ENABLE })).rejects.toMatchObject({
      name: 'ValidationException',
      message:
        'Table or Index is not in a valid state to update Key Access Insights: ' +
        'IndexStatus must be ACTIVE to enable ContributorInsights.',
    })
    clock.ms += 1
    expect(await store.updateContributorInsights({ ...ORDERS, IndexName, ...ENABLE })).toMatchObject(status('ENABLING'))
  })
})
