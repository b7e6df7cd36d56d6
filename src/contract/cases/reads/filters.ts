import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import { sharedIndexedItems } from '../../fixtures/indexed-items.js'
import {
  attributeOfItems,
  expectEventually,
  numericValue,
  readPages,
  runScan,
  sharedFixture,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'

const gradedRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'composite',
    ['a', 'b', 'c', 'd', 'e', 'f'].map((sort, i) => ({
      sk: stringValue(sort),
      grade: numericValue(i % 2),
      note: stringValue(sort),
    })),
  ),
)

const ODD = { FilterExpression: 'grade = :one' }
const ONE = { ':one': numericValue(1) }

const primaryKeyMessage = (name: string) =>
  `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`
const notScalarMessage = (key: string) =>
  `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${key}`

const queryFilters = defineCases('query', {
  'a filter applies after reading: Count has the matches, ScannedCount the read items': async bench => {
    const partition = await gradedRows(bench)
    const Items = partition.items.filter(item => item.grade!.N === '1')
    expectEqual(await partition.query('pk = :pk', ONE, ODD), { Items, Count: 3, ScannedCount: 6 })
    const none = await partition.query('pk = :pk', { ':none': numericValue(7) }, { FilterExpression: 'grade = :none' })
    expectEqual(none, { Items: [], Count: 0, ScannedCount: 6 })
  },

  'a limit counts read items, not matches of the filter': async bench => {
    const partition = await gradedRows(bench)
    const { pk, items } = partition
    const last = (sk: string) => ({ LastEvaluatedKey: { pk, sk: stringValue(sk) } })
    const read = (Limit: number) => partition.query('pk = :pk', ONE, { ...ODD, Limit })
    expectEqual(await read(1), { Items: [], Count: 0, ScannedCount: 1, ...last('a') })
    expectEqual(await read(3), { Items: [items[1]], Count: 1, ScannedCount: 3, ...last('c') })
    expectEqual(await read(4), { Items: [items[1], items[3]], Count: 2, ScannedCount: 4, ...last('d') })
  },

  'paging with a filter passes empty pages and visits every match once': async bench => {
    const partition = await gradedRows(bench)
    const read = (start: object) => partition.query('pk = :pk', ONE, { ...ODD, Limit: 1, ...start })
    const all = await readPages(read)
    expectEqual(
      all.flatMap(page => attributeOfItems(page)),
      ['b', 'd', 'f'],
    )
    expectEqual(
      all.slice(0, 6).map(page => page.Count),
      [0, 1, 0, 1, 0, 1],
    )
  },

  'a filter can use attributes outside the projection': async bench => {
    const partition = await gradedRows(bench)
    const answer = await partition.query('pk = :pk', ONE, { ...ODD, ProjectionExpression: 'note' })
    expectEqual(answer.Items, [{ note: stringValue('b') }, { note: stringValue('d') }, { note: stringValue('f') }])
  },

  'a filter on the key is rejected, with and without an alias': async bench => {
    const partition = await gradedRows(bench)
    const filtered = (FilterExpression: string, given = {}) => partition.query('pk = :pk', given, { FilterExpression })
    await expectValidationError(filtered('pk = :pk'), primaryKeyMessage('pk'))
    await expectValidationError(filtered('attribute_exists(sk)'), primaryKeyMessage('sk'))
    await expectValidationError(filtered('grade = :one AND #s <> :pk', { ...ONE, '#s': 'sk' }), primaryKeyMessage('sk'))
    await expectValidationError(filtered('attribute_exists(sk.part)'), primaryKeyMessage('sk'))
    const local = partition.query(
      'pk = :pk',
      { '#l': 'local' },
      {
        IndexName: 'byLocal',
        FilterExpression: 'attribute_exists(#l)',
      },
    )
    await expectValidationError(local, primaryKeyMessage('local'))
  },

  'a filter on an index key is rejected only in a query of that index': async bench => {
    const found = await sharedIndexedItems(bench)
    const { partition } = found
    const ranked = { FilterExpression: '#r < :three' }
    const given = { '#r': 'rank', ':three': numericValue(3) }
    await expectValidationError(found.queryGroup('byGroup', '#g = :g', given, ranked), primaryKeyMessage('rank'))
    await expectValidationError(
      found.queryGroup('groupOnly', '#g = :g', {}, { FilterExpression: 'attribute_exists(#g)' }),
      primaryKeyMessage('group'),
    )
    expectEqual(attributeOfItems(await partition.query('pk = :pk', given, ranked)), ['b', 'c'])
  },

  'a filter in a query of a global index can use the key of the table': async bench => {
    const found = await sharedIndexedItems(bench)
    const read = async () =>
      attributeOfItems(
        await found.queryGroup('byGroup', '#g = :g', { ':b': stringValue('b') }, { FilterExpression: 'sk > :b' }),
      )
    await expectEventually(bench, read, ['c'])
  },

  'a filter in a query of an index can use only projected attributes': async bench => {
    const found = await sharedIndexedItems(bench)
    const refusal = (index: string) =>
      `One or more parameter values were invalid: Secondary index ${index} does not project ` +
      'one or more filter attributes: [extra]'
    const onExtra = { FilterExpression: 'attribute_exists(extra)' }
    await expectValidationError(found.queryGroup('byGroup', '#g = :g', {}, onExtra), refusal('byGroup'))
    await expectValidationError(
      found.partition.query('pk = :pk', {}, { ...onExtra, IndexName: 'byRank' }),
      refusal('byRank'),
    )
    const kept = () => found.queryGroup('byGroup', '#g = :g', {}, { FilterExpression: 'attribute_exists(kept)' })
    await expectEventually(bench, async () => (await kept()).Count, 3)
  },

  'a filter or a projection of a query with a path into a key is rejected': async bench => {
    const partition = await gradedRows(bench)
    const rank = { '#r': 'rank' }
    const projected = (ProjectionExpression: string, given = {}) =>
      partition.query('pk = :pk', given, { ProjectionExpression })
    await expectValidationError(projected('sk.part'), notScalarMessage('Key: sk'))
    await expectValidationError(projected('note, #r[0]', rank), notScalarMessage('IndexKey: rank'))
    const filter = { FilterExpression: 'attribute_exists(#r.part)' }
    await expectValidationError(partition.query('pk = :pk', rank, filter), notScalarMessage('IndexKey: rank'))
  },

  'an invalid filter is rejected before the table is looked up': async bench => {
    const request = (FilterExpression: string) =>
      bench.store.query({
        TableName: 'there-is-no-such-table',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': stringValue('a') },
        FilterExpression,
      })
    await expectValidationError(request(''), 'Invalid FilterExpression: The expression can not be empty;')
    await expectValidationError(
      request('#missing = :pk'),
      'Invalid FilterExpression: An expression attribute name used in the document path is not defined; ' +
        'attribute name: #missing',
    )
    await expectValidationError(
      request('size(:pk)'),
      'Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: size',
    )
  },
})

const scanFilters = defineCases('scan', {
  'a filter of a scan can use keys': async bench => {
    const partition = await gradedRows(bench)
    const { TableName, pk } = partition
    const request = {
      TableName,
      ConsistentRead: true,
      FilterExpression: 'pk = :pk AND sk > :c',
      ExpressionAttributeValues: { ':pk': pk, ':c': stringValue('c') },
    }
    const all = await readPages(start => runScan(bench.store, { ...request, ...start }))
    expectEqual(
      all.flatMap(page => page.Items),
      partition.items.slice(3),
    )
  },

  'a filter or a projection of a scan with a path into a key is rejected': async bench => {
    const TableName = await bench.sharedTable('composite')
    const rank = { ExpressionAttributeNames: { '#r': 'rank' } }
    const filter = (FilterExpression: string, more = {}) => bench.store.scan({ TableName, FilterExpression, ...more })
    await expectValidationError(filter('attribute_exists(pk.part)'), notScalarMessage('Key: pk'))
    await expectValidationError(filter('attribute_exists(#r.part)', rank), notScalarMessage('IndexKey: rank'))
    await expectValidationError(
      bench.store.scan({ TableName, ProjectionExpression: 'pk[0]' }),
      notScalarMessage('Key: pk'),
    )
    await expectValidationError(
      bench.store.scan({ TableName, ProjectionExpression: '#r.part', ...rank }),
      notScalarMessage('IndexKey: rank'),
    )
  },
})

/** Cases of filters: their matches, their counts and their allowed attributes. */
export const filterCases = [...queryFilters, ...scanFilters]
