import { VECTOR_RESULTS } from '../../../dynamodb/limits.js'
import type { VectorIndex } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import {
  createVectorTable,
  expectFound,
  numberValues,
  searchNearest,
  TENANT_SEARCH_SCHEMA,
  vectorIndexDefinition,
  vectorItem,
  vectorValue,
} from './vector-table.js'

const AXES = [
  vectorItem('same', [1, 0, 0]),
  vectorItem('near', [0.6, 0.8, 0]),
  vectorItem('across', [0, 1, 0]),
  vectorItem('back', [-1, 0, 0]),
]

const expectScores = async (
  bench: Parameters<typeof createVectorTable>[0],
  DistanceFunction: VectorIndex['DistanceFunction'],
  scores: Record<string, number>,
) => {
  const TableName = await createVectorTable(bench, [vectorIndexDefinition('some', { DistanceFunction })], ...AXES)
  await bench.eventually(async () => {
    const { SearchResults } = await searchNearest(bench, { TableName, IndexName: 'some' })
    expectEqual(
      SearchResults!.map(({ Item, Score }) => [Item!.a!.S, Math.round(Score! * 1e6) / 1e6]),
      Object.entries(scores),
    )
  })
}

const whereTenant = (tenant: string, more = '') => ({
  SearchConditionExpression: `tenant = :tenant${more}`,
  ExpressionAttributeValues: { ':tenant': { S: tenant } },
})

export const searchVectorsCases = defineCases('searchVectors', {
  'a vector search returns the least cosine distance first': bench =>
    expectScores(bench, 'COSINE', { same: 0, near: 0.4, across: 1, back: 2 }),

  'a vector search returns the least Euclidean distance first': bench =>
    expectScores(bench, 'EUCLIDEAN', { same: 0, near: 0.894427, across: Math.round(Math.SQRT2 * 1e6) / 1e6, back: 2 }),

  'a vector search returns the greatest dot product first, which can be negative': bench =>
    expectScores(bench, 'DOT_PRODUCT', { same: 1, near: 0.6, across: 0, back: -1 }),

  'a search returns at most TopK items': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')], ...AXES)
    await expectFound(bench, { TableName, IndexName: 'some', TopK: 2 }, 'same', 'near')
  },

  'a search returns at most 100 items': withCoverage(['limit:VECTOR_RESULTS'], async bench => {
    const items = createMany(VECTOR_RESULTS + 1, each =>
      vectorItem(`${each}`.padStart(3, '0'), [VECTOR_RESULTS, each, 0]),
    )
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')], ...items)
    const nearest = items.slice(0, VECTOR_RESULTS).map(({ a }) => a!.S!)
    await expectFound(bench, { TableName, IndexName: 'some', TopK: VECTOR_RESULTS }, ...nearest)
    await expectValidationError(
      searchNearest(bench, { TableName, IndexName: 'some', TopK: VECTOR_RESULTS + 1 }),
      "Provided TopK value '101' is out of valid range. The value must be between 1 and 100 inclusive",
    )
  }),

  'a search without matches returns an empty response': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
    await bench.eventually(async () =>
      expectEqual((await searchNearest(bench, { TableName, IndexName: 'some' })).SearchResults, []),
    )
  },

  'a search selects a partition of the index and filters it': async bench => {
    const of = (tenant: string, kind?: string) => ({ tenant: { S: tenant }, ...(kind && { kind: { S: kind } }) })
    const TableName = await createVectorTable(
      bench,
      [vectorIndexDefinition('divided', TENANT_SEARCH_SCHEMA), vectorIndexDefinition('whole')],
      ...[
        vectorItem('a', [1, 0, 0], of('t', 'k')),
        vectorItem('b', [1, 1, 0], of('t', 'l')),
        vectorItem('c', [0, 1, 0], of('t')),
      ],
      ...[vectorItem('d', [1, 0, 0], of('u', 'k')), vectorItem('e', [-1, 0, 0])],
    )
    const IndexName = 'divided'
    await expectFound(bench, { TableName, IndexName, ...whereTenant('t') }, 'a', 'b', 'c')
    await expectFound(bench, { TableName, IndexName, ...whereTenant('u') }, 'd')
    await expectFound(bench, { TableName, IndexName, ...whereTenant('v') })
    const { ExpressionAttributeValues } = whereTenant('t')
    const filtered = {
      SearchConditionExpression: ':kind = #kind AND (tenant = :tenant)',
      ExpressionAttributeNames: { '#kind': 'kind' },
      ExpressionAttributeValues: { ...ExpressionAttributeValues, ':kind': { S: 'l' } },
    }
    await expectFound(bench, { TableName, IndexName, ...filtered }, 'b')
    const { SearchResults } = await searchNearest(bench, { TableName, IndexName: 'whole' })
    expectEqual(SearchResults!.map(({ Item }) => Item!.a!.S).toSorted(), ['a', 'b', 'c', 'd', 'e'])
  },

  'a requested vector is returned in 32 bits for any projection': async bench => {
    const indexes = [
      vectorIndexDefinition('ALL'),
      vectorIndexDefinition('INCLUDE', { Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] } }),
      vectorIndexDefinition('NAMED', {
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept', 'vector'] },
      }),
      vectorIndexDefinition('KEYS_ONLY', { Projection: { ProjectionType: 'KEYS_ONLY' } }),
    ]
    const TableName = await createVectorTable(
      bench,
      indexes,
      vectorItem('a', [0.1, 16777217, -2], { kept: { S: 'k' }, beside: { S: 'l' } }),
    )
    const answered = async (IndexName: string, ProjectionExpression?: string) => {
      await expectFound(bench, { TableName, IndexName }, 'a')
      const { SearchResults } = await searchNearest(bench, { TableName, IndexName, ProjectionExpression })
      const { vector: given, ...rest } = SearchResults![0]!.Item!
      return [Object.keys(rest).toSorted(), given?.L?.map(({ N }) => Math.fround(Number(N)))]
    }
    const floats = [0.1, 16777217, -2].map(Math.fround)
    expectEqual(await answered('ALL'), [['a', 'beside', 'kept'], undefined])
    expectEqual(await answered('ALL', 'vector, beside'), [['beside'], floats])
    expectEqual(await answered('INCLUDE'), [['a', 'kept'], undefined])
    expectEqual(await answered('INCLUDE', 'vector, beside, a'), [['a'], floats])
    expectEqual(await answered('NAMED'), [['a', 'kept'], undefined])
    expectEqual(await answered('NAMED', 'vector, beside, a'), [['a'], floats])
    expectEqual(await answered('KEYS_ONLY'), [['a'], undefined])
    expectEqual(await answered('KEYS_ONLY', 'vector, beside, a'), [['a'], floats])
    expectEqual(await answered('KEYS_ONLY', 'vector[1]'), [[], floats.slice(1, 2)])
  },

  'an item leaves the index when its vector or its partition attribute is removed': async bench => {
    const tenant = { tenant: { S: 't' } }
    const TableName = await createVectorTable(
      bench,
      [vectorIndexDefinition('divided', TENANT_SEARCH_SCHEMA), vectorIndexDefinition('whole')],
      vectorItem('a', [1, 0, 0], tenant),
      vectorItem('b', [0, 1, 0], tenant),
    )
    const divided = { TableName, IndexName: 'divided', ...whereTenant('t') }
    await expectFound(bench, divided, 'a', 'b')
    await bench.store.updateItem({ TableName, Key: { a: { S: 'a' } }, UpdateExpression: 'REMOVE tenant' })
    await expectFound(bench, divided, 'b')
    await expectFound(bench, { TableName, IndexName: 'whole' }, 'a', 'b')
    await bench.store.updateItem({ TableName, Key: { a: { S: 'a' } }, UpdateExpression: 'REMOVE vector' })
    await expectFound(bench, { TableName, IndexName: 'whole' }, 'b')
    await bench.store.deleteItem({ TableName, Key: { a: { S: 'b' } } })
    await expectFound(bench, { TableName, IndexName: 'whole' })
  },

  'searches show every kind of write': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')], vectorItem('put', [1, 0, 0]))
    await bench.store.batchWriteItem({
      RequestItems: { [TableName]: [{ PutRequest: { Item: vectorItem('batch', [9, 1, 0]) } }] },
    })
    await bench.store.transactWriteItems({
      TransactItems: [{ Put: { TableName, Item: vectorItem('transact', [9, 2, 0]) } }],
    })
    const update = { UpdateExpression: 'SET vector = :v', ExpressionAttributeValues: { ':v': vectorValue(9, 3, 0) } }
    await bench.store.updateItem({ TableName, Key: { a: { S: 'update' } }, ...update })
    await expectFound(bench, { TableName, IndexName: 'some' }, 'put', 'batch', 'transact', 'update')
    const turned = { UpdateExpression: 'SET vector[0] = :n', ExpressionAttributeValues: { ':n': { N: '-1' } } }
    await bench.store.updateItem({ TableName, Key: { a: { S: 'put' } }, ...turned })
    await expectFound(bench, { TableName, IndexName: 'some' }, 'batch', 'transact', 'update', 'put')
  },

  'a search by a vector with other dimensions than the index is rejected': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
    const refuses = (SearchVector: ReturnType<typeof numberValues>, message: string) =>
      bench.eventually(() =>
        expectValidationError(searchNearest(bench, { TableName, IndexName: 'some', SearchVector }), message),
      )
    await refuses(numberValues(1, 0), 'Input search vector dimension 2 does not match vector index dimension 3')
    const INVALID =
      'Search vector contains invalid values. ' +
      'All values in the search vector must be a 32-bit floating-point number attribute'
    await refuses([vectorValue(1, 0, 0)], INVALID)
    await refuses([...numberValues(1, 0), { N: '1E+39' }], INVALID)
  },

  'a search condition other than an equality on a search attribute is rejected': async bench => {
    const TableName = await createVectorTable(bench, [
      vectorIndexDefinition('divided', TENANT_SEARCH_SCHEMA),
      vectorIndexDefinition('whole'),
    ])
    const refuses = (IndexName: string, SearchConditionExpression: string | undefined, message: string) => {
      const ExpressionAttributeValues = SearchConditionExpression ? { ':tenant': { S: 't' } } : undefined
      const request = { TableName, IndexName, SearchConditionExpression, ExpressionAttributeValues }
      return bench.eventually(() => expectValidationError(searchNearest(bench, request), message))
    }
    const OTHER = 'Invalid SearchConditionExpression: Invalid comparator used in SearchConditionExpression'
    await refuses('divided', undefined, 'SearchConditionExpression must be provided when SearchSchema has a HASH key')
    await refuses('divided', 'tenant < :tenant', OTHER)
    await refuses('divided', 'tenant = :tenant AND kind <> :tenant', OTHER)
    const NESTED =
      'Invalid SearchConditionExpression: SearchConditionExpression cannot have conditions on nested attributes'
    await refuses('divided', 'tenant.deeper = :tenant', NESTED)
    await refuses('divided', 'tenant = :tenant AND kind[0] = :tenant', NESTED)
    await refuses(
      'divided',
      'tenant = :tenant AND tenant = :tenant',
      'Invalid SearchConditionExpression: SearchConditionExpression must only contain one condition per attribute',
    )
    await refuses(
      'whole',
      'tenant = :tenant',
      'SearchConditionExpression must not contain any attributes that is not in SearchSchema. ' +
        'Invalid attribute: tenant',
    )
    await bench.eventually(() =>
      expectValidationError(
        searchNearest(bench, {
          ...{ TableName, IndexName: 'divided', SearchConditionExpression: 'tenant = :n' },
          ExpressionAttributeValues: { ':n': { N: '1' } },
        }),
        "Type of 'tenant' attribute in SearchConditionExpression (N) does not match type in search schema (S)",
      ),
    )
  },

  'a search of a missing table or index is rejected': async bench => {
    const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
    await expectValidationError(
      searchNearest(bench, { TableName, IndexName: 'other' }),
      'The table does not have the specified index: other',
    )
    await expectRejection(
      searchNearest(bench, { TableName: bench.newTableName(), IndexName: 'some' }),
      'ResourceNotFoundException',
      'Requested resource not found',
    )
  },

  'a search is billed only in bytes, at least one kilobyte': withCoverage(
    ['limit:VECTOR_REQUEST_BYTES'],
    async bench => {
      const TableName = await createVectorTable(bench, [vectorIndexDefinition('some')])
      for (const ReturnConsumedCapacity of ['TOTAL', 'INDEXES'] as const) {
        const { ConsumedCapacity } = await bench.eventually(() =>
          searchNearest(bench, { TableName, IndexName: 'some', ReturnConsumedCapacity }),
        )
        expectEqual(ConsumedCapacity, { VectorSearchRequestBytes: 1024 })
      }
      const { ConsumedCapacity } = await searchNearest(bench, {
        TableName,
        IndexName: 'some',
        ReturnConsumedCapacity: 'NONE',
      })
      expectEqual(ConsumedCapacity, undefined)
    },
  ),
})
