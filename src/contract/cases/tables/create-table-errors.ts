import { NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN } from '../../../dynamodb/limits.js'
import { expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import {
  COMPOSITE_KEY_TABLE,
  hashKey,
  rangeKey,
  rejectsDefinition,
  SIMPLE_KEY_TABLE,
  textAttributes,
} from '../../fixtures/table-definitions.js'

const INVALID = 'One or more parameter values were invalid: '
const SAME_NAME = 'Both the Hash Key and the Range Key element in the KeySchema have the same name'

export const createTableErrorCases = defineCases('createTable', {
  'a name of two characters is rejected': withCoverage(['limit:NAME_CHARACTERS_MIN'], async bench => {
    await expectValidationError(
      bench.store.createTable({ ...SIMPLE_KEY_TABLE, TableName: 'a'.repeat(NAME_CHARACTERS_MIN - 1) }),
      "1 validation error detected: Value 'aa' at 'tableName' failed to satisfy constraint: Member must have length " +
        'greater than or equal to 3',
    )
  }),

  'a name of more than 255 characters is rejected': withCoverage(['limit:NAME_CHARACTERS_MAX'], async bench => {
    const TableName = 'a'.repeat(NAME_CHARACTERS_MAX + 1)
    await expectValidationError(
      bench.store.createTable({ ...SIMPLE_KEY_TABLE, TableName }),
      `1 validation error detected: Value '${TableName}' at 'tableName' failed to satisfy constraint: Member must ` +
        'have length less than or equal to 255',
    )
  }),

  'an invalid name is reported before other errors': async bench => {
    await expectValidationError(
      bench.store.createTable({ TableName: 'not a name', AttributeDefinitions: [], KeySchema: [] }),
      "1 validation error detected: Value 'not a name' at 'tableName' failed to satisfy constraint: Member must " +
        'satisfy regular expression pattern: [a-zA-Z0-9_.-]+',
    )
  },

  'invalid members are reported together': rejectsDefinition(
    {
      ...SIMPLE_KEY_TABLE,
      BillingMode: 'NONSENSE' as never,
      KeySchema: [{ AttributeName: 'a', KeyType: 'NONE' as never }],
    },
    "2 validation errors detected: Value 'NONSENSE' at 'billingMode' failed to satisfy constraint: Member must " +
      "satisfy enum value set: [PROVISIONED, PAY_PER_REQUEST]; Value 'NONE' at 'keySchema.1.member.keyType' failed " +
      'to satisfy constraint: Member must satisfy enum value set: [HASH, RANGE]',
  ),

  'a key of three attributes is rejected': withCoverage(
    ['limit:TABLE_KEY_PARTS'],
    rejectsDefinition(
      {
        ...COMPOSITE_KEY_TABLE,
        AttributeDefinitions: textAttributes('a', 'b', 'c'),
        KeySchema: [hashKey('a'), rangeKey('b'), rangeKey('c')],
      },
      "1 validation error detected: Value '[KeySchemaElement(attributeName=a, keyType=HASH), " +
        'KeySchemaElement(attributeName=b, keyType=RANGE), KeySchemaElement(attributeName=c, keyType=RANGE)]' +
        "' at 'keySchema' failed to satisfy constraint: Member must have length less than or equal to 2",
    ),
  ),

  'a key without attribute definitions is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: [] },
    'Invalid KeySchema: Some index key attribute have no definition',
  ),

  'a key with fewer definitions than attributes is rejected': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, AttributeDefinitions: textAttributes('b') },
    'Invalid KeySchema: Some index key attribute have no definition',
  ),

  'a key with a duplicate attribute that is defined once is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, KeySchema: [hashKey('a'), rangeKey('a')] },
    'Invalid KeySchema: Some index key attribute have no definition',
  ),

  'a key with an undefined attribute is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: textAttributes('b') },
    `${INVALID}Some index key attributes are not defined in AttributeDefinitions. Keys: [a], AttributeDefinitions: [b]`,
  ),

  'a key with a duplicate attribute is rejected': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [hashKey('a'), rangeKey('a')] },
    SAME_NAME,
  ),

  'a duplicate key attribute is reported before wrong key types': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [hashKey('a'), hashKey('a')] },
    SAME_NAME,
  ),

  'a key of two partition attributes is rejected': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [hashKey('a'), hashKey('b')] },
    'Invalid KeySchema: The second KeySchemaElement is not a RANGE key type',
  ),

  'a key whose sort attribute comes first is rejected': rejectsDefinition(
    { ...COMPOSITE_KEY_TABLE, KeySchema: [rangeKey('a'), hashKey('b')] },
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  ),

  'a key of a sort attribute alone is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, KeySchema: [rangeKey('a')] },
    'Invalid KeySchema: The first KeySchemaElement is not a HASH key type',
  ),

  'an attribute definition that no key uses is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: textAttributes('a', 'b') },
    `${INVALID}Number of attributes in KeySchema does not exactly match number of attributes defined in ` +
      'AttributeDefinitions',
  ),

  'a duplicate attribute definition is rejected': rejectsDefinition(
    { ...SIMPLE_KEY_TABLE, AttributeDefinitions: textAttributes('a', 'a') },
    'Attribute Name is duplicated: a',
  ),
})
