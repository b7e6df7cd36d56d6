import { VECTOR_DIMENSIONS, VECTOR_FILTERS, VECTOR_INDEXES } from '../../../dynamodb/limits.js'
import type { VectorIndex } from '../../../dynamodb/operations/indexes.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import { times } from './measures.js'
import { PROVISIONED, refusing, SINGLE, texts } from './table-definitions.js'
import { nearestBy } from './vector-searching.js'

const INVALID = 'One or more parameter values were invalid: '

const withVectors = (...VectorIndexes: VectorIndex[]) => ({ ...SINGLE, VectorIndexes })

export const createTableVectorCases = cases('createTable', {
  'a table has five vector indexes of the most dimensions': covering(
    ['limit:VECTOR_INDEXES', 'limit:VECTOR_DIMENSIONS'],
    async bench => {
      const VectorIndexes = times(VECTOR_INDEXES, each => nearestBy(`vector${each}`, { Dimensions: VECTOR_DIMENSIONS }))
      const TableName = await bench.ownTable(withVectors(...VectorIndexes))
      const { Table } = await bench.store.describeTable({ TableName })
      same(
        Table!.VectorIndexes!.map(({ IndexName, Dimensions, DistanceFunction, VectorAttribute }) => ({
          ...{ IndexName, Dimensions, DistanceFunction, VectorAttribute },
        })),
        VectorIndexes.map(({ IndexName }) => ({
          ...{ IndexName, Dimensions: VECTOR_DIMENSIONS, DistanceFunction: 'COSINE' },
          VectorAttribute: { AttributeName: 'vector' },
        })),
      )
    },
  ),

  'an empty list of vector indexes is refused': refusing(withVectors(), `${INVALID}List of VectorIndexes is empty`),

  'more than five vector indexes are refused': covering(
    ['limit:VECTOR_INDEXES'],
    refusing(
      withVectors(...times(VECTOR_INDEXES + 1, each => nearestBy(`vector${each}`))),
      `${INVALID}VectorIndex count exceeds the per-table limit of 5`,
    ),
  ),

  'a vector of too many dimensions is refused': covering(
    ['limit:VECTOR_DIMENSIONS'],
    refusing(
      withVectors(nearestBy('some', { Dimensions: VECTOR_DIMENSIONS + 1 })),
      `${INVALID}Number of dimensions must be between 1 and 4096 inclusive.`,
    ),
  ),

  'a vector index is filtered by at most 18 attributes': covering(['limit:VECTOR_FILTERS'], async bench => {
    const filteredBy = (count: number) => {
      const names = times(count, each => `filter${each}`)
      const SearchSchema = names.map(AttributeName => ({
        AttributeName,
        SearchSchemaElementType: 'INLINE_FILTER' as const,
      }))
      return { ...withVectors(nearestBy('some', { SearchSchema })), AttributeDefinitions: texts('a', ...names) }
    }
    const TableName = await bench.ownTable(filteredBy(VECTOR_FILTERS))
    const { Table } = await bench.store.describeTable({ TableName })
    same(Table!.VectorIndexes![0]!.SearchSchema!.length, VECTOR_FILTERS)
    await refusing(
      filteredBy(VECTOR_FILTERS + 1),
      `${INVALID}Value '19' at 'SearchSchema' failed to satisfy constraint: Member must have INLINE_FILTER count less ` +
        'than or equal to 18',
    )(bench)
  }),

  'a vector index of a provisioned table is refused': refusing(
    { ...PROVISIONED, VectorIndexes: [nearestBy('some')] },
    `${INVALID}Vector indexes are only supported for PAY_PER_REQUEST tables`,
  ),

  'two vector indexes of one name are refused': refusing(
    withVectors(nearestBy('some'), nearestBy('some')),
    `${INVALID}Duplicate index name: some`,
  ),

  'one vector in different dimensions is refused': refusing(
    withVectors(nearestBy('one'), nearestBy('two', { Dimensions: 4 })),
    `${INVALID}Conflicting attribute definition for 'vector'. All VectorIndexes on the same vector attribute must use ` +
      'the same dimensions.',
  ),

  'a vector that is defined as a key is refused': refusing(
    { ...withVectors(nearestBy('some')), AttributeDefinitions: texts('a', 'vector') },
    `${INVALID}Conflicting attribute definition for 'vector'. An attribute cannot be defined in AttributeDefinitions ` +
      'when used as a VectorAttribute.',
  ),
})
