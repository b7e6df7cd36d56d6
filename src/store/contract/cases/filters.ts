import { cases } from '../case.js'
import { invalid, same } from '../expect.js'
import { indexed } from './indexed.js'
import { fixture, listed, number, Partition, pages, scan, settles, text } from './reading.js'

const graded = fixture(bench =>
  Partition.of(
    bench,
    'composite',
    ['a', 'b', 'c', 'd', 'e', 'f'].map((sort, i) => ({ sk: text(sort), grade: number(i % 2), note: text(sort) })),
  ),
)

const ODD = { FilterExpression: 'grade = :one' }
const ONE = { ':one': number(1) }

const primaryKey = (name: string) =>
  `Filter Expression can only contain non-primary key attributes: Primary key attribute: ${name}`
const notScalar = (key: string) =>
  `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${key}`

const queryFilters = cases('query', {
  'a filter leaves out items after they are read: Count is what stays, ScannedCount what was read': async bench => {
    const partition = await graded(bench)
    const Items = partition.items.filter(item => item.grade!.N === '1')
    same(await partition.query('pk = :pk', ONE, ODD), { Items, Count: 3, ScannedCount: 6 })
    const none = await partition.query('pk = :pk', { ':none': number(7) }, { FilterExpression: 'grade = :none' })
    same(none, { Items: [], Count: 0, ScannedCount: 6 })
  },

  'a limit counts what is read, not what a filter leaves': async bench => {
    const partition = await graded(bench)
    const { pk, items } = partition
    const last = (sk: string) => ({ LastEvaluatedKey: { pk, sk: text(sk) } })
    const read = (Limit: number) => partition.query('pk = :pk', ONE, { ...ODD, Limit })
    same(await read(1), { Items: [], Count: 0, ScannedCount: 1, ...last('a') })
    same(await read(3), { Items: [items[1]], Count: 1, ScannedCount: 3, ...last('c') })
    same(await read(4), { Items: [items[1], items[3]], Count: 2, ScannedCount: 4, ...last('d') })
  },

  'paging with a filter passes over pages of nothing and visits every match once': async bench => {
    const partition = await graded(bench)
    const read = (start: object) => partition.query('pk = :pk', ONE, { ...ODD, Limit: 1, ...start })
    const all = await pages(read)
    same(
      all.flatMap(page => listed(page)),
      ['b', 'd', 'f'],
    )
    same(
      all.slice(0, 6).map(page => page.Count),
      [0, 1, 0, 1, 0, 1],
    )
  },

  'a filter sees attributes that the projection leaves out': async bench => {
    const partition = await graded(bench)
    const answer = await partition.query('pk = :pk', ONE, { ...ODD, ProjectionExpression: 'note' })
    same(answer.Items, [{ note: text('b') }, { note: text('d') }, { note: text('f') }])
  },

  'a filter on the key is refused, however it is named': async bench => {
    const partition = await graded(bench)
    const filtered = (FilterExpression: string, given = {}) => partition.query('pk = :pk', given, { FilterExpression })
    await invalid(filtered('pk = :pk'), primaryKey('pk'))
    await invalid(filtered('attribute_exists(sk)'), primaryKey('sk'))
    await invalid(filtered('grade = :one AND #s <> :pk', { ...ONE, '#s': 'sk' }), primaryKey('sk'))
    await invalid(filtered('attribute_exists(sk.part)'), primaryKey('sk'))
    const local = partition.query(
      'pk = :pk',
      { '#l': 'local' },
      {
        IndexName: 'byLocal',
        FilterExpression: 'attribute_exists(#l)',
      },
    )
    await invalid(local, primaryKey('local'))
  },

  'a filter on the key of an index is refused in a query of that index alone': async bench => {
    const found = await indexed(bench)
    const { partition } = found
    const ranked = { FilterExpression: '#r < :three' }
    const given = { '#r': 'rank', ':three': number(3) }
    await invalid(found.queryGroup('byGroup', '#g = :g', given, ranked), primaryKey('rank'))
    await invalid(
      found.queryGroup('groupOnly', '#g = :g', {}, { FilterExpression: 'attribute_exists(#g)' }),
      primaryKey('group'),
    )
    same(listed(await partition.query('pk = :pk', given, ranked)), ['b', 'c'])
  },

  'a filter in a query of a global index may be on the key of the table': async bench => {
    const found = await indexed(bench)
    const read = async () =>
      listed(await found.queryGroup('byGroup', '#g = :g', { ':b': text('b') }, { FilterExpression: 'sk > :b' }))
    await settles(bench, read, ['c'])
  },

  'a filter in a query of an index is only on what the index projects': async bench => {
    const found = await indexed(bench)
    const refusal = (index: string) =>
      `One or more parameter values were invalid: Secondary index ${index} does not project ` +
      'one or more filter attributes: [extra]'
    const onExtra = { FilterExpression: 'attribute_exists(extra)' }
    await invalid(found.queryGroup('byGroup', '#g = :g', {}, onExtra), refusal('byGroup'))
    await invalid(found.partition.query('pk = :pk', {}, { ...onExtra, IndexName: 'byRank' }), refusal('byRank'))
    const kept = () => found.queryGroup('byGroup', '#g = :g', {}, { FilterExpression: 'attribute_exists(kept)' })
    await settles(bench, async () => (await kept()).Count, 3)
  },

  'neither a filter nor a projection of a query can reach into a key of the table or of any index': async bench => {
    const partition = await graded(bench)
    const rank = { '#r': 'rank' }
    const projected = (ProjectionExpression: string, given = {}) =>
      partition.query('pk = :pk', given, { ProjectionExpression })
    await invalid(projected('sk.part'), notScalar('Key: sk'))
    await invalid(projected('note, #r[0]', rank), notScalar('IndexKey: rank'))
    const filter = { FilterExpression: 'attribute_exists(#r.part)' }
    await invalid(partition.query('pk = :pk', rank, filter), notScalar('IndexKey: rank'))
  },

  'a filter that is not sound is refused before the table is looked up': async bench => {
    const request = (FilterExpression: string) =>
      bench.store.query({
        TableName: 'there-is-no-such-table',
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': text('a') },
        FilterExpression,
      })
    await invalid(request(''), 'Invalid FilterExpression: The expression can not be empty;')
    await invalid(
      request('#missing = :pk'),
      'Invalid FilterExpression: An expression attribute name used in the document path is not defined; ' +
        'attribute name: #missing',
    )
    await invalid(
      request('size(:pk)'),
      'Invalid FilterExpression: The function is not allowed to be used this way in an expression; function: size',
    )
  },
})

const scanFilters = cases('scan', {
  'a filter of a scan may be on keys': async bench => {
    const partition = await graded(bench)
    const { TableName, pk } = partition
    const request = {
      TableName,
      ConsistentRead: true,
      FilterExpression: 'pk = :pk AND sk > :c',
      ExpressionAttributeValues: { ':pk': pk, ':c': text('c') },
    }
    const all = await pages(start => scan(bench.store, { ...request, ...start }))
    same(
      all.flatMap(page => page.Items),
      partition.items.slice(3),
    )
  },

  'neither a filter nor a projection of a scan can reach into a key of the table or of any index': async bench => {
    const TableName = await bench.table('composite')
    const rank = { ExpressionAttributeNames: { '#r': 'rank' } }
    const filter = (FilterExpression: string, more = {}) => bench.store.scan({ TableName, FilterExpression, ...more })
    await invalid(filter('attribute_exists(pk.part)'), notScalar('Key: pk'))
    await invalid(filter('attribute_exists(#r.part)', rank), notScalar('IndexKey: rank'))
    await invalid(bench.store.scan({ TableName, ProjectionExpression: 'pk[0]' }), notScalar('Key: pk'))
    await invalid(
      bench.store.scan({ TableName, ProjectionExpression: '#r.part', ...rank }),
      notScalar('IndexKey: rank'),
    )
  },
})

/** Filters: what they leave, what they count, and what they may be on. */
export const filterCases = [...queryFilters, ...scanFilters]
