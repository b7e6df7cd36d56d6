import { VECTOR_DIMENSIONS, VECTOR_FILTERS, VECTOR_INDEXES } from '../../../dynamodb/limits.js'
import type { VectorIndex } from '../../../dynamodb/operation-types.js'
import { expectEqual } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import {
  PROVISIONED_TABLE,
  rejectsDefinition,
  SIMPLE_KEY_TABLE,
  textAttributes,
} from '../../fixtures/table-definitions.js'
import { vectorIndexDefinition } from './vector-table.js'

const INVALID = 'One or more parameter values were invalid: '

const withVectors = (...VectorIndexes: VectorIndex[]) => ({ ...SIMPLE_KEY_TABLE, VectorIndexes })

export const createTableVectorCases = defineCases('createTable', {
  'a table can have five vector indexes of the most dimensions': withCoverage(
    ['limit:VECTOR_INDEXES', 'limit:VECTOR_DIMENSIONS'],
    async bench => {
      const VectorIndexes = createMany(VECTOR_INDEXES, each =>
        vectorIndexDefinition(`vector${each}`, { Dimensions: VECTOR_DIMENSIONS }),
      )
      const TableName = await bench.createOwnTable(withVectors(...VectorIndexes))
      const { Table } = await bench.store.describeTable({ TableName })
      expectEqual(
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

  'an empty list of vector indexes is rejected': rejectsDefinition(
    withVectors(),
    `${INVALID}List of VectorIndexes is empty`,
  ),

  'more than five vector indexes are rejected': withCoverage(
    ['limit:VECTOR_INDEXES'],
    rejectsDefinition(
      withVectors(...createMany(VECTOR_INDEXES + 1, each => vectorIndexDefinition(`vector${each}`))),
      `${INVALID}VectorIndex count exceeds the per-table limit of 5`,
    ),
  ),

  'a vector of too many dimensions is rejected': withCoverage(
    ['limit:VECTOR_DIMENSIONS'],
    rejectsDefinition(
      withVectors(vectorIndexDefinition('some', { Dimensions: VECTOR_DIMENSIONS + 1 })),
      `${INVALID}Number of dimensions must be between 1 and 4096 inclusive.`,
    ),
  ),

  'a vector index is filtered by at most 18 attributes': withCoverage(['limit:VECTOR_FILTERS'], async bench => {
    const filteredBy = (count: number) => {
      const names = createMany(count, each => `filter${each}`)
      const SearchSchema = names.map(AttributeName => ({
        AttributeName,
        SearchSchemaElementType: 'INLINE_FILTER' as const,
      }))
      return {
        ...withVectors(vectorIndexDefinition('some', { SearchSchema })),
        AttributeDefinitions: textAttributes('a', ...names),
      }
    }
    const TableName = await bench.createOwnTable(filteredBy(VECTOR_FILTERS))
    const { Table } = await bench.store.describeTable({ TableName })
    expectEqual(Table!.VectorIndexes![0]!.SearchSchema!.length, VECTOR_FILTERS)
    await rejectsDefinition(
      filteredBy(VECTOR_FILTERS + 1),
      `${INVALID}Value '19' at 'SearchSchema' failed to satisfy constraint: Member must have INLINE_FILTER count less ` +
        'than or equal to 18',
    )(bench)
  }),

  'a vector index of a provisioned table is rejected': rejectsDefinition(
    { ...PROVISIONED_TABLE, VectorIndexes: [vectorIndexDefinition('some')] },
    `${INVALID}Vector indexes are only supported for PAY_PER_REQUEST tables`,
  ),

  'two vector indexes with the same name are rejected': rejectsDefinition(
    withVectors(vectorIndexDefinition('some'), vectorIndexDefinition('some')),
    `${INVALID}Duplicate index name: some`,
  ),

  'one vector with different dimensions is rejected': rejectsDefinition(
    withVectors(vectorIndexDefinition('one'), vectorIndexDefinition('two', { Dimensions: 4 })),
    `${INVALID}Conflicting attribute definition for 'vector'. All VectorIndexes on the same vector attribute must use ` +
      'the same dimensions.',
  ),

  'a vector that is defined as a key is rejected': rejectsDefinition(
    { ...withVectors(vectorIndexDefinition('some')), AttributeDefinitions: textAttributes('a', 'vector') },
    `${INVALID}Conflicting attribute definition for 'vector'. An attribute cannot be defined in AttributeDefinitions ` +
      'when used as a VectorAttribute.',
  ),
})
