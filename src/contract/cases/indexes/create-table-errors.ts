import {
  GLOBAL_INDEXES,
  INDEX_INCLUDED_ATTRIBUTES,
  INDEX_KEY_PARTS,
  LOCAL_INDEXES,
  TABLE_INCLUDED_ATTRIBUTES,
} from '../../../dynamodb/limits.js'
import type { Projection } from '../../../dynamodb/operation-types.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import {
  COMPOSITE_KEY_TABLE,
  hashKey,
  indexDefinition,
  rangeKey,
  rejectsDefinition,
  SIMPLE_KEY_TABLE,
  textAttributes,
  withGlobalIndexes,
  withLocalIndexes,
} from '../../fixtures/table-definitions.js'

const INVALID = 'One or more parameter values were invalid: '
const SAME_NAME = 'Both the Hash Key and the Range Key element in the KeySchema have the same name'
const NOT_HASH_FIRST = 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'

const withProjection = (Projection: Projection) => ({ ...indexDefinition('some'), Projection })
const attributeNames = (count: number) => createMany(count, each => `attribute${each}`)

/** A table with a global index with this many key attributes, all of them defined. */
function wideIndex(hashes: number, ranges: number) {
  const [parts, sorts] = [createMany(hashes, part => `h${part}`), createMany(ranges, part => `r${part}`)]
  return {
    ...SIMPLE_KEY_TABLE,
    AttributeDefinitions: textAttributes('a', ...parts, ...sorts),
    GlobalSecondaryIndexes: [indexDefinition('wide', ...parts.map(hashKey), ...sorts.map(rangeKey))],
  }
}

export const createTableIndexErrorCases = defineCases('createTable', {
  'an empty list of local indexes is rejected': rejectsDefinition(
    withLocalIndexes(),
    `${INVALID}List of LocalSecondaryIndexes is empty`,
  ),

  'an empty list of global indexes is rejected': rejectsDefinition(
    withGlobalIndexes(),
    `${INVALID}List of GlobalSecondaryIndexes is empty`,
  ),

  'a local index of a table without a sort key is rejected': rejectsDefinition(
    {
      ...SIMPLE_KEY_TABLE,
      AttributeDefinitions: textAttributes('a', 'b'),
      LocalSecondaryIndexes: [indexDefinition('some')],
    },
    `${INVALID}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
  ),

  'an index on an undefined attribute is rejected': rejectsDefinition(
    withGlobalIndexes(indexDefinition('some', hashKey('c'))),
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [c], ` +
      'AttributeDefinitions: [a, b]',
  ),

  'a local index on an undefined attribute is rejected': rejectsDefinition(
    withLocalIndexes(indexDefinition('some', hashKey('a'), rangeKey('c'))),
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], ` +
      'AttributeDefinitions: [a, b]',
  ),

  'an attribute definition that neither the table nor an index uses is rejected': rejectsDefinition(
    {
      ...withGlobalIndexes(indexDefinition('some', hashKey('b'))),
      AttributeDefinitions: textAttributes('a', 'b', 'c'),
    },
    `${INVALID}Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]`,
  ),

  'a local index that begins with its sort key is rejected': rejectsDefinition(
    withLocalIndexes(indexDefinition('some', rangeKey('a'))),
    NOT_HASH_FIRST,
  ),

  'a global index that begins with its sort key is rejected': rejectsDefinition(
    withGlobalIndexes(indexDefinition('some', rangeKey('a'))),
    NOT_HASH_FIRST,
  ),

  'a local index with a duplicate key attribute is rejected': rejectsDefinition(
    withLocalIndexes(indexDefinition('some', hashKey('a'), rangeKey('a'))),
    SAME_NAME,
  ),

  'a global index with a duplicate key attribute is rejected': rejectsDefinition(
    withGlobalIndexes(indexDefinition('some', hashKey('a'), rangeKey('a'))),
    SAME_NAME,
  ),

  'a local index with two partition attributes is rejected': rejectsDefinition(
    withLocalIndexes(indexDefinition('some', hashKey('a'), hashKey('b'))),
    'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
  ),

  'a local index without a sort key is rejected': rejectsDefinition(
    withLocalIndexes(indexDefinition('some', hashKey('b'))),
    `${INVALID}Index KeySchema does not have a range key for index: some`,
  ),

  'a local index with a different partition key is rejected': rejectsDefinition(
    withLocalIndexes(indexDefinition('some', hashKey('b'), rangeKey('a'))),
    `${INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: some. ` +
      'index hash key: b, table hash key: a',
  ),

  'an index without a projection type is rejected': rejectsDefinition(
    withLocalIndexes(withProjection({})),
    `${INVALID}Unknown ProjectionType: null`,
  ),

  'an index with projection ALL and attribute names is rejected': rejectsDefinition(
    withLocalIndexes(withProjection({ ProjectionType: 'ALL', NonKeyAttributes: ['c'] })),
    `${INVALID}ProjectionType is ALL, but NonKeyAttributes is specified`,
  ),

  'an index with projection KEYS_ONLY and attribute names is rejected': rejectsDefinition(
    withGlobalIndexes(withProjection({ ProjectionType: 'KEYS_ONLY', NonKeyAttributes: ['c'] })),
    `${INVALID}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified`,
  ),

  'an index with projection INCLUDE and no attribute names is rejected': rejectsDefinition(
    withGlobalIndexes(withProjection({ ProjectionType: 'INCLUDE' })),
    `${INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
  ),

  'two local indexes with the same name are rejected': rejectsDefinition(
    withLocalIndexes(indexDefinition('some'), indexDefinition('some')),
    `${INVALID}Duplicate index name: some`,
  ),

  'two global indexes with the same name are rejected': rejectsDefinition(
    withGlobalIndexes(indexDefinition('some'), indexDefinition('some')),
    `${INVALID}Duplicate index name: some`,
  ),

  'a local and a global index with the same name are rejected': rejectsDefinition(
    { ...withLocalIndexes(indexDefinition('some')), GlobalSecondaryIndexes: [indexDefinition('some')] },
    `${INVALID}Duplicate index name: some`,
  ),

  'more than 5 local indexes are rejected': withCoverage(
    ['limit:LOCAL_INDEXES'],
    rejectsDefinition(
      withLocalIndexes(...createMany(LOCAL_INDEXES + 1, each => indexDefinition(`index${each}`))),
      `${INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5`,
    ),
  ),

  'more than 20 global indexes are rejected': withCoverage(
    ['limit:GLOBAL_INDEXES'],
    rejectsDefinition(
      withGlobalIndexes(...createMany(GLOBAL_INDEXES + 1, each => indexDefinition(`index${each}`))),
      `${INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20`,
    ),
  ),

  'more than 20 included attributes of an index are rejected': withCoverage(
    ['limit:INDEX_INCLUDED_ATTRIBUTES'],
    rejectsDefinition(
      withGlobalIndexes(
        withProjection({ ProjectionType: 'INCLUDE', NonKeyAttributes: attributeNames(INDEX_INCLUDED_ATTRIBUTES + 1) }),
      ),
      `1 validation error detected: Value '[${attributeNames(INDEX_INCLUDED_ATTRIBUTES + 1).join(', ')}]' at ` +
        "'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have " +
        'length less than or equal to 20',
    ),
  ),

  'more than 100 included attributes over all indexes are rejected': withCoverage(
    ['limit:TABLE_INCLUDED_ATTRIBUTES'],
    rejectsDefinition(
      {
        ...COMPOSITE_KEY_TABLE,
        GlobalSecondaryIndexes: createMany(TABLE_INCLUDED_ATTRIBUTES / INDEX_INCLUDED_ATTRIBUTES + 1, each => ({
          ...indexDefinition(`index${each}`),
          Projection: {
            ProjectionType: 'INCLUDE',
            NonKeyAttributes: attributeNames(each === 0 ? 1 : INDEX_INCLUDED_ATTRIBUTES),
          },
        })),
      },
      `${INVALID}The total count of attributes provided in NonKeyAttributes, summed across all of the secondary ` +
        'indexes, must not exceed 100',
    ),
  ),

  'more than four partition attributes of an index are rejected': withCoverage(
    ['limit:INDEX_KEY_PARTS'],
    rejectsDefinition(
      wideIndex(INDEX_KEY_PARTS + 1, 0),
      `${INVALID}The KeySchema exceeds the maximum allowed number of HASH key attributes`,
    ),
  ),

  'more than four sort attributes of an index are rejected': withCoverage(
    ['limit:INDEX_KEY_PARTS'],
    rejectsDefinition(
      wideIndex(1, INDEX_KEY_PARTS + 1),
      `${INVALID}The KeySchema exceeds the maximum allowed number of RANGE key attributes`,
    ),
  ),

  'an index with a partition attribute after a sort attribute is rejected': rejectsDefinition(
    {
      ...withGlobalIndexes(indexDefinition('some', hashKey('a'), rangeKey('b'), hashKey('c'))),
      AttributeDefinitions: textAttributes('a', 'b', 'c'),
    },
    `${INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
  ),
})
