import { expectEqual, expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { pickAttributes, sharedIndexedItems } from '../../fixtures/indexed-items.js'
import { expectEventually } from '../../fixtures/test-partition.js'

const WITHOUT_PROJECTION =
  'Must specify the AttributesToGet or ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES'
const WITHOUT_INDEX = 'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName'
const projectionConflict = (wanted: string) => `Cannot specify the ProjectionExpression when choosing to get ${wanted}`
const notAllProjected = (index: string) =>
  'One or more parameter values were invalid: Select type ALL_ATTRIBUTES is not supported ' +
  `for global secondary index ${index} because its projection type is not ALL`
const notProjected = (index: string, name: string) =>
  `One or more parameter values were invalid: Global secondary index ${index} does not project [${name}]`

const BY_GROUP = ['pk', 'sk', 'group', 'rank', 'kept']

/** Cases of each Select on a table, a local and a global index. */
export const selectCases = defineCases('query', {
  'COUNT returns the number of items without items': async bench => {
    const { partition } = await sharedIndexedItems(bench)
    const counted = (more = {}) => partition.query('pk = :pk', {}, { Select: 'COUNT', ...more })
    expectEqual(await counted(), { Count: 5, ScannedCount: 5 })
    expectEqual(await counted({ IndexName: 'byLocal' }), { Count: 3, ScannedCount: 3 })
  },

  'COUNT counts the matches of a filter and returns the last key of its page': async bench => {
    const { partition } = await sharedIndexedItems(bench)
    const more = { Select: 'COUNT', FilterExpression: 'attribute_exists(#l)', Limit: 4 } as const
    const LastEvaluatedKey = pickAttributes(partition.items[3]!, 'pk', 'sk')
    expectEqual(await partition.query('pk = :pk', { '#l': 'local' }, more), {
      Count: 3,
      ScannedCount: 4,
      LastEvaluatedKey,
    })
  },

  'ALL_ATTRIBUTES returns whole items of a table and of an index that projects them': async bench => {
    const { partition, items } = await sharedIndexedItems(bench)
    const { a, b, d } = items
    const all = { Select: 'ALL_ATTRIBUTES' } as const
    expectEqual((await partition.query('pk = :pk', {}, all)).Items, partition.items)
    expectEqual((await partition.query('pk = :pk', {}, { ...all, IndexName: 'byLocal' })).Items, [d, b, a])
  },

  'ALL_ATTRIBUTES of a local index fetches unprojected attributes from the table': async bench => {
    const { partition, items } = await sharedIndexedItems(bench)
    const { a, b, c, e } = items
    const answer = await partition.query('pk = :pk', {}, { Select: 'ALL_ATTRIBUTES', IndexName: 'byRank' })
    expectEqual(answer, { Items: [b, c, a, e], Count: 4, ScannedCount: 4 })
  },

  'ALL_ATTRIBUTES of a global index with a partial projection is rejected': async bench => {
    const found = await sharedIndexedItems(bench)
    const all = { Select: 'ALL_ATTRIBUTES' } as const
    await expectValidationError(found.queryGroup('byGroup', '#g = :g', {}, all), notAllProjected('byGroup'))
    await expectValidationError(found.queryGroup('groupOnly', '#g = :g', {}, all), notAllProjected('groupOnly'))
  },

  'ALL_PROJECTED_ATTRIBUTES returns the projected attributes, the default of an index query': async bench => {
    const found = await sharedIndexedItems(bench)
    const { partition, items } = found
    const { a, b, c, d, e } = items
    const all = { Select: 'ALL_PROJECTED_ATTRIBUTES' } as const
    const ranked = [b, c, a, e].map(item => pickAttributes(item, 'pk', 'sk', 'rank'))
    expectEqual((await partition.query('pk = :pk', {}, { ...all, IndexName: 'byRank' })).Items, ranked)
    expectEqual((await partition.query('pk = :pk', {}, { ...all, IndexName: 'byLocal' })).Items, [d, b, a])
    const grouped = [b, c, a].map(item => pickAttributes(item, ...BY_GROUP))
    await expectEventually(bench, async () => (await found.queryGroup('byGroup', '#g = :g', {}, all)).Items, grouped)
  },

  'ALL_PROJECTED_ATTRIBUTES requires an index': async bench => {
    const { partition } = await sharedIndexedItems(bench)
    await expectInvalidRequest(partition.query('pk = :pk', {}, { Select: 'ALL_PROJECTED_ATTRIBUTES' }), WITHOUT_INDEX)
  },

  'SPECIFIC_ATTRIBUTES with a projection has no further effect': async bench => {
    const { partition } = await sharedIndexedItems(bench)
    const projection = { ProjectionExpression: 'sk, kept' }
    const specific = await partition.query('pk = :pk', {}, { Select: 'SPECIFIC_ATTRIBUTES', ...projection })
    expectEqual(
      specific.Items,
      partition.items.map(item => pickAttributes(item, 'sk', 'kept')),
    )
    expectEqual(specific, await partition.query('pk = :pk', {}, projection))
  },

  'SPECIFIC_ATTRIBUTES requires a projection': async bench => {
    const { partition } = await sharedIndexedItems(bench)
    await expectInvalidRequest(partition.query('pk = :pk', {}, { Select: 'SPECIFIC_ATTRIBUTES' }), WITHOUT_PROJECTION)
  },

  'every other Select rejects a projection': async bench => {
    const { partition } = await sharedIndexedItems(bench)
    const select = (Select: 'COUNT' | 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES', more = {}) =>
      partition.query('pk = :pk', {}, { Select, ProjectionExpression: 'sk', ...more })
    await expectInvalidRequest(select('COUNT'), projectionConflict('only the Count'))
    await expectInvalidRequest(select('ALL_ATTRIBUTES'), projectionConflict('ALL_ATTRIBUTES'))
    await expectInvalidRequest(select('ALL_PROJECTED_ATTRIBUTES'), projectionConflict('ALL_PROJECTED_ATTRIBUTES'))
    const local = { IndexName: 'byLocal' }
    await expectInvalidRequest(
      select('ALL_PROJECTED_ATTRIBUTES', local),
      projectionConflict('ALL_PROJECTED_ATTRIBUTES'),
    )
  },

  'a projection with attributes outside a global index is rejected': async bench => {
    const found = await sharedIndexedItems(bench)
    const projected = (ProjectionExpression: string) =>
      found.queryGroup('byGroup', '#g = :g', {}, { ProjectionExpression })
    await expectValidationError(projected('sk, extra'), notProjected('byGroup', 'extra'))
    await expectValidationError(projected('extra.part'), notProjected('byGroup', 'extra'))
    const { a, b, c } = found.items
    const Items = [b, c, a].map(item => pickAttributes(item, 'sk', 'kept'))
    await expectEventually(bench, async () => (await projected('sk, kept')).Items, Items)
  },

  'Select is validated before the table is looked up': async bench => {
    const request = {
      TableName: 'there-is-no-such-table',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: 'a' } },
    }
    await expectInvalidRequest(bench.store.query({ ...request, Select: 'SPECIFIC_ATTRIBUTES' }), WITHOUT_PROJECTION)
    await expectInvalidRequest(bench.store.query({ ...request, Select: 'ALL_PROJECTED_ATTRIBUTES' }), WITHOUT_INDEX)
  },
})

/** Cases of the same rules for scans. */
export const scanSelectCases = defineCases('scan', {
  'a scan validates Select like a query, with a different message prefix': async bench => {
    const { TableName } = (await sharedIndexedItems(bench)).partition
    const scan = (more: object) => bench.store.scan({ TableName, ...more })
    await expectValidationError(scan({ Select: 'SPECIFIC_ATTRIBUTES' }), WITHOUT_PROJECTION)
    await expectValidationError(scan({ Select: 'ALL_PROJECTED_ATTRIBUTES' }), WITHOUT_INDEX)
    await expectValidationError(
      scan({ Select: 'COUNT', ProjectionExpression: 'sk' }),
      projectionConflict('only the Count'),
    )
    const all = { Select: 'ALL_ATTRIBUTES' }
    await expectValidationError(scan({ ...all, ProjectionExpression: 'sk' }), projectionConflict('ALL_ATTRIBUTES'))
    await expectValidationError(scan({ ...all, IndexName: 'byGroup' }), notAllProjected('byGroup'))
    await expectValidationError(
      scan({ IndexName: 'groupOnly', ProjectionExpression: 'kept' }),
      notProjected('groupOnly', 'kept'),
    )
  },
})
