import {
  GLOBAL_INDEXES,
  INDEX_INCLUDED_ATTRIBUTES,
  INDEX_KEY_PARTS,
  LOCAL_INDEXES,
  TABLE_INCLUDED_ATTRIBUTES,
} from '../../../dynamodb/limits.js'
import type { Projection } from '../../../dynamodb/operations/indexes.js'
import { cases, covering } from '../case.js'
import { times } from './measures.js'
import { hash, index, PAIR, range, refusing, SINGLE, texts, withGlobal, withLocal } from './table-definitions.js'

const INVALID = 'One or more parameter values were invalid: '
const SAME_NAME = 'Both the Hash Key and the Range Key element in the KeySchema have the same name'
const NOT_HASH_FIRST = 'Invalid KeySchema: The first KeySchemaElement is not a HASH key type'

const projecting = (Projection: Projection) => ({ ...index('some'), Projection })
const manyTexts = (count: number) => times(count, each => `attribute${each}`)

/** A table with a global index whose key has these many parts, all defined. */
function wide(hashes: number, ranges: number) {
  const [parts, sorts] = [times(hashes, part => `h${part}`), times(ranges, part => `r${part}`)]
  return {
    ...SINGLE,
    AttributeDefinitions: texts('a', ...parts, ...sorts),
    GlobalSecondaryIndexes: [index('wide', ...parts.map(hash), ...sorts.map(range))],
  }
}

export const createTableIndexRefusalCases = cases('createTable', {
  'an empty list of local indexes is refused': refusing(
    withLocal(),
    `${INVALID}List of LocalSecondaryIndexes is empty`,
  ),

  'an empty list of global indexes is refused': refusing(
    withGlobal(),
    `${INVALID}List of GlobalSecondaryIndexes is empty`,
  ),

  'a local index of a table without a sort key is refused': refusing(
    { ...SINGLE, AttributeDefinitions: texts('a', 'b'), LocalSecondaryIndexes: [index('some')] },
    `${INVALID}Table KeySchema does not have a range key, which is required when specifying a LocalSecondaryIndex`,
  ),

  'an index by an attribute that is not defined is refused': refusing(
    withGlobal(index('some', hash('c'))),
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [c], ` +
      'AttributeDefinitions: [a, b]',
  ),

  'a local index by an attribute that is not defined is refused': refusing(
    withLocal(index('some', hash('a'), range('c'))),
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [a, c], ` +
      'AttributeDefinitions: [a, b]',
  ),

  'a definition that neither table nor index uses is refused': refusing(
    { ...withGlobal(index('some', hash('b'))), AttributeDefinitions: texts('a', 'b', 'c') },
    `${INVALID}Some AttributeDefinitions are not used. AttributeDefinitions: [a, b, c], keys used: [a, b]`,
  ),

  'a local index that begins with its sort key is refused': refusing(
    withLocal(index('some', range('a'))),
    NOT_HASH_FIRST,
  ),

  'a global index that begins with its sort key is refused': refusing(
    withGlobal(index('some', range('a'))),
    NOT_HASH_FIRST,
  ),

  'a local index by one attribute twice is refused': refusing(
    withLocal(index('some', hash('a'), range('a'))),
    SAME_NAME,
  ),

  'a global index by one attribute twice is refused': refusing(
    withGlobal(index('some', hash('a'), range('a'))),
    SAME_NAME,
  ),

  'a local index with two partition attributes is refused': refusing(
    withLocal(index('some', hash('a'), hash('b'))),
    'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
  ),

  'a local index without a sort key is refused': refusing(
    withLocal(index('some', hash('b'))),
    `${INVALID}Index KeySchema does not have a range key for index: some`,
  ),

  'a local index by another partition key is refused': refusing(
    withLocal(index('some', hash('b'), range('a'))),
    `${INVALID}Index KeySchema does not have the same leading hash key as table KeySchema for index: some. ` +
      'index hash key: b, table hash key: a',
  ),

  'an index without a projection type is refused': refusing(
    withLocal(projecting({})),
    `${INVALID}Unknown ProjectionType: null`,
  ),

  'an index of everything that names attributes is refused': refusing(
    withLocal(projecting({ ProjectionType: 'ALL', NonKeyAttributes: ['c'] })),
    `${INVALID}ProjectionType is ALL, but NonKeyAttributes is specified`,
  ),

  'an index of keys that names attributes is refused': refusing(
    withGlobal(projecting({ ProjectionType: 'KEYS_ONLY', NonKeyAttributes: ['c'] })),
    `${INVALID}ProjectionType is KEYS_ONLY, but NonKeyAttributes is specified`,
  ),

  'an index that includes attributes without naming them is refused': refusing(
    withGlobal(projecting({ ProjectionType: 'INCLUDE' })),
    `${INVALID}ProjectionType is INCLUDE, but NonKeyAttributes is not specified`,
  ),

  'two local indexes of one name are refused': refusing(
    withLocal(index('some'), index('some')),
    `${INVALID}Duplicate index name: some`,
  ),

  'two global indexes of one name are refused': refusing(
    withGlobal(index('some'), index('some')),
    `${INVALID}Duplicate index name: some`,
  ),

  'a local and a global index of one name are refused': refusing(
    { ...withLocal(index('some')), GlobalSecondaryIndexes: [index('some')] },
    `${INVALID}Duplicate index name: some`,
  ),

  'more than 5 local indexes are refused': covering(
    ['limit:LOCAL_INDEXES'],
    refusing(
      withLocal(...times(LOCAL_INDEXES + 1, each => index(`index${each}`))),
      `${INVALID}Number of LocalSecondaryIndexes exceeds per-table limit of 5`,
    ),
  ),

  'more than 20 global indexes are refused': covering(
    ['limit:GLOBAL_INDEXES'],
    refusing(
      withGlobal(...times(GLOBAL_INDEXES + 1, each => index(`index${each}`))),
      `${INVALID}GlobalSecondaryIndex count exceeds the per-table limit of 20`,
    ),
  ),

  'more than 20 included attributes of an index are refused': covering(
    ['limit:INDEX_INCLUDED_ATTRIBUTES'],
    refusing(
      withGlobal(projecting({ ProjectionType: 'INCLUDE', NonKeyAttributes: manyTexts(INDEX_INCLUDED_ATTRIBUTES + 1) })),
      `1 validation error detected: Value '[${manyTexts(INDEX_INCLUDED_ATTRIBUTES + 1).join(', ')}]' at ` +
        "'globalSecondaryIndexes.1.member.projection.nonKeyAttributes' failed to satisfy constraint: Member must have " +
        'length less than or equal to 20',
    ),
  ),

  'more than 100 included attributes over all indexes are refused': covering(
    ['limit:TABLE_INCLUDED_ATTRIBUTES'],
    refusing(
      {
        ...PAIR,
        GlobalSecondaryIndexes: times(TABLE_INCLUDED_ATTRIBUTES / INDEX_INCLUDED_ATTRIBUTES + 1, each => ({
          ...index(`index${each}`),
          Projection: {
            ProjectionType: 'INCLUDE',
            NonKeyAttributes: manyTexts(each === 0 ? 1 : INDEX_INCLUDED_ATTRIBUTES),
          },
        })),
      },
      `${INVALID}The total count of attributes provided in NonKeyAttributes, summed across all of the secondary ` +
        'indexes, must not exceed 100',
    ),
  ),

  'more than four partition attributes of an index are refused': covering(
    ['limit:INDEX_KEY_PARTS'],
    refusing(
      wide(INDEX_KEY_PARTS + 1, 0),
      `${INVALID}The KeySchema exceeds the maximum allowed number of HASH key attributes`,
    ),
  ),

  'more than four sort attributes of an index are refused': covering(
    ['limit:INDEX_KEY_PARTS'],
    refusing(
      wide(1, INDEX_KEY_PARTS + 1),
      `${INVALID}The KeySchema exceeds the maximum allowed number of RANGE key attributes`,
    ),
  ),

  'an index with a partition attribute after a sort attribute is refused': refusing(
    { ...withGlobal(index('some', hash('a'), range('b'), hash('c'))), AttributeDefinitions: texts('a', 'b', 'c') },
    `${INVALID}All HASH key attributes must precede RANGE key attributes in the KeySchema`,
  ),
})
